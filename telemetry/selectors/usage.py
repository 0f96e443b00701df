"""What became of pools' time, cut into any number of parts: the rows of `usage` for many pools, a page at a time."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import connection

from reservations.domain.period import HOUR, Period
from reservations.selectors.pools import PoolRow
from telemetry.domain.totals import Totals
from telemetry.models import PoolHour
from telemetry.selectors.totals import totals_by_pool


@dataclass(frozen=True, slots=True)
class UsagePart:
    """One pool in one part of a period; ``hours_missing`` were due and never collected."""

    pool: PoolRow
    period: Period
    totals: Totals
    hours_missing: int
    flags: tuple[str, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class UsageAsked:
    """The parts of a period in order; ``whole``: there is one, told of even where nothing was due in it."""

    pools: Sequence[PoolRow]
    period: Period
    parts: Sequence[Period]
    until: datetime
    whole: bool


def usage_parts(asked: UsageAsked, *, offset: int, limit: int) -> tuple[list[UsagePart], int]:
    """Some of the rows, pool by pool, and how many there are in all; three queries."""
    early = _hours_before_due(asked)
    wanted, total = _page(asked, early, offset, limit)
    ids, periods = {pool.id for pool, _ in wanted}, {part: part for _, part in wanted}
    totals = totals_by_pool(pool_ids=ids, periods=periods) if wanted else {}
    flagged = {key: part for key, part in totals.items() if part.flagged_hours}
    flags = _flags(flagged) if flagged else {}
    rows = [
        _part(pool, part, totals.get((pool.id, part), Totals()), flags.get((pool.id, part), ()), asked.until, early)
        for pool, part in wanted
    ]
    return rows, total


Early = Mapping[int, Sequence[datetime]]


def _hours_before_due(asked: UsageAsked) -> Early:
    """The hours of each pool that are there although they were not due yet: an imported trace may have some."""
    since = max(asked.until, asked.period.start)
    hours: defaultdict[int, list[datetime]] = defaultdict(list)
    if since < asked.period.end:
        ids = [pool.id for pool in asked.pools]
        there = PoolHour.objects.filter(pool_id__in=ids, hour__gte=since, hour__lt=asked.period.end)
        for pool_id, hour in there.values_list("pool_id", "hour"):
            hours[pool_id].append(hour.astimezone(UTC))
    return hours


def _page(asked: UsageAsked, early: Early, offset: int, limit: int) -> tuple[list[tuple[PoolRow, Period]], int]:
    due = [part for part in asked.parts if asked.whole or part.start < asked.until]
    wanted: list[tuple[PoolRow, Period]] = []
    total = 0
    for pool in asked.pools:
        hours = early.get(pool.id, ())
        parts = due + [part for part in asked.parts[len(due) :] if any(hour in part for hour in hours)]
        first = max(0, offset - total)
        wanted += [(pool, part) for part in parts[first : first + limit - len(wanted)]]
        total += len(parts)
    return wanted, total


def _part(
    pool: PoolRow, part: Period, totals: Totals, flags: tuple[str, ...], until: datetime, early: Early
) -> UsagePart:
    due = max(0, (min(until, part.end) - part.start) // HOUR)
    present = totals.hours - sum(hour in part for hour in early.get(pool.id, ()))
    whole = (part.end - part.start) // HOUR
    final = totals.hours == whole and not totals.open_hours
    return UsagePart(pool, part, totals, due - present, flags, final)


def _flags(keys: Collection[tuple[int, Period]]) -> dict[tuple[int, Period], tuple[str, ...]]:
    """Which flags the hours of each pool and part carry, in order."""
    asked = list(keys)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT a.place, array_agg(DISTINCT f.flag)"
            " FROM unnest(%s::bigint[], %s::timestamptz[], %s::timestamptz[])"
            " WITH ORDINALITY AS a (pool_id, start_at, end_at, place)"
            " JOIN telemetry_poolhour h ON h.pool_id = a.pool_id AND h.hour >= a.start_at AND h.hour < a.end_at"
            " CROSS JOIN LATERAL unnest(h.flags) AS f (flag)"
            " WHERE cardinality(h.flags) > 0 GROUP BY a.place",
            [[pool for pool, _ in asked], [part.start for _, part in asked], [part.end for _, part in asked]],
        )
        return {asked[place - 1]: tuple(sorted(flags)) for place, flags in cursor}
