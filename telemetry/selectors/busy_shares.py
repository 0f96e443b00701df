"""How busy many pools were in many periods: two sums each, where all of ``Totals`` would be read for nothing."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from django.db import connection

from reservations.domain.period import Period
from telemetry.selectors.period_sums import days_and_edges

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Busy:
    """Σ busy and what was reserved in the same hours, in GPU-milliseconds; ``busy`` None: known in no hour."""

    busy: int | None = None
    reserved: int = 0

    @property
    def share(self) -> Decimal | None:
        """Σ busy ÷ Σ reserved over the hours in which busy is known; None where nothing was reserved in them."""
        return Decimal(self.busy or 0) / self.reserved if self.reserved else None


def busy_together(parts: Collection[Busy]) -> Busy:
    """The sums of several, over hours that do not overlap or pools that differ."""
    known = [part.busy for part in parts if part.busy is not None]
    return Busy(sum(known) if known else None, sum(part.reserved for part in parts))


# One walk over the days of each pool, each put into its period by where it lies between the ends of them all.
_DAYS = """
SELECT o.pool_id, d.bucket, d.busy, d.busy_reserved
FROM unnest(%(pools)s::bigint[]) AS o (pool_id)
CROSS JOIN LATERAL (
    SELECT width_bucket(day, %(bounds)s::date[]) AS bucket, sum(busy)::bigint AS busy,
        coalesce(sum(busy_reserved), 0)::bigint AS busy_reserved
    FROM telemetry_poolday WHERE pool_id = o.pool_id AND day >= %(first)s AND day < %(end)s GROUP BY 1
) d
"""

_EDGES = """
UNION ALL
SELECT o.pool_id, -1 - a.place, sum(h.busy)::bigint,
    coalesce(sum(h.reserved) FILTER (WHERE h.busy IS NOT NULL), 0)::bigint
FROM unnest(%(pools)s::bigint[]) AS o (pool_id)
CROSS JOIN unnest(%(places)s::int[], %(starts)s::timestamptz[], %(ends)s::timestamptz[]) AS a (place, start_at, end_at)
CROSS JOIN LATERAL (
    SELECT busy, reserved FROM telemetry_poolhour
    WHERE pool_id = o.pool_id AND hour >= a.start_at AND hour < a.end_at OFFSET 0
) h
GROUP BY 1, 2
"""


def busy_by_pool(*, pool_ids: Collection[int], periods: Mapping[K, Period]) -> dict[tuple[int, K], Busy]:
    """How busy each pool was in each of some periods that do not overlap, in one query; without any hour: left out."""
    keys = list(periods)
    days, edges = days_and_edges(periods.values())
    bounds = sorted({day for _, first, end in days for day in (first, end)})
    key_of = {bounds.index(first) + 1: keys[place] for place, first, _ in days}
    key_of |= {-1 - place: key for place, key in enumerate(keys)}
    rows = [row for row in _rows(pool_ids, bounds, edges) if row[1] in key_of]
    if not edges:  # each pool and period is one row
        return {(pool_id, key_of[bucket]): Busy(busy, reserved) for pool_id, bucket, busy, reserved in rows}
    found: defaultdict[tuple[int, K], list[Busy]] = defaultdict(list)
    for pool_id, bucket, busy, reserved in rows:
        found[pool_id, key_of[bucket]].append(Busy(busy, reserved))
    return {key: parts[0] if len(parts) == 1 else busy_together(parts) for key, parts in found.items()}


def _rows(pool_ids: Collection[int], bounds: list, edges: list[tuple[int, Period]]) -> list[tuple]:
    asked = {
        "pools": list(pool_ids),
        "bounds": bounds,
        "first": bounds[0] if bounds else None,
        "end": bounds[-1] if bounds else None,
        "places": [place for place, _ in edges],
        "starts": [edge.start for _, edge in edges],
        "ends": [edge.end for _, edge in edges],
    }
    with connection.cursor() as cursor:
        cursor.execute(f"{_DAYS}{_EDGES if edges else ''}", asked)
        return cursor.fetchall()
