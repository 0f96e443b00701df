"""Whose running instances are asked for, which of them ran outside reservations, and when that was looked at."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from reservations.domain.held import OBSERVATION_HOLDS
from reservations.domain.period import Period
from reservations.domain.reservation_state import Kind
from reservations.models import Pool, Reservation

At = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class RanOutside:
    """An on-demand instance that ran in no reservation; ``end``: the next listing, ten minutes on at most."""

    region: str
    shape: str
    instance_id: str
    account_id: str
    zone_id: str
    platform: str
    tenancy: str
    preference: str
    target: str
    launched_at: datetime | None
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Listing:
    """Unbroken time in which one account's instances of some shapes were listed in a region."""

    account_id: str
    region: str
    shapes: tuple[str, ...]
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Lister:
    """An account that is asked about a region, and the first complete list it gave (None: none yet)."""

    account_id: str
    region: str
    since: datetime | None


OUTSIDE = """
SELECT s.region, s.shape, s.instance_id, a.account_id, s.zone_id, s.platform, s.tenancy, s.preference, s.target,
       s.launched_at, s.seen_from, coalesce(next.as_of, s.seen_until + %(holds)s)
FROM reservations_instancespan s
JOIN reservations_account a ON a.id = s.account_id
LEFT JOIN LATERAL (
    SELECT as_of FROM reservations_syncrun
    WHERE account_id = s.account_id AND region = s.region AND as_of > s.seen_until
      AND as_of < s.seen_until + %(holds)s AND s.shape = ANY (instance_shapes)
    ORDER BY as_of LIMIT 1
) next ON true
WHERE s.lifecycle = 'on_demand' AND s.reservation_id = '' AND s.shape = ANY (%(shapes)s)
  AND s.seen_from < %(end)s AND s.seen_until > %(start)s - %(holds)s
ORDER BY s.seen_from, s.instance_id
"""

LISTINGS = """
WITH listed AS (
    SELECT account_id, region, instance_shapes AS shapes, as_of AS at,
           least(lead(as_of) OVER runs, as_of + %(holds)s) AS until
    FROM reservations_syncrun
    WHERE instance_shapes IS NOT NULL AND as_of > %(start)s - %(holds)s AND as_of < %(end)s
    WINDOW runs AS (PARTITION BY account_id, region ORDER BY as_of)
), marked AS (
    SELECT *, (lag(shapes) OVER runs IS DISTINCT FROM shapes OR lag(until) OVER runs IS DISTINCT FROM at)::int AS new
    FROM listed WINDOW runs AS (PARTITION BY account_id, region ORDER BY at)
), numbered AS (
    SELECT *, sum(new) OVER (PARTITION BY account_id, region ORDER BY at) AS run FROM marked
)
SELECT account.account_id, region, shapes, min(at), max(until)
FROM numbered JOIN reservations_account account ON account.id = numbered.account_id
GROUP BY account.account_id, region, run, shapes ORDER BY account.account_id, region, min(at)
"""

LISTERS = """
SELECT account.account_id, asked.region, first.as_of
FROM reservations_account account
CROSS JOIN unnest(account.regions) asked (region)
LEFT JOIN LATERAL (
    SELECT as_of FROM reservations_syncrun
    WHERE account_id = account.id AND region = asked.region AND complete ORDER BY as_of LIMIT 1
) first ON true
WHERE account.provider = 'aws'
"""


def shapes_to_list() -> frozenset[str]:
    """The instance types that any pool has or any reservation still listed holds."""
    pools = Pool.objects.values_list("instance_type", flat=True)
    held = Reservation.objects.filter(missing_since__isnull=True).exclude(kind=Kind.MANUAL.value).exclude(shape="")
    return frozenset({*pools, *held.values_list("shape", flat=True).distinct()})


def ran_outside(*, shapes: Collection[str], period: Period) -> list[RanOutside]:
    """Every on-demand instance of some shapes that was seen outside reservations in a period, oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(OUTSIDE, {"shapes": list(shapes), **_asked(period)})
        rows = [RanOutside(*row) for row in cursor.fetchall()]
    return [row for row in rows if row.end > period.start]


def listed_spans(*, period: Period) -> dict[tuple[str, str], list[At]]:
    """When all accounts' instances were listed, by region and shape, in two queries.

    An account counts from its first complete list on, and a listing holds until the next one, ten minutes at most.
    """
    with connection.cursor() as cursor:
        cursor.execute(LISTERS)
        listers = [Lister(*row) for row in cursor.fetchall()]
        cursor.execute(LISTINGS, _asked(period))
        listings = [Listing(account, region, tuple(shapes), *at) for account, region, shapes, *at in cursor.fetchall()]
    by_key: dict[tuple[str, str], dict[str, list[At]]] = defaultdict(lambda: defaultdict(list))
    for listing in listings:
        for shape in listing.shapes:
            by_key[listing.region, shape][listing.account_id].append((listing.start, listing.end))
    return {
        (region, shape): _by_all(spans, [one for one in listers if one.region == region], period)
        for (region, shape), spans in by_key.items()
    }


def _by_all(spans: dict[str, list[At]], listers: Collection[Lister], period: Period) -> list[At]:
    """The time in which every account that had begun to list was listed."""
    common: list[At] | None = None
    begun = min((one.since for one in listers if one.since), default=period.end)
    whole = (max(begun, period.start), period.end)
    for lister in listers:
        if lister.since is None:
            continue
        before = [(period.start, lister.since)] if lister.since > period.start else []
        known = [*before, *spans.get(lister.account_id, ())]
        common = known if common is None else _overlaps(common, known)
    return _overlaps(common or [], [whole] if whole[0] < whole[1] else [])


def _overlaps(some: Collection[At], others: Collection[At]) -> list[At]:
    """What two lists of spans have in common, in order; both are in order and without overlap."""
    found, left, right = [], list(some)[::-1], list(others)[::-1]
    while left and right:
        start, end = max(left[-1][0], right[-1][0]), min(left[-1][1], right[-1][1])
        if start < end:
            found.append((start, end))
        (left if left[-1][1] <= right[-1][1] else right).pop()
    return found


def _asked(period: Period) -> dict[str, object]:
    return {"start": period.start, "end": period.end, "holds": OBSERVATION_HOLDS}
