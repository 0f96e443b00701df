"""The calendar in words: a month of days and an agenda, from the same events as the feeds."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from scheduler.domain.calendar.event import KIND_WORDS, EventKind
from scheduler.domain.calendar.month import weeks_of
from scheduler.selectors.calendar import EntryRow

SHOWN_OF_A_DAY = 4
"""More would make one day taller than a week."""


@dataclass(frozen=True, slots=True)
class Told:
    """One event: when on its day (blank: all of it), what kind it is, in words."""

    kind: EventKind
    when: str
    word: str
    summary: str
    description: str
    reservation_id: int | None


@dataclass(frozen=True, slots=True)
class Day:
    """One day of the month's weeks; ``more`` events are in the agenda only."""

    on: date
    inside: bool
    today: bool
    events: tuple[Told, ...]
    more: int


def month_shown(
    month: date, entries: Iterable[EntryRow], *, today: date, zone: tzinfo
) -> tuple[list[list[Day]], list[tuple[date, list[Told]]]]:
    """The weeks of a month, and its agenda: the days of the month on which something happens."""
    by_day: defaultdict[date, list[EntryRow]] = defaultdict(list)
    for entry in entries:
        by_day[entry.day(zone)].append(entry)
    told = {day: [_told(one, zone) for one in _in_order(some)] for day, some in by_day.items()}
    weeks = [[_day(day, month, today, told.get(day, [])) for day in week] for week in weeks_of(month)]
    agenda = [(day, told[day]) for day in sorted(told) if (day.year, day.month) == (month.year, month.month)]
    return weeks, agenda


def _in_order(entries: Iterable[EntryRow]) -> list[EntryRow]:
    return sorted(entries, key=lambda one: (one.on is None, one.at, one.summary))


def _day(day: date, month: date, today: date, events: Sequence[Told]) -> Day:
    shown = events if len(events) <= SHOWN_OF_A_DAY else events[: SHOWN_OF_A_DAY - 1]
    return Day(
        day, (day.year, day.month) == (month.year, month.month), day == today, tuple(shown), len(events) - len(shown)
    )


def _told(one: EntryRow, zone: tzinfo) -> Told:
    return Told(
        kind=one.kind,
        when="" if one.on else f"{one.at.astimezone(zone):%H:%M}",
        word=KIND_WORDS[one.kind],
        summary=one.summary,
        description=one.description,
        reservation_id=one.reservation_id,
    )
