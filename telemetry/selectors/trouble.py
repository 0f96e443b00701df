"""How far each metrics source reaches and whether its last try failed: what a warning needs, and no more."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from reservations.domain.period import HOUR


@dataclass(frozen=True, slots=True)
class SourceReach:
    """One metrics source; ``data_until`` is the end of the newest hour any of its pools has, None without any.

    ``failing``: the last try of any of its pools failed; ``last_error`` is that try's sentence.
    """

    name: str
    pool_ids: tuple[int, ...]
    data_until: datetime | None
    failing: bool
    last_error: str


# From the sources to what was tried of each pool: each end is one step into the index, however long the past is.
REACH = """
SELECT s.name, coalesce(array_agg(p.pool_id ORDER BY p.pool_id) FILTER (WHERE p.pool_id IS NOT NULL), '{}'),
       max(newest_hour.hour), coalesce(bool_or(newest_run.status = 'failed'), false),
       coalesce((array_agg(newest_run.message ORDER BY newest_run.read_at DESC)
                 FILTER (WHERE newest_run.status = 'failed'))[1], '')
FROM telemetry_metricssource s
LEFT JOIN telemetry_poolsource p ON p.source_id = s.id
LEFT JOIN LATERAL (
    SELECT status, message, read_at FROM telemetry_collectionrun
    WHERE pool_id = p.pool_id AND source = s.name AND read_at <= %(as_of)s ORDER BY read_at DESC LIMIT 1
) newest_run ON true
LEFT JOIN LATERAL (
    SELECT hour FROM telemetry_poolhour
    WHERE pool_id = p.pool_id AND hour < %(as_of)s ORDER BY hour DESC LIMIT 1
) newest_hour ON true
GROUP BY s.name ORDER BY s.name
"""


def source_reach(*, as_of: datetime) -> list[SourceReach]:
    """Every metrics source by name, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(REACH, {"as_of": as_of})
        return [
            SourceReach(name, tuple(pool_ids), None if last is None else last + HOUR, failing, error)
            for name, pool_ids, last, failing, error in cursor.fetchall()
        ]
