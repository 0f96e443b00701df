"""How long slots of reservations were free, as they were observed: runs of equal counts, however many observations."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from reservations.domain.held import OBSERVATION_HOLDS
from reservations.domain.period import Period
from reservations.domain.usable_end import counted_end
from reservations.models import PoolMembership, Reservation, ReservationSize

Free = tuple[datetime, datetime, int]


@dataclass(frozen=True, slots=True)
class HeldSlots:
    """One reservation while it backed a pool: when it could be used, and how many of its slots were free when.

    ``free`` has a run for each unbroken time in which every observation, each for ten minutes at most, showed the same
    count; ``free_since`` is the first observation of the free slots that the first run has.
    """

    reservation: str
    pool_id: int
    region: str
    shape: str
    zone_id: str
    platform: str
    tenancy: str
    matching: str
    accounts: frozenset[str]
    usable: tuple[tuple[datetime, datetime], ...]
    free: tuple[Free, ...]
    free_since: datetime | None


RUNS = """
WITH seen AS (
    SELECT reservation_id, observed_at AS at,
           CASE WHEN present AND state_raw = 'active' THEN available_count END AS free,
           least(lead(observed_at) OVER sightings, observed_at + %(holds)s) AS until
    FROM reservations_reservationobservation
    WHERE reservation_id = ANY (%(ids)s) AND observed_at > %(start)s - %(holds)s AND observed_at < %(end)s
    WINDOW sightings AS (PARTITION BY reservation_id ORDER BY observed_at)
), marked AS (
    SELECT *, (lag(free) OVER sightings IS DISTINCT FROM free OR lag(until) OVER sightings IS DISTINCT FROM at)::int AS new
    FROM seen WINDOW sightings AS (PARTITION BY reservation_id ORDER BY at)
), numbered AS (
    SELECT *, sum(new) OVER (PARTITION BY reservation_id ORDER BY at) AS run FROM marked
)
SELECT reservation_id, min(at), max(until), free FROM numbered WHERE free IS NOT NULL
GROUP BY reservation_id, run, free ORDER BY reservation_id, min(at)
"""  # noqa: E501

# Since when: one step back to the last observation without a free slot, and one forward from it.
SINCE = """
SELECT asked.id, run.observed_at
FROM unnest(%(ids)s::bigint[], %(firsts)s::timestamptz[]) asked (id, first)
LEFT JOIN LATERAL (
    SELECT coalesce(max(last.observed_at), '-infinity') AS observed_at FROM (
        SELECT observed_at FROM reservations_reservationobservation
        WHERE reservation_id = asked.id AND observed_at < asked.first AND (
            NOT present OR NOT (state_raw = 'active') OR available_count IS NULL OR available_count = 0
        )
        ORDER BY observed_at DESC LIMIT 1
    ) last
) shut ON true
LEFT JOIN LATERAL (
    SELECT observed_at FROM reservations_reservationobservation
    WHERE reservation_id = asked.id AND observed_at > shut.observed_at ORDER BY observed_at LIMIT 1
) run ON true
"""


def held_slots(*, shapes: Collection[str], period: Period) -> list[HeldSlots]:
    """Every reservation of some instance types that backed a pool in a period, by pool and id, in four queries."""
    memberships = list(
        PoolMembership.objects.filter(reservation__shape__in=shapes, period__overlap=(period.start, period.end))
        .select_related("reservation")
        .order_by("pool__name", "reservation__external_id", "reservation__arn", "period")
    )
    ids = {membership.reservation_id for membership in memberships}
    sizes = _sizes(ids, period)
    free = _free_runs(ids, period) if ids else {}
    since = _free_since({pk: runs[0][0] for pk, runs in free.items() if runs[0][2]})
    return [
        _held(one, sizes[one.reservation_id], free.get(one.reservation_id, ()), since, period) for one in memberships
    ]


def _held(
    membership: PoolMembership,
    sizes: list[ReservationSize],
    free: tuple[Free, ...],
    since: dict[int, datetime],
    period: Period,
) -> HeldSlots:
    row = membership.reservation
    lives = [
        _clipped(period, membership.period, (row.start_at, _usable_until(row)), size.period)
        for size in sizes
        if size.usable
    ]
    return HeldSlots(
        reservation=row.external_id,
        pool_id=membership.pool_id,
        region=row.region,
        shape=row.shape,
        zone_id=row.zone_id,
        platform=row.platform,
        tenancy=row.tenancy,
        matching=row.matching,
        accounts=frozenset({*row.seen_by, row.owner_account}),
        usable=tuple(life for life in lives if life is not None),
        free=free,
        free_since=since.get(row.pk),
    )


def _usable_until(row: Reservation) -> datetime | None:
    extensions = row.raw.get("CapacityBlockExtensions")
    return counted_end(
        kind=row.kind, shape=row.shape, end_at=row.end_at, told=row.usable_until, extensions=extensions
    ).usable_until


def _clipped(period: Period, *within: Any) -> tuple[datetime, datetime] | None:
    """The part of a period within spans whose ends may be open; None where there is none."""
    ends = [(one.lower, one.upper) if hasattr(one, "lower") else one for one in within]
    start = max([period.start, *(lower for lower, _ in ends if lower)])
    end = min([period.end, *(upper for _, upper in ends if upper)])
    return (start, end) if start < end else None


def _sizes(ids: set[int], period: Period) -> dict[int, list[ReservationSize]]:
    found: dict[int, list[ReservationSize]] = defaultdict(list)
    overlapping = ReservationSize.objects.filter(reservation_id__in=ids, period__overlap=(period.start, period.end))
    for size in overlapping.order_by("period"):
        found[size.reservation_id].append(size)
    return found


def _free_runs(ids: set[int], period: Period) -> dict[int, tuple[Free, ...]]:
    found: dict[int, list[Free]] = defaultdict(list)
    asked = {"ids": sorted(ids), "start": period.start, "end": period.end, "holds": OBSERVATION_HOLDS}
    with connection.cursor() as cursor:
        cursor.execute(RUNS, asked)
        for pk, start, end, count in cursor.fetchall():
            found[pk].append((start, end, count))
    return {pk: tuple(runs) for pk, runs in found.items()}


def _free_since(firsts: dict[int, datetime]) -> dict[int, datetime]:
    if not firsts:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(SINCE, {"ids": list(firsts), "firsts": list(firsts.values())})
        return dict(cursor.fetchall())
