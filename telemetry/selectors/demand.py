"""What a pool needed, hour by hour, as sizing, replay and the curve read it."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.db import connection

from reservations.domain.period import Period
from telemetry.domain.demand import DemandTrace
from telemetry.domain.demand_hours import BOUND_ALONE, DERIVED

# seconds, since a year has thousands of hours and instants are slow to read
_DEMAND = """
SELECT extract(epoch FROM hour)::bigint, workload, nodes, peak_nodes, source
FROM telemetry_demandhour
WHERE pool_id = %s AND hour >= %s AND hour < %s
ORDER BY hour, workload
"""

# Beside the demand the hours in which nothing was held, as rows without a workload: one query for both.
_HELD = """
WITH asked AS (
    SELECT * FROM unnest(%(places)s::int[], %(pools)s::bigint[], %(starts)s::timestamptz[], %(ends)s::timestamptz[])
        AS asked(place, pool_id, since, until)
)
SELECT asked.place, extract(epoch FROM d.hour)::bigint, d.workload, d.nodes, d.peak_nodes, d.source
FROM asked JOIN telemetry_demandhour d ON d.pool_id = asked.pool_id AND d.hour >= since AND d.hour < until
UNION ALL
SELECT asked.place, extract(epoch FROM h.hour)::bigint, NULL, NULL, NULL, NULL
FROM asked JOIN telemetry_poolhour h ON h.pool_id = asked.pool_id AND h.hour >= since AND h.hour < until
WHERE h.reserved = 0
ORDER BY 1, 2, 3
"""

# How many rows there are and which transaction wrote the newest: every write changes one of them.
_WRITTEN = """
SELECT asked.place, ARRAY[d.rows, d.newest, d.by, h.rows, h.off, h.by]
FROM unnest(%(places)s::int[], %(pools)s::bigint[], %(starts)s::timestamptz[], %(ends)s::timestamptz[])
    AS asked(place, pool_id, since, until)
CROSS JOIN LATERAL (
    SELECT count(*) AS rows, max(id) AS newest, max(xmin::text::bigint) AS by
    FROM telemetry_demandhour WHERE pool_id = asked.pool_id AND hour >= since AND hour < until
) d
CROSS JOIN LATERAL (
    SELECT count(*) AS rows, count(*) FILTER (WHERE reserved = 0) AS off, max(xmin::text::bigint) AS by
    FROM telemetry_poolhour WHERE pool_id = asked.pool_id AND hour >= since AND hour < until
) h
ORDER BY 1
"""

REMEMBERED = 8
"""Traces a process keeps: a year of hours is some megabytes, and a what-if asks for the same one again and again."""

Row = tuple[int, str, Decimal, Decimal | None, str]
Asked = tuple[int, Period]
"""A pool's id and when."""


def demand_trace(*, pool_id: int, period: Period) -> DemandTrace:
    """The demand of one pool in the hours of a period that somebody tells, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(_DEMAND, [pool_id, period.start, period.end])
        return _trace(cursor.fetchall())


def held_demand(*, pool_id: int, period: Period) -> DemandTrace:
    """The demand that a size is asked of: hours in which something was held, and those of a file, in two queries.

    Where nothing was held in any hour that is told, all of them count: then the question is whether to begin.
    """
    return held_demands([(pool_id, period)])[0]


def held_demands(asked: Sequence[Asked]) -> list[DemandTrace]:
    """The same of several pools and periods, in two queries; in one where nothing was written since they were read."""
    if not asked:
        return []
    kept = [_kept_for(*key) for key in _written(asked)]
    lacking = [at for at, traces in enumerate(kept) if not traces]
    if lacking:
        for at, trace in zip(lacking, _read([asked[at] for at in lacking]), strict=True):
            kept[at].append(trace)
    return [traces[0] for traces in kept]


@lru_cache(maxsize=REMEMBERED)
def _kept_for(_asked: Asked, _written: tuple[int | None, ...]) -> list[DemandTrace]:
    """Where the trace of one reading is kept: empty until somebody read it."""
    return []


def _parameters(asked: Sequence[Asked]) -> dict[str, list[object]]:
    return {
        "places": list(range(len(asked))),
        "pools": [pool_id for pool_id, _ in asked],
        "starts": [period.start for _, period in asked],
        "ends": [period.end for _, period in asked],
    }


def _written(asked: Sequence[Asked]) -> list[tuple[Asked, tuple[int | None, ...]]]:
    with connection.cursor() as cursor:
        cursor.execute(_WRITTEN, _parameters(asked))
        return [(asked[place], tuple(told)) for place, told in cursor.fetchall()]


def _read(asked: Sequence[Asked]) -> list[DemandTrace]:
    with connection.cursor() as cursor:
        cursor.execute(_HELD, _parameters(asked))
        found = {place: [row[1:] for row in rows] for place, rows in groupby(cursor.fetchall(), key=lambda row: row[0])}
    return [_held(found.get(place, [])) for place in range(len(asked))]


def _held(rows: Sequence[tuple[Any, ...]]) -> DemandTrace:
    empty = {row[0] for row in rows if row[1] is None}
    told: list[Row] = [row for row in rows if row[1] is not None]
    kept = [row for row in told if row[0] not in empty or row[4] not in DERIVED] if empty else told
    if not kept:
        return _trace(told)
    imported = {row[0] for row in kept} & empty
    return _trace(kept, frozenset(datetime.fromtimestamp(second, UTC) for second in empty - imported))


def _trace(rows: Sequence[Row], not_held: frozenset[datetime] = frozenset()) -> DemandTrace:
    places = {second: at for at, second in enumerate(dict.fromkeys(row[0] for row in rows))}
    hours = tuple(datetime.fromtimestamp(second, UTC) for second in places)
    by_workload: defaultdict[str, list[Decimal]] = defaultdict(lambda: [Decimal(0)] * len(hours))
    peak: list[Decimal | None] = [None] * len(hours)
    sources = [""] * len(hours)
    for second, workload, nodes, most, source in rows:
        at = places[second]
        by_workload[workload][at], peak[at], sources[at] = nodes, most, source
    return DemandTrace(
        hours=hours,
        by_workload={name: tuple(by_workload[name]) for name in sorted(by_workload)},
        peak=tuple(peak),
        sources=tuple(sources),
        bound_only=frozenset(hour for hour, source in zip(hours, sources, strict=True) if source == BOUND_ALONE),
        not_held=not_held,
    )
