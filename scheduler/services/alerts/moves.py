"""What people do about alerts: by legal moves alone, each written down; the same twice is once."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction

from reservations.domain.access import Action, may
from reservations.domain.free_text import why_not_kept
from reservations.selectors.contacts import user_id_of
from reservations.selectors.granted import people_who_may
from reservations.services.audit import AuditAct, record_event
from scheduler.domain.alert.episode import Deed, EpisodeState, why_not_move, why_not_snooze
from scheduler.models import AlertEpisode, EpisodeNote
from scheduler.selectors.notification_addresses import directory
from scheduler.services.alerts.owing import owe_messages, told_about

LONGEST_NOTE = 2000

GONE = "There is no such alert."


class UnableToMove(Exception):
    """What was asked of an alert can't be done; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Moved:
    """How many alerts were moved, and one sentence for each that was not."""

    moved: int
    unmoved: tuple[str, ...] = ()


def acknowledge_alerts(*, ids: Collection[int], by: str, at: datetime, note: str = "") -> Moved:
    """Say that somebody looks after them, so that nobody else is rung."""

    def acknowledge(one: AlertEpisode) -> None:
        one.acknowledged_at, one.acknowledged_by = at, by
        _not_snoozed(one)

    return _move(ids, EpisodeState.ACKNOWLEDGED, acknowledge, deed=Deed.ACKNOWLEDGED, note=note, by=by, at=at)


def snooze_alerts(*, ids: Collection[int], until: datetime, by: str, at: datetime, note: str = "") -> Moved:
    """Put them off until an instant, fourteen days ahead at most; what gets worse wakes before. UnableToMove for
    another instant."""
    why = why_not_snooze(until, as_of=at)
    if why:
        raise UnableToMove(why)
    until = until.astimezone(UTC)

    def snooze(one: AlertEpisode) -> None:
        one.snoozed_until = until
        one.snoozed_severity, one.snoozed_money = one.severity, one.weekly_money

    return _move(ids, EpisodeState.SNOOZED, snooze, deed=Deed.SNOOZED, note=note, by=by, at=at, until=until)


def resolve_alerts(*, ids: Collection[int], by: str, at: datetime, note: str = "") -> Moved:
    """End them, and tell those who were told that they began; what is still found then is silent until it was in order
    once, comes on another occasion or presses more."""

    def resolve(one: AlertEpisode) -> None:
        one.resolved_at, one.resolved_by, one.hushed = at, by, True
        _not_snoozed(one)

    def tell(moved: Sequence[AlertEpisode]) -> None:
        told = [(one, ()) for one in moved]
        owe_messages(told, before=told_about(moved), directory=directory(), as_of=at, made_at=at)

    return _move(ids, EpisodeState.RESOLVED, resolve, deed=Deed.RESOLVED, note=note, by=by, at=at, afterwards=tell)


def wake_alerts(*, ids: Collection[int], by: str, at: datetime, note: str = "") -> Moved:
    """Open again what was acknowledged or put off."""

    def wake(one: AlertEpisode) -> None:
        one.woken_at = at
        one.acknowledged_at, one.acknowledged_by = None, ""
        _not_snoozed(one)

    return _move(ids, EpisodeState.OPEN, wake, deed=Deed.WOKEN, note=note, by=by, at=at)


def assign_alerts(
    *, ids: Collection[int], to: str, teams: Mapping[int, frozenset[str]], by: str, at: datetime
) -> Moved:
    """Give alerts to a person who may handle each of them (a log-in; blank: to nobody), by the teams that may see it.

    UnableToMove where nobody of this name may handle alerts.
    """
    chosen = next((one for one in people_who_may(Action.HANDLE_ALERT) if one.name == to), None)
    if to and chosen is None:
        raise UnableToMove(f"“{to[:80]}” is nobody who may handle alerts.")
    moved, unmoved = 0, []
    for pk in ids:
        if chosen is not None and not may(chosen, Action.HANDLE_ALERT, teams.get(pk) or None):
            unmoved.append(f"{to} has no role that reaches it.")
            continue
        try:
            changed = assign_alert(pk=pk, to=to, by=by, at=at)
        except UnableToMove as unable:
            unmoved.append(str(unable))
            continue
        moved += changed
        if not changed:
            unmoved.append("It is assigned so already.")
    return Moved(moved, tuple(unmoved))


@transaction.atomic
def assign_alert(*, pk: int, to: str, by: str, at: datetime) -> bool:
    """Give an alert to a person (a log-in; blank: to nobody); False where it is theirs. UnableToMove otherwise."""
    one = _locked([pk]).get(pk)
    if one is None or one.state == EpisodeState.RESOLVED:
        raise UnableToMove(GONE if one is None else "What is resolved can't be given to anybody.")
    user_id = user_id_of(to) if to else None
    if to and user_id is None:
        raise UnableToMove(f"Nobody here is called {to}.")
    if one.assigned_to_id == user_id:
        return False
    one.assigned_to_id = user_id
    one.save(update_fields=["assigned_to"])
    _write([one], Deed.ASSIGNED, to or "nobody", by, at)
    _record([one], Deed.ASSIGNED, to or "nobody", by)
    return True


@transaction.atomic
def comment_on_alert(*, pk: int, text: str, by: str, at: datetime) -> None:
    """Write something to an alert; UnableToMove for what is empty, too long or can't be kept."""
    text = _kept(text)
    if not text:
        raise UnableToMove("A comment says something.")
    one = _locked([pk]).get(pk)
    if one is None:
        raise UnableToMove(GONE)
    _write([one], Deed.COMMENTED, text, by, at)


@transaction.atomic
def _move(
    ids: Collection[int],
    to: EpisodeState,
    change: Callable[[AlertEpisode], None],
    *,
    deed: Deed,
    note: str,
    by: str,
    at: datetime,
    until: datetime | None = None,
    afterwards: Callable[[Sequence[AlertEpisode]], None] | None = None,
) -> Moved:
    note = _kept(note)
    found = _locked(ids)
    moved, unmoved = [], []
    for pk in sorted(set(ids)):
        one = found.get(pk)
        why = GONE if one is None else _why_not(one, to, until)
        if one is None or why:
            unmoved.append(why if one is None else f"{one.subject}: {why}")
            continue
        one.state = to.value
        change(one)
        moved.append(one)
    _save(moved)
    words = f"until {until:%Y-%m-%dT%H:%M:%SZ}" if until else ""
    _write(moved, deed, ": ".join(filter(None, (words, note))), by, at)
    if moved and afterwards:
        afterwards(moved)
    _record(moved, deed, ": ".join(filter(None, (words, note))), by)
    return Moved(len(moved), tuple(unmoved))


def _why_not(one: AlertEpisode, to: EpisodeState, until: datetime | None) -> str:
    """As the table of moves has it, but that what is put off can be put off until another time."""
    if to is EpisodeState.SNOOZED and one.state == to and one.snoozed_until != until:
        return ""
    return why_not_move(EpisodeState(one.state), to)


def _not_snoozed(one: AlertEpisode) -> None:
    one.snoozed_until, one.snoozed_severity, one.snoozed_money = None, "", None


def _locked(ids: Collection[int]) -> dict[int, AlertEpisode]:
    """Rows by id, locked in the order of their ids, as an evaluation locks them too."""
    return {one.pk: one for one in AlertEpisode.objects.select_for_update().filter(pk__in=ids).order_by("pk")}


def _save(moved: Sequence[AlertEpisode]) -> None:
    changed = (
        "state", "acknowledged_at", "acknowledged_by", "snoozed_until", "snoozed_severity", "snoozed_money",
        "resolved_at", "resolved_by", "hushed", "woken_at",
    )  # fmt: skip
    AlertEpisode.objects.bulk_update(moved, changed, batch_size=500)


def _write(about: Sequence[AlertEpisode], deed: Deed, text: str, by: str, at: datetime) -> None:
    EpisodeNote.objects.bulk_create(
        [EpisodeNote(episode=one, deed=deed.value, text=text, by=by, at=at) for one in about], batch_size=1000
    )


def _record(about: Sequence[AlertEpisode], deed: Deed, text: str, by: str) -> None:
    """One event for all that one move was asked for."""
    if about:
        alerts = [{"id": one.pk, "rule": one.rule, "about": one.subject} for one in about]
        ident = str(about[0].pk) if len(about) == 1 else ""
        after = {"deed": deed.value, "alerts": alerts}
        record_event(what=AuditAct.ALERT_MOVED, about="alert", ident=ident, by=by, after=after, why=text)


def _kept(text: str) -> str:
    text = text.strip()
    if len(text) > LONGEST_NOTE:
        raise UnableToMove(f"A note has {LONGEST_NOTE:,} characters at most.")
    why = why_not_kept(text)
    if why:
        raise UnableToMove(why)
    return text
