"""The hours of one pool with the little that advice asks of each: what was held, what was paid, what is known of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from django.db import connection

from reservations.domain.period import Period

# seconds, since a year has thousands of hours and instants are slow to read
_HOURS = """
SELECT extract(epoch FROM hour)::bigint, reserved, paid, expected, known, busy, idle_held
FROM telemetry_poolhour
WHERE pool_id = %s AND hour >= %s AND hour < %s
ORDER BY hour
"""

# The last hour of a reservation may be a part of one, so the larger of the last two tells its size.
_LAST_HELD = """
SELECT asked.place, max(h.reserved)
FROM unnest(%(places)s::int[], %(pools)s::bigint[], %(starts)s::timestamptz[], %(ends)s::timestamptz[])
    AS asked(place, pool_id, since, until)
CROSS JOIN LATERAL (
    SELECT reserved FROM telemetry_poolhour
    WHERE pool_id = asked.pool_id AND hour >= since AND hour < until AND reserved > 0
    ORDER BY hour DESC LIMIT 2
) h
GROUP BY asked.place
"""


@dataclass(frozen=True, slots=True)
class PoolHourFacts:
    """One ledger hour in GPU-milliseconds; None is unknown."""

    hour: datetime
    reserved: int
    paid: int
    expected: int | None
    known: int | None
    busy: int | None
    idle_held: int | None

    def thin(self, least: Decimal) -> bool:
        """Whether known ÷ expected is below ``least``, or nobody knows; an hour in which nothing is expected is not."""
        if self.expected is None:
            return True
        return self.expected > 0 and (self.known is None or self.known < least * self.expected)


def pool_hours(*, pool_id: int, period: Period) -> tuple[PoolHourFacts, ...]:
    """The ledger's hours of a pool in a period, in order and one query."""
    with connection.cursor() as cursor:
        cursor.execute(_HOURS, [pool_id, period.start, period.end])
        return tuple(PoolHourFacts(datetime.fromtimestamp(row[0], UTC), *row[1:]) for row in cursor.fetchall())


def last_reserved(asked: Sequence[tuple[int, Period]]) -> dict[tuple[int, Period], int]:
    """What pools held last in a period, in GPU-milliseconds of an hour, by pool and period and in one query."""
    parameters = {
        "places": list(range(len(asked))),
        "pools": [pool_id for pool_id, _ in asked],
        "starts": [period.start for _, period in asked],
        "ends": [period.end for _, period in asked],
    }
    with connection.cursor() as cursor:
        cursor.execute(_LAST_HELD, parameters)
        return {asked[place]: reserved for place, reserved in cursor.fetchall()}
