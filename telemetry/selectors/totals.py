"""Totals of any pools over any periods: from the sums of whole UTC days, and from hours at their edges."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeVar

from django.db import connection

from reservations.domain.period import Period
from telemetry.domain.ledger import AMOUNTS
from telemetry.domain.totals import COUNTED, SUMS, Totals

K = TypeVar("K")
L = TypeVar("L")

HOUR_SUMS: Mapping[str, str] = {
    **{name: f"h.{name}" for name in AMOUNTS},
    "launched": "h.reserved - h.ec2_unused",
    "busy_high": "h.unknown + coalesce(h.busy, h.known, 0)",
    "busy_reserved": "CASE WHEN h.busy IS NOT NULL THEN h.reserved END",
    "busy_paid": "CASE WHEN h.busy IS NOT NULL THEN h.paid END",
    "covered_known": "CASE WHEN h.expected IS NOT NULL THEN h.known END",
    "covered_expected": "CASE WHEN h.known IS NOT NULL THEN h.expected END",
    "allocated_counted": "CASE WHEN h.expected IS NOT NULL THEN h.allocated END",
    "allocated_expected": "CASE WHEN h.allocated IS NOT NULL THEN h.expected END",
    "busy_hours": "(h.busy IS NOT NULL)::int",
    "open_hours": "(NOT h.final)::int",
    "partial_hours": "(NOT h.complete)::int",
    "flagged_hours": "(cardinality(h.flags) > 0)::int",
}
"""What one row ``h`` of the hours adds to each sum of ``Totals``, in SQL."""


def summed(name: str, expression: str) -> str:
    """The SQL of one sum: unknown where every term is, 0 for what is merely counted."""
    total = f"sum({expression})::bigint"
    return f"coalesce({total}, 0)" if name in COUNTED else total


_OVER_HOURS = ", ".join(["count(*)", *(summed(name, HOUR_SUMS[name]) for name in SUMS)])
_OVER_PARTS = ", ".join(["sum(p.hours)::bigint", *(summed(name, f"p.{name}") for name in SUMS)])
_OF_HOURS = ", ".join(["1 AS hours", *(f"{HOUR_SUMS[name]} AS {name}" for name in SUMS)])
_OF_DAYS = ", ".join(["d.hours", *(f"d.{name}" for name in SUMS)])

# Pool by pool and period by period into the index: OFFSET 0 keeps the planner from reading every day of the pools.
_PARTS = f"""
SELECT a.place, d.pool_id, {_OF_DAYS}
FROM unnest(%(pools)s::bigint[]) AS o (pool_id)
CROSS JOIN unnest(%(day_places)s::int[], %(first_days)s::date[], %(end_days)s::date[]) AS a (place, first_day, end_day)
CROSS JOIN LATERAL (
    SELECT * FROM telemetry_poolday
    WHERE pool_id = o.pool_id AND day >= a.first_day AND day < a.end_day OFFSET 0
) d
"""  # noqa: S608 (column names of our own)

_EDGES = f"""
UNION ALL
SELECT a.place, h.pool_id, {_OF_HOURS}
FROM unnest(%(pools)s::bigint[]) AS o (pool_id)
CROSS JOIN unnest(%(hour_places)s::int[], %(starts)s::timestamptz[], %(ends)s::timestamptz[])
    AS a (place, start_at, end_at)
CROSS JOIN LATERAL (
    SELECT * FROM telemetry_poolhour
    WHERE pool_id = o.pool_id AND hour >= a.start_at AND hour < a.end_at OFFSET 0
) h
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class HourTotals:
    """The totals of one UTC hour over several pools."""

    hour: datetime
    totals: Totals


def totals_by_pool(*, pool_ids: Collection[int], periods: Mapping[K, Period]) -> dict[tuple[int, K], Totals]:
    """The totals of each pool in each of any number of periods, in one query; a pair without any hour is left out."""
    keys = list(periods)
    rows = _summed_parts("p.pool_id, p.place", pool_ids, periods)
    return {(pool_id, keys[place]): Totals(*sums) for pool_id, place, *sums in rows}


def totals_together(*, pool_ids: Collection[int], periods: Mapping[K, Period]) -> dict[K, Totals]:
    """The totals of all these pools together in each period, in one query; a period without any hour is left out."""
    keys = list(periods)
    return {keys[place]: Totals(*sums) for place, *sums in _summed_parts("p.place", pool_ids, periods)}


def totals_both_ways(
    *, pool_ids: Collection[int], by_pool: Mapping[K, Period], together: Mapping[L, Period]
) -> tuple[dict[tuple[int, K], Totals], dict[L, Totals]]:
    """``totals_by_pool`` of some periods and ``totals_together`` of others, in one query."""
    each, whole = list(by_pool), list(together)
    periods = dict(enumerate([*by_pool.values(), *together.values()]))
    # no pool has the number 0
    of_pool = f"CASE WHEN p.place < {len(each)} THEN p.pool_id ELSE 0 END"
    rows = _summed_parts(f"{of_pool}, p.place", pool_ids, periods)
    return (
        {(pool_id, each[place]): Totals(*sums) for pool_id, place, *sums in rows if place < len(each)},
        {whole[place - len(each)]: Totals(*sums) for _, place, *sums in rows if place >= len(each)},
    )


def totals_by_day(*, pool_ids: Collection[int], period: Period) -> dict[tuple[int, date], Totals]:
    """The totals of each pool on each whole UTC day that begins in a period, in one query."""
    first, end = _first_day(period.start), _first_day(period.end)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT d.pool_id, d.day, {_OF_DAYS} FROM telemetry_poolday d"  # noqa: S608
            " WHERE d.pool_id = ANY(%s) AND d.day >= %s AND d.day < %s ORDER BY d.pool_id, d.day",
            [list(pool_ids), first, end],
        )
        return {(pool_id, day): Totals(*sums) for pool_id, day, *sums in cursor}


def fleet_hours(*, pool_ids: Collection[int], period: Period) -> list[HourTotals]:
    """Each hour of a period that some of the pools have, with their totals together, in order and one query."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT h.hour, {_OVER_HOURS} FROM telemetry_poolhour h"  # noqa: S608
            " WHERE h.pool_id = ANY(%s) AND h.hour >= %s AND h.hour < %s GROUP BY h.hour ORDER BY h.hour",
            [list(pool_ids), period.start, period.end],
        )
        return [HourTotals(hour.astimezone(UTC), Totals(*sums)) for hour, *sums in cursor]


def _summed_parts(keys: str, pool_ids: Collection[int], periods: Mapping[K, Period]) -> list[tuple[int, ...]]:
    days, edges = days_and_edges(periods.values())
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {keys}, {_OVER_PARTS} FROM ({_PARTS}{_EDGES if edges else ''}) p GROUP BY {keys}",  # noqa: S608
            {
                "pools": list(pool_ids),
                "day_places": [place for place, _, _ in days],
                "first_days": [first for _, first, _ in days],
                "end_days": [end for _, _, end in days],
                "hour_places": [place for place, _ in edges],
                "starts": [edge.start for _, edge in edges],
                "ends": [edge.end for _, edge in edges],
            },
        )
        return cursor.fetchall()


def days_and_edges(periods: Iterable[Period]) -> tuple[list[tuple[int, date, date]], list[tuple[int, Period]]]:
    """The whole UTC days of each period as (place, first, end), and what is left before and after them."""
    days: list[tuple[int, date, date]] = []
    edges: list[tuple[int, Period]] = []
    for place, period in enumerate(periods):
        first, end = _first_day(period.start), period.end.astimezone(UTC).date()
        if first >= end:
            edges.append((place, period))
            continue
        days.append((place, first, end))
        edges += [(place, edge) for edge in _around(period, _midnight(first), _midnight(end))]
    return days, edges


def _around(period: Period, first: datetime, end: datetime) -> Iterator[Period]:
    if period.start < first:
        yield Period(period.start, first)
    if end < period.end:
        yield Period(end, period.end)


def _first_day(at: datetime) -> date:
    """The first UTC day that begins at an instant or after it."""
    day = at.astimezone(UTC).date()
    return day if _midnight(day) == at else day + timedelta(days=1)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
