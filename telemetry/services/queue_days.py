"""Sums of days by cluster queue beside the hours they are made of, in the same transaction."""

from collections.abc import Sequence
from datetime import date

from django.db import connection

from telemetry.domain.ledger import QUEUE_AMOUNTS
from telemetry.models import PoolDayQueue

_SUMS = ", ".join(f"sum(q.{name})" for name in QUEUE_AMOUNTS)

_ADD_UP = f"""
INSERT INTO telemetry_pooldayqueue (pool_id, day, cluster_queue, team, workload, {", ".join(QUEUE_AMOUNTS)})
SELECT h.pool_id, asked.day, q.cluster_queue, q.team, q.workload, {_SUMS}
FROM unnest(%s::date[]) AS asked (day)
JOIN telemetry_poolhour h
  ON h.hour >= asked.day::timestamp AT TIME ZONE 'UTC'
 AND h.hour < (asked.day + 1)::timestamp AT TIME ZONE 'UTC'
JOIN telemetry_poolhourqueue q ON q.pool_hour_id = h.id
WHERE h.pool_id = %s
GROUP BY h.pool_id, asked.day, q.cluster_queue, q.team, q.workload
"""  # noqa: S608 (column names of our own)


def refresh_queue_days(*, pool_id: int, days: Sequence[date]) -> None:
    """Add up again some UTC days of one pool by queue; the caller holds the lock on the pool's hours.

    The days are cleared first: a queue that an hour no longer names must not stay in its day.
    """
    PoolDayQueue.objects.filter(pool_id=pool_id, day__in=days).delete()
    with connection.cursor() as cursor:
        cursor.execute(_ADD_UP, [list(days), pool_id])
