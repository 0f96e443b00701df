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

# Days tell which hours to look at at all. One run is one pool, one flag, hour after hour: each hour less its place in
# the row is then the same instant.
RUNS = """
WITH days AS (
    SELECT p.id AS pool_id, a.day AT TIME ZONE 'UTC' AS begins, coalesce(d.hours, 0) AS hours,
           coalesce(d.flagged_hours, 0) AS flagged, coalesce(d.open_hours, 0) AS open
    FROM unnest(%(pools)s::bigint[]) AS p (id)
    CROSS JOIN generate_series(%(first_day)s::timestamp, %(last_day)s::timestamp, interval '1 day') AS a (day)
    LEFT JOIN telemetry_poolday d ON d.pool_id = p.id AND d.day = a.day::date
),
doubted AS (
    SELECT h.pool_id, h.hour, h.flags, h.notes, h.final FROM days d
    JOIN telemetry_poolhour h
      ON h.pool_id = d.pool_id AND h.hour >= d.begins AND h.hour < d.begins + interval '24 hours'
    WHERE (d.flagged > 0 OR d.open > 0) AND h.hour >= %(start)s AND h.hour < %(end)s
      AND (h.flags <> '{}' OR NOT h.final)
),
beginnings AS MATERIALIZED (
    SELECT p.id AS pool_id, (SELECT min(hour) FROM telemetry_poolhour WHERE pool_id = p.id) AS first
    FROM unnest(%(pools)s::bigint[]) AS p (id)
),
missing AS (
    SELECT d.pool_id, a.hour FROM days d JOIN beginnings b USING (pool_id)
    CROSS JOIN generate_series(d.begins, d.begins + interval '23 hours', interval '1 hour') AS a (hour)
    WHERE d.hours < 24 AND a.hour >= %(start)s AND a.hour < %(due)s AND (b.first IS NULL OR a.hour > b.first)
      AND NOT EXISTS (SELECT FROM telemetry_poolhour h WHERE h.pool_id = d.pool_id AND h.hour = a.hour)
),
said AS (
    SELECT pool_id, hour, flag, notes ->> flag AS note FROM doubted CROSS JOIN LATERAL unnest(flags) AS of (flag)
    UNION ALL SELECT pool_id, hour, 'not_final', '' FROM doubted WHERE NOT final AND hour <= %(late)s
    UNION ALL SELECT pool_id, hour, 'missing', '' FROM missing
),
placed AS (
    SELECT *, hour - interval '1 hour' * row_number() OVER (PARTITION BY pool_id, flag ORDER BY hour) AS island
    FROM said
),
runs AS (
    SELECT pool_id, flag, min(hour) AS run_from, max(hour) + interval '1 hour' AS run_to,
           (array_agg(note ORDER BY hour DESC))[1] AS note
    FROM placed GROUP BY pool_id, flag, island
)
SELECT pool_id, flag, run_from, run_to, coalesce(note, ''), count(*) OVER (),
       (SELECT array_agg(DISTINCT flag) FROM runs)
FROM runs WHERE %(flag)s = '' OR flag = %(flag)s
ORDER BY run_to DESC, pool_id, flag, run_from DESC LIMIT %(limit)s OFFSET %(offset)s
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


@dataclass(frozen=True, slots=True)
class Doubts:
    """Some runs, how many there are in all, and the flags that any of them carry, whatever was filtered."""

    runs: tuple[DoubtRun, ...]
    total: int
    flags: tuple[str, ...]


def doubt_runs(
    *, pool_ids: Collection[int], period: Period, as_of: datetime, flag: str = "", limit: int, offset: int = 0
) -> Doubts:
    """Some of the runs in a period of whole hours, the newest first, in one query.

    ``flag`` keeps one reason: a flag of the ledger, ``missing`` or ``not_final``. Hours before a pool's first
    are not missing; a pool that never had one misses all of them.
    """
    asked = {
        "pools": list(pool_ids),
        "start": period.start,
        "end": period.end,
        "first_day": period.start.astimezone(UTC).replace(hour=0, tzinfo=None),
        "last_day": period.end.astimezone(UTC).replace(hour=0, tzinfo=None),
        "due": min(period.end, due_until(as_of)),
        "late": floor_hour(as_of - LATE_AFTER - HOUR),
        "flag": flag,
        "limit": limit,
        "offset": offset,
    }
    with connection.cursor() as cursor:
        cursor.execute(RUNS, asked)
        rows = cursor.fetchall()
    return Doubts(
        runs=tuple(
            DoubtRun(pool_id, of, Period(start.astimezone(UTC), end.astimezone(UTC)), SENTENCES.get(of, note))
            for pool_id, of, start, end, note, _, _ in rows
        ),
        total=rows[0][5] if rows else 0,
        flags=tuple(sorted(rows[0][6])) if rows else (),
    )
