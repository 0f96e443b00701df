"""Sums of days beside the hours they are made of, in the same transaction."""

from collections.abc import Iterable
from datetime import UTC, datetime

from django.db import connection

from telemetry.domain.totals import SUMS
from telemetry.selectors.period_sums import HOUR_SUMS, summed
from telemetry.services.queue_days import IN_DAYS, UTC_DAY, days_asked, refresh_queue_days

REFRESH = f"""
INSERT INTO telemetry_poolday (pool_id, day, hours, {", ".join(SUMS)})
SELECT h.pool_id, {UTC_DAY} AS day, count(*), {", ".join(summed(name, HOUR_SUMS[name]) for name in SUMS)}
FROM telemetry_poolhour h
WHERE {IN_DAYS}
GROUP BY h.pool_id, {UTC_DAY}
ON CONFLICT (pool_id, day) DO UPDATE
SET hours = excluded.hours, {", ".join(f"{name} = excluded.{name}" for name in SUMS)}
"""  # noqa: S608 (column names of our own) # nosec B608


def refresh_days(*, pool_id: int, hours: Iterable[datetime]) -> None:
    """Add up again the UTC days of one pool that some hours lie in; the caller holds the lock on the pool's hours."""
    days = sorted({hour.astimezone(UTC).date() for hour in hours})
    if not days:
        return
    with connection.cursor() as cursor:
        cursor.execute(REFRESH, days_asked(pool_id, days))
    refresh_queue_days(pool_id=pool_id, days=days)
