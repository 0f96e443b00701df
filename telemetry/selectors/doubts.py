"""Hours in doubt: flagged ones, ones that should be final and are not, and ones that were never collected, as runs."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import connection

from reservations.domain.period import HOUR, Period, floor_hour
from telemetry.domain.replacement import FINAL_AFTER
from telemetry.domain.rollup import due_until

MISSING = "missing"
NOT_FINAL = "not_final"

LATE_AFTER = FINAL_AFTER + HOUR
"""An hour that is not final by then is late."""

SENTENCES = {
    MISSING: "due and never collected: the ledger has no row",
    NOT_FINAL: "more than a day old and not final: it was never read whole, and may still change",
}

# One run is one pool, one flag, hour after hour: each hour less its place in the row is then the same instant.
RUNS = """
WITH flagged AS (
    SELECT h.pool_id, h.hour, said.flag, h.notes ->> said.flag AS note
    FROM telemetry_poolhour h CROSS JOIN LATERAL unnest(h.flags) AS said (flag)
    WHERE h.pool_id = ANY(%(pools)s) AND h.hour >= %(start)s AND h.hour < %(end)s AND h.flags <> '{}'
      AND (%(flag)s = '' OR said.flag = %(flag)s)
    UNION ALL
    SELECT h.pool_id, h.hour, 'not_final', '' FROM telemetry_poolhour h
    WHERE h.pool_id = ANY(%(pools)s) AND h.hour >= %(start)s AND h.hour < least(%(end)s, %(late)s) AND NOT h.final
      AND %(flag)s IN ('', 'not_final')
),
placed AS (
    SELECT *, hour - interval '1 hour' * row_number() OVER (PARTITION BY pool_id, flag ORDER BY hour) AS island
    FROM flagged
),
beginnings AS (
    SELECT p.id AS pool_id, (SELECT min(hour) FROM telemetry_poolhour WHERE pool_id = p.id) AS first
    FROM unnest(%(pools)s::bigint[]) AS p (id)
    WHERE %(flag)s IN ('', 'missing')
),
present AS (
    SELECT h.pool_id, h.hour FROM telemetry_poolhour h JOIN beginnings b ON b.pool_id = h.pool_id
    WHERE h.hour >= %(start)s AND h.hour < %(due)s
    UNION ALL
    SELECT pool_id, %(start)s - interval '1 hour' FROM beginnings WHERE first IS NULL OR first < %(start)s
),
gaps AS (
    SELECT pool_id, hour + interval '1 hour' AS gap_from,
           lead(hour, 1, %(due)s) OVER (PARTITION BY pool_id ORDER BY hour) AS gap_to
    FROM present
),
runs AS (
    SELECT pool_id, flag, min(hour) AS run_from, max(hour) + interval '1 hour' AS run_to,
           (array_agg(note ORDER BY hour DESC))[1] AS note
    FROM placed GROUP BY pool_id, flag, island
    UNION ALL
    SELECT pool_id, 'missing', gap_from, gap_to, '' FROM gaps WHERE gap_to > gap_from
)
SELECT pool_id, flag, run_from, run_to, coalesce(note, ''), count(*) OVER ()
FROM runs ORDER BY run_to DESC, pool_id, flag, run_from DESC LIMIT %(limit)s OFFSET %(offset)s
"""


@dataclass(frozen=True, slots=True)
class DoubtRun:
    """The hours of one pool in a row that are in doubt for one reason; ``sentence`` is what the newest of them says."""

    pool_id: int
    flag: str
    period: Period
    sentence: str

    @property
    def hours(self) -> int:
        """How many hours they are."""
        return (self.period.end - self.period.start) // HOUR


def doubt_runs(
    *, pool_ids: Collection[int], period: Period, as_of: datetime, flag: str = "", limit: int, offset: int = 0
) -> tuple[list[DoubtRun], int]:
    """Some of the runs in a period of whole hours, the newest first, and how many there are, in one query.

    ``flag`` keeps one reason: a flag of the ledger, ``missing`` or ``not_final``. Hours before a pool's first
    are not missing; a pool that never had one misses all of them.
    """
    asked = {
        "pools": list(pool_ids),
        "start": period.start,
        "end": period.end,
        "due": min(period.end, due_until(as_of)),
        "late": floor_hour(as_of - LATE_AFTER - HOUR),
        "flag": flag,
        "limit": limit,
        "offset": offset,
    }
    with connection.cursor() as cursor:
        cursor.execute(RUNS, asked)
        rows = cursor.fetchall()
    runs = [
        DoubtRun(pool_id, of, Period(start.astimezone(UTC), end.astimezone(UTC)), SENTENCES.get(of, note))
        for pool_id, of, start, end, note, _ in rows
    ]
    return runs, rows[0][5] if rows else 0


def flags_met(*, pool_ids: Collection[int], period: Period) -> list[str]:
    """Every flag that some day's hours in a period carry, by name, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT unnest(flags) FROM telemetry_poolhour"
            " WHERE pool_id = ANY(%s) AND hour >= %s AND hour < %s AND flags <> '{}' ORDER BY 1",
            [list(pool_ids), period.start, period.end],
        )
        return [flag for (flag,) in cursor]
