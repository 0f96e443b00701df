"""From when to when pools' numbers reach: what "data as of" says on their pages."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import connection

from reservations.domain.period import HOUR

# each end is one step into the index of hours, however long a pool's past is
REACH = """
SELECT asked.pool_id, coalesce(source.name, ''), first_hour.hour, last_hour.hour
FROM unnest(%s::bigint[]) AS asked (pool_id)
LEFT JOIN telemetry_poolsource link ON link.pool_id = asked.pool_id
LEFT JOIN telemetry_metricssource source ON source.id = link.source_id
LEFT JOIN LATERAL (
    SELECT hour FROM telemetry_poolhour WHERE pool_id = asked.pool_id ORDER BY hour LIMIT 1
) first_hour ON true
LEFT JOIN LATERAL (
    SELECT hour FROM telemetry_poolhour WHERE pool_id = asked.pool_id ORDER BY hour DESC LIMIT 1
) last_hour ON true
"""


@dataclass(frozen=True, slots=True)
class PoolReach:
    """A pool's metrics source (blank: none), the start of its first ledger hour and the end of its last."""

    source: str
    first_hour: datetime | None
    ledger_until: datetime | None


def reach_by_pool(*, pool_ids: Collection[int]) -> dict[int, PoolReach]:
    """How far each pool's ledger reaches, in one query; None where there is no hour."""
    with connection.cursor() as cursor:
        cursor.execute(REACH, [list(pool_ids)])
        return {
            pool_id: PoolReach(
                source, first.astimezone(UTC) if first else None, last.astimezone(UTC) + HOUR if last else None
            )
            for pool_id, source, first, last in cursor.fetchall()
        }
