"""Coverage by UTC day: a strip of days for each of some pools, and the months of one."""

from calendar import Calendar
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from telemetry.domain.day_coverage import STATE_WORDS, CoverageDay, DayState, coverage_day
from telemetry.domain.totals import Totals

LEGEND: tuple[tuple[DayState, str], ...] = tuple(STATE_WORDS.items())
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

Totalled = Mapping[tuple[int, date], Totals]


@dataclass(frozen=True, slots=True)
class CoverageMonth:
    """One month as weeks from Monday to Sunday; None where a week reaches into another month."""

    month: date
    weeks: tuple[tuple[CoverageDay | None, ...], ...]


def coverage_days(pool_id: int, days: Iterable[date], totals: Totalled, as_of: datetime) -> list[CoverageDay]:
    """One pool's days in order."""
    return [coverage_day(day, totals.get((pool_id, day)), as_of=as_of) for day in days]


def coverage_months(days: Sequence[CoverageDay]) -> list[CoverageMonth]:
    """The whole months that some days make up."""
    by_day = {one.day: one for one in days}
    months = dict.fromkeys(day.replace(day=1) for day in by_day)
    return [
        CoverageMonth(
            month,
            tuple(
                tuple(by_day.get(day) if day.month == month.month else None for day in week)
                for week in Calendar().monthdatescalendar(month.year, month.month)
            ),
        )
        for month in months
    ]


def three_months(today: date) -> list[date]:
    """Every day of this month and of the two before it."""
    following = (today.replace(day=1) + timedelta(days=32)).replace(day=1)
    first = (today.replace(day=1) - timedelta(days=32)).replace(day=1)
    return [first + timedelta(days=place) for place in range((following - first).days)]
