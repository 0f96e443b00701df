"""Sums of the ledger over any periods: from the sums of whole UTC days, and from hours at their edges."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Generic, TypeVar

from django.db import connection

from reservations.domain.period import Period
from telemetry.domain.ledger import AMOUNTS
from telemetry.domain.totals import COUNTED, SUMS, USE_SUMS, Totals, UseTotals

K = TypeVar("K")
L = TypeVar("L")
T = TypeVar("T", bound=UseTotals)

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
    "allocated_reserved": "CASE WHEN h.allocated IS NOT NULL THEN h.reserved END",
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


# Each pool and period, or each period of all pools, is added up inside the index and leaves as one row.
_DAYS_OF_EACH = """
SELECT o.pool_id, a.place, d.*
FROM unnest(%(pools)s::bigint[]) AS o (pool_id)
CROSS JOIN unnest(%(each_places)s::int[], %(each_firsts)s::date[], %(each_ends)s::date[])
    AS a (place, first_day, end_day)
CROSS JOIN LATERAL (
    SELECT sum(d.hours)::bigint AS hours, {days} FROM telemetry_poolday d
    WHERE d.pool_id = o.pool_id AND d.day >= a.first_day AND d.day < a.end_day HAVING count(*) > 0
) d
"""

_DAYS_OF_ALL = """
SELECT 0::bigint AS pool_id, a.place, d.*
FROM unnest(%(all_places)s::int[], %(all_firsts)s::date[], %(all_ends)s::date[]) AS a (place, first_day, end_day)
CROSS JOIN LATERAL (
    SELECT sum(d.hours)::bigint AS hours, {days} FROM telemetry_poolday d
    WHERE d.pool_id = ANY(%(pools)s) AND d.day >= a.first_day AND d.day < a.end_day HAVING count(*) > 0
) d
"""

_EDGES = """
SELECT CASE WHEN a.place < %(by_pool)s THEN o.pool_id ELSE 0 END AS pool_id, a.place, h.*
FROM unnest(%(pools)s::bigint[]) AS o (pool_id)
CROSS JOIN unnest(%(edge_places)s::int[], %(starts)s::timestamptz[], %(ends)s::timestamptz[])
    AS a (place, start_at, end_at)
CROSS JOIN LATERAL (
    SELECT count(*) AS hours, {hours} FROM telemetry_poolhour h
    WHERE h.pool_id = o.pool_id AND h.hour >= a.start_at AND h.hour < a.end_at HAVING count(*) > 0
) h
"""


@dataclass(frozen=True, slots=True)
class Summing(Generic[T]):
    """Some of the sums, in SQL, and what they make."""

    kind: Callable[..., T]
    names: Sequence[str]

    def sums(self, expressions: Mapping[str, str]) -> str:
        """The columns of these sums under their names."""
        return ", ".join(f"{summed(name, expressions[name])} AS {name}" for name in self.names)


OF_ALL = Summing(Totals, SUMS)
OF_USE = Summing(UseTotals, USE_SUMS)


def sums_by_pool(of: Summing[T], *, pool_ids: Collection[int], periods: Mapping[K, Period]) -> dict[tuple[int, K], T]:
    """The sums of each pool in each period, in one query; a pair without any hour is left out."""
    return sums_both_ways(of, pool_ids=pool_ids, by_pool=periods, together={})[0]


def sums_both_ways(
    of: Summing[T], *, pool_ids: Collection[int], by_pool: Mapping[K, Period], together: Mapping[L, Period]
) -> tuple[dict[tuple[int, K], T], dict[L, T]]:
    """The same of some periods, and all pools together in others, in one query."""
    each, whole = list(by_pool), list(together)
    rows = _rows(of, pool_ids, [*by_pool.values(), *together.values()], len(each))
    return (
        {(pool_id, each[place]): of.kind(*sums) for pool_id, place, *sums in rows if place < len(each)},
        {whole[place - len(each)]: of.kind(*sums) for _, place, *sums in rows if place >= len(each)},
    )


def _rows(of: Summing[T], pool_ids: Collection[int], periods: Sequence[Period], by_pool: int) -> list[tuple[Any, ...]]:
    days, edges = days_and_edges(periods)
    of_each, of_all = [row for row in days if row[0] < by_pool], [row for row in days if row[0] >= by_pool]
    asked = {"pools": list(pool_ids), "by_pool": by_pool}
    for name, spans in (("each", of_each), ("all", of_all)):
        asked |= {f"{name}_{column}": values for column, values in zip(_SPAN, _columns(spans), strict=True)}
    places, starts, ends = _columns([(place, edge.start, edge.end) for place, edge in edges])
    asked |= {"edge_places": places, "starts": starts, "ends": ends}
    parts = [part for part, some in ((_DAYS_OF_EACH, of_each), (_DAYS_OF_ALL, of_all), (_EDGES, edges)) if some]
    if not parts:
        return []
    told = {"days": of.sums({name: f"d.{name}" for name in of.names}), "hours": of.sums(HOUR_SUMS)}
    sql = " UNION ALL ".join(parts).format(**told)
    if edges:
        sums = of.sums({name: f"p.{name}" for name in of.names})
        sql = f"SELECT pool_id, place, sum(hours)::bigint, {sums} FROM ({sql}) p GROUP BY pool_id, place"  # noqa: S608 # nosec B608
    with connection.cursor() as cursor:
        cursor.execute(sql, asked)
        return cursor.fetchall()


_SPAN = ("places", "firsts", "ends")


def _columns(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)] or [[], [], []]


def days_and_edges(periods: Iterable[Period]) -> tuple[list[tuple[int, date, date]], list[tuple[int, Period]]]:
    """The whole UTC days of each period as (place, first, end), and what is left before and after them."""
    days: list[tuple[int, date, date]] = []
    edges: list[tuple[int, Period]] = []
    for place, period in enumerate(periods):
        first, end = first_day(period.start), period.end.astimezone(UTC).date()
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


def first_day(at: datetime) -> date:
    """The first UTC day that begins at an instant or after it."""
    day = at.astimezone(UTC).date()
    return day if _midnight(day) == at else day + timedelta(days=1)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
