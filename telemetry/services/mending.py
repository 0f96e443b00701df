"""Days whose sums are not those of their hours, as a worker of an older release leaves them, are added up again."""

from collections import defaultdict
from datetime import datetime

from django.db import connection, transaction

from telemetry.services.days import refresh_days
from telemetry.services.ledger import lock_hours
from telemetry.services.queue_days import UTC_DAY

_APART = f"""
SELECT h.pool_id, min(h.hour)
FROM telemetry_poolhour h
LEFT JOIN telemetry_poolday d ON d.pool_id = h.pool_id AND d.day = {UTC_DAY}
WHERE h.hour >= %s
GROUP BY h.pool_id, {UTC_DAY}
HAVING count(*) <> coalesce(min(d.hours), 0)
    OR (sum(h.reserved), sum(h.paid), sum(h.known), sum(h.busy), count(*) FILTER (WHERE NOT h.final))
       IS DISTINCT FROM (min(d.reserved), min(d.paid), min(d.known), min(d.busy), min(d.open_hours))
"""  # noqa: S608 (an expression of our own) # nosec B608


def mend_days(*, since: datetime) -> int:
    """Add up again the UTC days from an instant's on that differ from their hours, and say how many; safe to repeat."""
    midnight = since.replace(hour=0, minute=0, second=0, microsecond=0)
    apart: defaultdict[int, list[datetime]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_APART, [midnight])
        for pool_id, hour in cursor.fetchall():
            apart[pool_id].append(hour)
    for pool_id, hours in apart.items():
        with transaction.atomic():
            lock_hours(pool_id)
            refresh_days(pool_id=pool_id, hours=hours)
    return sum(map(len, apart.values()))
