"""Sums of days by cluster queue beside the hours they are made of, in the same transaction."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from django.db import connection

from telemetry.domain.ledger import QUEUE_AMOUNTS
from telemetry.models import PoolDayQueue

UTC_DAY = "(h.hour AT TIME ZONE 'UTC')::date"

# The two ends as well as the days: they are what the index of a pool's hours can be entered by.
IN_DAYS = f"h.pool_id = %(pool)s AND h.hour >= %(start)s AND h.hour < %(end)s AND {UTC_DAY} = ANY(%(days)s)"

_SUMS = ", ".join(f"sum(q.{name})" for name in QUEUE_AMOUNTS)

_ADD_UP = f"""
INSERT INTO telemetry_pooldayqueue (pool_id, day, cluster_queue, team, workload, {", ".join(QUEUE_AMOUNTS)})
SELECT h.pool_id, {UTC_DAY} AS day, q.cluster_queue, q.team, q.workload, {_SUMS}
FROM telemetry_poolhour h
JOIN telemetry_poolhourqueue q ON q.pool_hour_id = h.id
WHERE {IN_DAYS}
GROUP BY h.pool_id, {UTC_DAY}, q.cluster_queue, q.team, q.workload
"""  # noqa: S608 (column names of our own) # nosec B608


def refresh_queue_days(*, pool_id: int, days: Sequence[date]) -> None:
    """Add up again some UTC days of one pool by queue; the caller holds the lock on the pool's hours.

    The days are cleared first: a queue that an hour no longer names must not stay in its day.
    """
    PoolDayQueue.objects.filter(pool_id=pool_id, day__in=days).delete()
    with connection.cursor() as cursor:
        cursor.execute(_ADD_UP, days_asked(pool_id, days))


def days_asked(pool_id: int, days: Sequence[date]) -> dict[str, object]:
    """What ``IN_DAYS`` asks for: one pool, some UTC days, and the first and the last instant of them."""
    start, last = min(days), max(days)
    return {
        "pool": pool_id,
        "days": list(days),
        "start": datetime.combine(start, time(), tzinfo=UTC),
        "end": datetime.combine(last + timedelta(days=1), time(), tzinfo=UTC),
    }
