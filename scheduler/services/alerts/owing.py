"""Planning messages: a row for each that is owed, under the key that keeps it from being owed twice."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from scheduler.domain.alert.delivery import DeliveryState, Owed, Ringing, RingPolicy, Told, owed
from scheduler.domain.alert.episode import EpisodeState, Step
from scheduler.domain.alert.severity import Severity
from scheduler.models import AlertEpisode, Delivery
from scheduler.selectors.notification_addresses import Directory

BATCH = 1000
POLICY = RingPolicy()

ToldOf = Mapping[int, Sequence[Told]]


def told_of(rows: Iterable[tuple[int, str, str, str]]) -> ToldOf:
    """What was owed before, by episode."""
    told: dict[int, list[Told]] = defaultdict(list)
    for episode, step, recipient, state in rows:
        told[episode].append(Told(step, recipient, DeliveryState(state)))
    return told


def told_while_live() -> ToldOf:
    """What was owed of every episode that is not resolved, in one query."""
    found = Delivery.objects.filter(episode__resolved_at__isnull=True)
    return told_of(found.values_list("episode_id", "step", "recipient", "state"))


def told_about(rows: Sequence[AlertEpisode]) -> ToldOf:
    """What was owed of these episodes, in one query."""
    return told_of(Delivery.objects.filter(episode__in=rows).values_list("episode_id", "step", "recipient", "state"))


def owe_messages(
    told: Iterable[tuple[AlertEpisode, tuple[str, ...]]],
    *,
    before: ToldOf,
    directory: Directory,
    as_of: datetime,
    made_at: datetime,
    elsewhere: frozenset[int] = frozenset(),
) -> int:
    """Plan what these episodes owe, each with the steps it tells; how many messages are new.

    ``elsewhere`` are the ids of episodes whose end needs no message.
    """
    planned = []
    for row, steps in told:
        rings = directory.rings(row.owner, frozenset(row.teams), row.assigned_to_id)
        ringing = _ringing(row, steps, row.pk in elsewhere)
        due = owed(ringing, rings, before.get(row.pk, ()), as_of=as_of, now=made_at, policy=POLICY)
        planned += [_delivery(row, one, made_at) for one in due]
    Delivery.objects.bulk_create(planned, batch_size=BATCH, ignore_conflicts=True)
    return len(planned)


def _ringing(row: AlertEpisode, steps: tuple[str, ...], elsewhere: bool) -> Ringing:
    return Ringing(
        rule=row.rule,
        severity=Severity(row.severity),
        state=EpisodeState(row.state),
        waiting_since=row.woken_at or row.opened_at,
        steps=steps,
        told_elsewhere=elsewhere,
    )


def _delivery(row: AlertEpisode, one: Owed, made_at: datetime) -> Delivery:
    return Delivery(
        episode=row,
        step=one.step,
        recipient=one.address.recipient,
        route_id=one.address.route_id,
        channel=one.address.channel.value,
        shown=one.address.shown,
        mode=one.mode.value,
        owed_at=made_at,
        try_at=one.try_at,
        subject=subject_line(row, one.step)[:300],
    )


def subject_line(row: AlertEpisode, step: str) -> str:
    """The line that a message is known by."""
    if step == Step.RESOLVED:
        return f"Resolved: {row.subject}: {row.summary}"
    prefix = {Step.FALLBACK.value: "no answer yet: ", Step.ESCALATED.value: "no answer yet: "}.get(step, "")
    return f"{row.severity.capitalize()}: {prefix}{row.subject}: {row.summary}"
