"""The few sums of each hour that the figures of a month are drawn from."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import connection

from reservations.domain.period import Period
from telemetry.domain.demand_hours import BOUND_ALONE
from telemetry.domain.use import UseHour

# seconds, since a month has hundreds of hours and instants are slow to read
_USE = """
SELECT extract(epoch FROM hour)::bigint, {reserved}, sum(busy)::bigint,
       coalesce(sum(reserved) FILTER (WHERE busy IS NOT NULL), 0)::bigint, {allocated}
FROM telemetry_poolhour
WHERE pool_id = ANY(%s) AND hour >= %s AND hour < %s
GROUP BY hour ORDER BY hour
"""
_LOADS = _USE.format(reserved="sum(reserved)::bigint", allocated="sum(allocated)::bigint")
_BUSY = _USE.format(reserved="NULL", allocated="NULL")

# the demand is of other hours where a file told it: a part of its own, in the same query
_WITH_DEMAND = f"""
SELECT told.*, NULL::numeric, NULL::text FROM ({_LOADS}) told
UNION ALL
SELECT extract(epoch FROM hour)::bigint, NULL, NULL, NULL, NULL, sum(nodes), min(source)
FROM telemetry_demandhour
WHERE pool_id = %s AND hour >= %s AND hour < %s
GROUP BY hour ORDER BY 1
"""  # noqa: S608 (an expression of our own) # nosec B608


@dataclass(frozen=True, slots=True)
class NodesNeeded:
    """Whole nodes that one pool needed in each hour that somebody tells; in ``bound_only`` of them at least so many."""

    nodes: tuple[int, ...]
    bound_only: int


def use_and_demand(*, pool_id: int, period: Period) -> tuple[list[UseHour], NodesNeeded]:
    """The hours of one pool with their loads, and what it needed, in order and in one query."""
    span = [period.start, period.end]
    with connection.cursor() as cursor:
        cursor.execute(_WITH_DEMAND, [[pool_id], *span, pool_id, *span])
        rows = cursor.fetchall()
    needed = [(math.ceil(nodes), source) for *_, nodes, source in rows if nodes is not None]
    use = [UseHour(datetime.fromtimestamp(second, UTC), *sums) for second, *sums, nodes, _ in rows if nodes is None]
    bound_only = sum(source == BOUND_ALONE for _, source in needed)
    return use, NodesNeeded(tuple(nodes for nodes, _ in needed), bound_only)


def use_hours(*, pool_ids: Collection[int], period: Period, loads: bool = True) -> list[UseHour]:
    """Each hour of a period that some of the pools have, of all of them together, in order and one query.

    ``loads`` False: without what was reserved and allocated, which only a load-duration curve is made of.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOADS if loads else _BUSY, [list(pool_ids), period.start, period.end])
        return [UseHour(datetime.fromtimestamp(second, UTC), *sums) for second, *sums in cursor.fetchall()]
