"""The few sums of each hour that the figures of a month are drawn from."""

from collections.abc import Collection
from datetime import UTC

from django.db import connection

from reservations.domain.period import Period
from telemetry.domain.use import UseHour

_USE = """
SELECT hour, sum(reserved)::bigint, sum(busy)::bigint,
       coalesce(sum(reserved) FILTER (WHERE busy IS NOT NULL), 0)::bigint, sum(allocated)::bigint
FROM telemetry_poolhour
WHERE pool_id = ANY(%s) AND hour >= %s AND hour < %s
GROUP BY hour ORDER BY hour
"""


def use_hours(*, pool_ids: Collection[int], period: Period) -> list[UseHour]:
    """Each hour of a period that some of the pools have, of all of them together, in order and one query."""
    with connection.cursor() as cursor:
        cursor.execute(_USE, [list(pool_ids), period.start, period.end])
        return [UseHour(hour.astimezone(UTC), *sums) for hour, *sums in cursor]
