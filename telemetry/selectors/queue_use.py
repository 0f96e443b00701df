"""Who used some pools over a period: whole UTC days from their sums, the hours at the edges one by one."""

from collections.abc import Collection
from datetime import UTC, datetime, time, timedelta

from django.db import connection

from reservations.domain.period import Period
from telemetry.domain.ledger import QUEUE_AMOUNTS
from telemetry.domain.split import QueueUse

_NAMES = ", ".join(QUEUE_AMOUNTS)
_SUMS = ", ".join(f"sum({name})::bigint" for name in QUEUE_AMOUNTS)
# a few hours of each pool are looked up one by one: OFFSET 0 keeps the planner from reading every row of the ledger
_USE = f"""
SELECT pool_id, queued, team, workload, {_SUMS}
FROM (
    SELECT d.pool_id, d.cluster_queue <> '' AS queued, d.team, d.workload, {_NAMES}
    FROM telemetry_pooldayqueue d
    WHERE d.pool_id = ANY(%(pools)s) AND d.day >= %(first_day)s AND d.day < %(end_day)s
    UNION ALL
    SELECT asked.pool_id, q.cluster_queue <> '', q.team, q.workload, {", ".join(f"q.{name}" for name in QUEUE_AMOUNTS)}
    FROM unnest(%(starts)s::timestamptz[], %(ends)s::timestamptz[]) AS edge (start_at, end_at)
    CROSS JOIN unnest(%(pools)s::bigint[]) AS asked (pool_id)
    CROSS JOIN LATERAL (
        SELECT id FROM telemetry_poolhour
        WHERE pool_id = asked.pool_id AND hour >= edge.start_at AND hour < edge.end_at OFFSET 0
    ) h
    CROSS JOIN LATERAL (SELECT * FROM telemetry_poolhourqueue WHERE pool_hour_id = h.id OFFSET 0) q
) part
GROUP BY pool_id, queued, team, workload
ORDER BY pool_id, queued DESC, team, workload
"""  # noqa: S608 (column names of our own)


def queue_use(*, pool_ids: Collection[int], period: Period) -> list[QueueUse]:
    """The sums of each team and workload in each pool over the hours that start in a period, in one query."""
    first, end = _midnight_from(period.start), _midnight_until(period.end)
    edges = [period] if end <= first else [Period(*edge) for edge in _edges(period, first, end)]
    with connection.cursor() as cursor:
        cursor.execute(
            _USE,
            {
                "pools": list(pool_ids),
                "first_day": first.date(),
                "end_day": end.date(),
                "starts": [edge.start for edge in edges],
                "ends": [edge.end for edge in edges],
            },
        )
        return [QueueUse(*row) for row in cursor]


def _edges(period: Period, first: datetime, end: datetime) -> list[tuple[datetime, datetime]]:
    return [(start, stop) for start, stop in ((period.start, first), (end, period.end)) if start < stop]


def _midnight_until(at: datetime) -> datetime:
    """The last UTC midnight at an instant or before it."""
    return datetime.combine(at.astimezone(UTC).date(), time(), tzinfo=UTC)


def _midnight_from(at: datetime) -> datetime:
    """The first UTC midnight at an instant or after it."""
    before = _midnight_until(at)
    return before if before == at else before + timedelta(days=1)
