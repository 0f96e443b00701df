"""Bringing the calendar's events to what the inventory and the decisions say, one run at a time."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Q

from scheduler.domain.calendar.event import Event, EventKind
from scheduler.domain.calendar.ics import event_text
from scheduler.models import CalendarEntry
from scheduler.selectors.calendar import calendar_events

REFRESHING = 0x63616C65
"""The lock that one run holds: the next reads what this one wrote, so that no sequence is given twice."""

CANCELLED_FOR = timedelta(days=30)
"""So long a cancelled event is still told: a calendar that was not asked for a month has forgotten it."""

PAST_FOR = timedelta(days=366)
"""And one that is past: a year back is looked at when the next one is planned."""

_CHANGED = (
    "owner", "reservation_id", "on", "at", "summary", "description", "sequence", "changed_at", "cancelled_at",
    "content_hash", "text",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Refreshed:
    """How many events are new, told anew, cancelled and forgotten."""

    new: int = 0
    changed: int = 0
    cancelled: int = 0
    forgotten: int = 0


@transaction.atomic
def refresh_calendar(*, as_of: datetime) -> Refreshed:
    """Bring every event up to date; what did not change keeps each character, its sequence and its stamps."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [REFRESHING])
    events = {event.uid: event for event in calendar_events(as_of=as_of) if event.at > as_of - PAST_FOR}
    entries = {entry.uid: entry for entry in CalendarEntry.objects.all()}
    new = [_new(event, as_of) for uid, event in events.items() if uid not in entries]
    changed = [entry for uid, entry in entries.items() if uid in events and _changes(entry, events[uid], as_of)]
    cancelled = [entry for entry in entries.values() if entry.uid not in events and _cancels(entry, as_of)]
    CalendarEntry.objects.bulk_create(new)
    CalendarEntry.objects.bulk_update([*changed, *cancelled], _CHANGED, batch_size=500)
    old = Q(cancelled_at__lte=as_of - CANCELLED_FOR) | Q(at__lte=as_of - PAST_FOR)
    forgotten, _ = CalendarEntry.objects.filter(old).delete()
    return Refreshed(len(new), len(changed), len(cancelled), forgotten)


def _new(event: Event, as_of: datetime) -> CalendarEntry:
    entry = CalendarEntry(uid=event.uid, kind=event.kind.value, sequence=0)
    _tell(entry, event, as_of)
    return entry


def _changes(entry: CalendarEntry, event: Event, as_of: datetime) -> bool:
    """Whether an entry has to be written again; its sequence rises where a reader sees something else."""
    if entry.content_hash == event.content_hash and entry.cancelled_at is None:
        same = (entry.owner, entry.reservation_id) == (event.owner, event.reservation_id)
        entry.owner, entry.reservation_id = event.owner, event.reservation_id
        return not same
    entry.sequence += 1
    _tell(entry, event, max(as_of, entry.changed_at))
    return True


def _tell(entry: CalendarEntry, event: Event, at: datetime) -> None:
    entry.owner, entry.reservation_id, entry.content_hash = event.owner, event.reservation_id, event.content_hash
    entry.on, entry.at, entry.summary, entry.description = event.on, event.at, event.summary, event.description
    entry.changed_at, entry.cancelled_at = at, None
    entry.text = event_text(event, sequence=entry.sequence, changed_at=at, cancelled=False)


def _cancels(entry: CalendarEntry, as_of: datetime) -> bool:
    """Whether an event that is no more was still to come: then it is cancelled, and a past one stays as it was."""
    if entry.cancelled_at is not None or entry.at <= as_of:
        return False
    entry.sequence += 1
    entry.changed_at = entry.cancelled_at = max(as_of, entry.changed_at)
    entry.text = event_text(_told(entry), sequence=entry.sequence, changed_at=entry.changed_at, cancelled=True)
    return True


def _told(entry: CalendarEntry) -> Event:
    return Event(
        uid=entry.uid,
        reservation_id=entry.reservation_id,
        owner=entry.owner,
        kind=EventKind(entry.kind),
        at=entry.at,
        on=entry.on,
        summary=entry.summary,
        description=entry.description,
    )
