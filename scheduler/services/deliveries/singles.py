"""Sending what goes out at once: one row at a time, held from the claim to the note that it is out."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from scheduler.domain.alert.delivery import DeliveryState, Mode
from scheduler.domain.alert.episode import EpisodeState
from scheduler.domain.alert.fate import Planned, may_be_on_its_way, why_needless
from scheduler.domain.alert.severity import Severity
from scheduler.models import Delivery
from scheduler.services.deliveries.messages import Told, single_message
from scheduler.services.deliveries.outcome import Failed, tried, write_outcome
from scheduler.services.deliveries.recipients import NOT_FOR_THEM, Reached, tell_route
from scheduler.services.deliveries.way import Tally, Way


@transaction.atomic
def send_next(to: Reached, way: Way, tally: Tally, passed: set[int]) -> Failed | bool:
    """Send the oldest message due to a recipient that no other worker has in hand.

    True: go on with the next; False: there is none; Failed: this one is not out, and the next would not be either.
    The row stays locked until what became of it is written: a worker that dies lets go of it as it was.
    """
    now = way.clock()
    row = _claimed(to.recipient, now, passed)
    if row is None:
        return False
    passed.add(row.pk)
    why = _why_not(row, to)
    if why is None:
        return True
    if why:
        drop(row, why)
        tally.dropped += 1
        return True
    told = Told(way.base, to.clock, to.may_see_prices(row.episode))
    failed = tried(to, single_message(row, told, sent_at=now), way.networks)
    after = way.clock()
    write_outcome(row, failed, to, urgent=row.episode.severity == Severity.CRITICAL.value, at=after)
    row.save(update_fields=["attempts", "state", "sent_at", "error", "try_at"])
    tell_route(to.route, failed=failed.sentence if failed else "", at=after)
    tally.count(DeliveryState(row.state))
    return failed or True


def planned(row: Delivery) -> Planned:
    """A row as the rules about it see it."""
    return Planned(row.pk, row.step, Mode(row.mode), DeliveryState(row.state))


def others_of(row: Delivery) -> list[Planned]:
    """What else was planned of an episode for the same recipient."""
    found = Delivery.objects.filter(episode_id=row.episode_id, recipient=row.recipient).exclude(pk=row.pk)
    return [planned(other) for other in found.order_by("pk")]


def drop(row: Delivery, why: str) -> None:
    """Note that a message is needless."""
    row.state, row.error = DeliveryState.DROPPED.value, why
    row.save(update_fields=["state", "error"])


def needless(row: Delivery, to: Reached, others: Sequence[Planned]) -> str:
    """Why a message needs not or must not go out, blank where it does."""
    if to.why_not:
        return to.why_not
    if not to.may_see(row.episode):
        return NOT_FOR_THEM
    return why_needless(planned(row), others, is_resolved=row.episode.state == EpisodeState.RESOLVED.value)


def is_in_hand(row: Delivery) -> bool:
    """Whether another worker holds a message of the same episode to the same recipient."""
    due = Delivery.objects.filter(episode_id=row.episode_id, recipient=row.recipient, state=DeliveryState.DUE.value)
    rest = due.exclude(pk=row.pk)
    free = len(rest.select_for_update(skip_locked=True).values_list("pk", flat=True))
    return free < rest.count()


def _why_not(row: Delivery, to: Reached) -> str | None:
    """None: not now, another worker may be telling the beginning of what this one ends."""
    others = others_of(row)
    if may_be_on_its_way(planned(row), others) and is_in_hand(row):
        return None
    return needless(row, to, others)


def _claimed(recipient: str, now: datetime, passed: set[int]) -> Delivery | None:
    return (
        Delivery.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("episode")
        .filter(recipient=recipient, state=DeliveryState.DUE.value, mode=Mode.AT_ONCE.value, try_at__lte=now)
        .exclude(pk__in=passed)
        .order_by("pk")
        .first()
    )
