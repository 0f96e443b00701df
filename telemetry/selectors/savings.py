"""What reserving saved, covered and wasted in a period, for somebody who may see prices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, F, Sum

from reservations.domain.access import Person
from reservations.domain.period import HOUR_MS, Period
from reservations.domain.pricing import EXACT
from reservations.selectors.pools import PoolRow
from telemetry.domain.savings import Savings, UsedGpus, added_gpus, added_savings, savings_of
from telemetry.models import PoolHour
from telemetry.selectors.double_pay import OnDemandTime, PaidTwiceFound
from telemetry.selectors.totals import totals_by_pool
from telemetry.selectors.worth import NOTHING_KNOWN, parts_of, prices_seen


@dataclass(frozen=True, slots=True)
class Saved:
    """What one pool, or all of them together, saved and covered; on demand is what ran of its shape beside it."""

    name: str
    savings: Savings
    gpus: UsedGpus


def saved_by_pool(
    *, pools: Sequence[PoolRow], period: Period, beside: PaidTwiceFound, person: Person | None = None
) -> tuple[Saved, list[Saved]]:
    """All pools together, and each by itself; ``beside``: what ran on demand in the same period.

    Instances on demand belong to no pool: each shape's count for every pool of it, and once for all together.
    """
    prices = prices_seen(pools, period, person)
    ids = [pool.id for pool in pools]
    totals = totals_by_pool(pool_ids=ids, periods=prices.parts) if prices.parts else {}
    launched = _launched(ids, period)
    each = [
        Saved(
            pool.name,
            savings_of(
                parts_of(pool, totals, prices),
                terms=prices.terms.get(pool.id, NOTHING_KNOWN),
                gpus_per_node=pool.gpus_per_node,
            )
            if pool.id in prices.seen
            else Savings(why_not="your role does not include prices."),
            UsedGpus(launched.get(pool.id), _on_demand(pool, beside.on_demand)),
        )
        for pool in pools
    ]
    together = Saved(
        "all pools", added_savings({one.name: one.savings for one in each}), added_gpus(_by_shape(pools, each))
    )
    return together, each


def _by_shape(pools: Sequence[PoolRow], each: Sequence[Saved]) -> list[UsedGpus]:
    """The pools of one shape together, with what ran on demand of it once; pools without any known hour left out."""
    shapes: dict[str, list[UsedGpus]] = {}
    for pool, one in zip(pools, each, strict=True):
        if one.gpus.reserved is not None:
            shapes.setdefault(pool.instance_type, []).append(one.gpus)
    return [
        UsedGpus(sum((one.reserved or Decimal(0) for one in some), Decimal(0)), some[0].on_demand)
        for some in shapes.values()
    ]


def _launched(pool_ids: Sequence[int], period: Period) -> dict[int, Decimal]:
    """GPUs that ran in each pool's reservations, on average over the hours in which that is known."""
    hours = PoolHour.objects.filter(
        pool_id__in=pool_ids, hour__gte=period.start, hour__lt=period.end, ec2_unused__isnull=False
    )
    sums = hours.values("pool_id").annotate(launched=Sum(F("reserved") - F("ec2_unused")), count=Count("pk"))
    return {row["pool_id"]: EXACT.divide(Decimal(row["launched"]), row["count"] * HOUR_MS) for row in sums}


def _on_demand(pool: PoolRow, times: Mapping[str, OnDemandTime]) -> Decimal | None:
    time = times.get(pool.instance_type)
    if time is None or not time.listed_ms:
        return None
    return EXACT.divide(time.instance_ms * pool.gpus_per_node, Decimal(time.listed_ms))
