"""Who used some pools over a period: whole UTC days from their sums, the hours at the edges one by one."""

from collections.abc import Collection

from django.db import connection

from reservations.domain.period import Period
from telemetry.domain.ledger import QUEUE_AMOUNTS
from telemetry.domain.split import QueueUse
from telemetry.selectors.period_sums import days_and_edges

_NAMES = ", ".join(QUEUE_AMOUNTS)
_SUMS = ", ".join(f"sum({name})::bigint" for name in QUEUE_AMOUNTS)
# a few hours of each pool are looked up one by one: OFFSET 0 keeps the planner from reading every row of the ledger
_USE = f"""
SELECT pool_id, queued, team, workload, {_SUMS}
FROM (
    SELECT d.pool_id, d.cluster_queue <> '' AS queued, d.team, d.workload, {_NAMES}
    FROM unnest(%(first_days)s::date[], %(end_days)s::date[]) AS whole (first_day, end_day)
    JOIN telemetry_pooldayqueue d ON d.day >= whole.first_day AND d.day < whole.end_day
    WHERE d.pool_id = ANY(%(pools)s)
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
"""  # noqa: S608 (column names of our own) # nosec B608


def queue_use(*, pool_ids: Collection[int], period: Period) -> list[QueueUse]:
    """The sums of each team and workload in each pool over the hours that start in a period, in one query."""
    days, edges = days_and_edges([period])
    with connection.cursor() as cursor:
        cursor.execute(
            _USE,
            {
                "pools": list(pool_ids),
                "first_days": [first for _, first, _ in days],
                "end_days": [end for _, _, end in days],
                "starts": [edge.start for _, edge in edges],
                "ends": [edge.end for _, edge in edges],
            },
        )
        return [QueueUse(*row) for row in cursor]
