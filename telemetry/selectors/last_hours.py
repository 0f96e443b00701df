"""The newest hours of many pools with the little that watching them asks of each, and how far each pool reaches."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import connection

from reservations.domain.period import Period

# Doubts are few: they are counted by themselves, since most hours have none.
HOURS = """
SELECT h.pool_id, h.hour, h.reserved, h.reserved - h.ec2_unused, h.expected, h.known, h.idle_held,
       coalesce(doubts.devices, 0)
FROM telemetry_poolhour h
LEFT JOIN LATERAL (
    SELECT count(DISTINCT uuid) AS devices FROM telemetry_hoursuspect WHERE pool_hour_id = h.id
) doubts ON true
WHERE h.pool_id = ANY(%s) AND h.hour >= %s AND h.hour < %s
ORDER BY h.pool_id, h.hour DESC
"""

NEWEST = """
SELECT p.id, last.hour FROM unnest(%s::bigint[]) p (id)
CROSS JOIN LATERAL (
    SELECT hour FROM telemetry_poolhour WHERE pool_id = p.id AND hour < %s ORDER BY hour DESC LIMIT 1
) last
"""


@dataclass(frozen=True, slots=True)
class LastHour:
    """One ledger hour in GPU-milliseconds, None unknown; ``suspects`` are devices not to be believed in it."""

    hour: datetime
    reserved: int
    launched: int | None
    expected: int | None
    known: int | None
    idle_held: int | None
    suspects: int


def last_hours(*, pool_ids: Collection[int], period: Period) -> dict[int, tuple[LastHour, ...]]:
    """The hours of each pool in a period, the newest first, in one query; a pool without any is left out."""
    found: dict[int, list[LastHour]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(HOURS, [list(pool_ids), period.start, period.end])
        for pool_id, hour, *told in cursor.fetchall():
            found[pool_id].append(LastHour(hour.astimezone(UTC), *told))
    return {pool_id: tuple(hours) for pool_id, hours in found.items()}


def newest_hours(*, pool_ids: Collection[int], before: datetime) -> dict[int, datetime]:
    """The newest hour of each pool that begins before an instant, in one query; a pool without any is left out."""
    with connection.cursor() as cursor:
        cursor.execute(NEWEST, [list(pool_ids), before])
        return {pool_id: hour.astimezone(UTC) for pool_id, hour in cursor.fetchall()}
