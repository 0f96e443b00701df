"""The few sums of each hour that the figures of a month are drawn from."""

from collections.abc import Collection
from datetime import UTC, datetime

from django.db import connection

from reservations.domain.period import Period
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


def use_hours(*, pool_ids: Collection[int], period: Period, loads: bool = True) -> list[UseHour]:
    """Each hour of a period that some of the pools have, of all of them together, in order and one query.

    ``loads`` False: without what was reserved and allocated, which only a load-duration curve is made of.
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOADS if loads else _BUSY, [list(pool_ids), period.start, period.end])
        return [UseHour(datetime.fromtimestamp(second, UTC), *sums) for second, *sums in cursor.fetchall()]
