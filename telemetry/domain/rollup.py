"""Sums of ledger hours over any period: a sum skips what is unknown and says how much of it there was.

Two sums may be compared or subtracted only when they are known in the same hours (``hours_known``);
``launched``, ``busy_high`` and ``coverage`` are therefore made hour by hour, and what must add up to
``reserved`` whatever is unknown is the waterfall (telemetry.domain.waterfall).
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal

from reservations.domain.period import HOUR, Period, ceil_hour, days_of, floor_hour, hour_period, months_of
from telemetry.domain.ledger import AMOUNTS, LedgerHour
from telemetry.domain.replacement import FIRST_AFTER


@dataclass(frozen=True, slots=True)
class LedgerSum:
    """A period of one pool, in whole GPU-milliseconds; an amount is None only if it is unknown in every hour.

    ``hours_known`` counts for each amount the hours it is known in; ``flags`` maps a flag to the hours
    that carry it; ``coverage`` is Σ known ÷ Σ expected over the hours that have both. ``hours_missing``
    are hours that were due and never collected; ``to_date`` means that part of the period was not due yet.
    """

    period: Period
    reserved: int | None
    paid: int | None
    ec2_unused: int | None
    expected: int | None
    not_joined: int | None
    not_observed: int | None
    known: int | None
    unknown: int | None
    busy: int | None
    sm: int | None
    idle: int | None
    idle_held: int | None
    idle_free: int | None
    allocated: int | None
    owner_busy: int | None
    borrower_busy: int | None
    unmanaged_busy: int | None
    unattributed_busy: int | None
    launched: int | None
    busy_high: int | None
    coverage: Decimal | None
    hours_present: int
    hours_missing: int
    to_date: bool
    hours_known: Mapping[str, int]
    flags: Mapping[str, int]
    complete: bool
    final: bool


def due_until(as_of: datetime) -> datetime:
    """The end of the newest hour that should stand in the ledger at an instant."""
    return floor_hour(as_of - FIRST_AFTER)


def due_hours(period: Period, until: datetime) -> int:
    """How many hours of a period of whole hours begin before ``until``, the end of what was due."""
    return _hour_count(period.start, max(period.start, min(until, period.end)))


def roll_up(*, hours: Sequence[LedgerHour], period: Period, until: datetime | None = None) -> LedgerSum:
    """The sum of one pool's hours in any order; hours from ``until`` on were not due and are not missing.

    ValueError when an hour lies outside the period or comes twice.
    """
    starts = {row.hour for row in hours}
    if len(starts) != len(hours):
        raise ValueError("an hour comes twice in one sum")
    if any(start not in period for start in starts):
        raise ValueError(f"an hour lies outside the period {period.start} … {period.end}")
    present, whole = len(hours), _hour_count(period.start, period.end)
    due_end = period.end if until is None else max(period.start, min(until, period.end))
    due = _hour_count(period.start, due_end)
    columns = {name: [getattr(row, name) for row in hours] for name in AMOUNTS}
    return LedgerSum(
        period=period,
        **{name: _total(values) for name, values in columns.items()},
        launched=_total(row.launched for row in hours),
        busy_high=_total(row.busy_high for row in hours),
        coverage=_coverage(hours),
        hours_present=present,
        hours_missing=due - sum(start < due_end for start in starts),
        to_date=due_end < period.end,
        hours_known={name: sum(value is not None for value in values) for name, values in columns.items()},
        flags=dict(sorted(Counter(flag for row in hours for flag in set(row.flags)).items())),
        complete=present >= due and all(row.complete for row in hours),
        final=present == whole and all(row.final for row in hours),
    )


def by_hour(*, hours: Sequence[LedgerHour], period: Period, until: datetime | None = None) -> list[LedgerSum]:
    """One sum for each UTC hour of a period that was due or is there."""
    return _split(hours, [hour_period(start) for start in period.hours()], until)


def by_day(
    *, hours: Sequence[LedgerHour], period: Period, zone: tzinfo, until: datetime | None = None
) -> list[LedgerSum]:
    """One sum for each local day of a period that was due or is there; an hour belongs to the day it starts in."""
    return _split(hours, [part for _, part in days_of(period, zone)], until)


def by_month(
    *, hours: Sequence[LedgerHour], period: Period, zone: tzinfo, until: datetime | None = None
) -> list[LedgerSum]:
    """One sum for each local month of a period that was due or is there."""
    return _split(hours, [part for _, part in months_of(period, zone)], until)


def _split(hours: Sequence[LedgerHour], parts: Iterable[Period], until: datetime | None) -> list[LedgerSum]:
    rows = sorted(hours, key=_start)
    sums: list[LedgerSum] = []
    for part in parts:
        low, high = bisect_left(rows, part.start, key=_start), bisect_left(rows, part.end, key=_start)
        if low < high or until is None or part.start < until:
            sums.append(roll_up(hours=rows[low:high], period=part, until=until))
    return sums


def _start(row: LedgerHour) -> datetime:
    return row.hour


def _total(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _coverage(hours: Iterable[LedgerHour]) -> Decimal | None:
    pairs = [(row.known, row.expected) for row in hours if row.known is not None and row.expected is not None]
    expected = sum(pair[1] for pair in pairs)
    return Decimal(sum(pair[0] for pair in pairs)) / Decimal(expected) if expected else None


def _hour_count(start: datetime, end: datetime) -> int:
    return max(0, (floor_hour(end - timedelta(microseconds=1)) + HOUR - ceil_hour(start)) // HOUR)
