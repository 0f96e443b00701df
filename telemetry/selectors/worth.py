"""What pools' hours are worth in a period, for somebody who may see their prices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from itertools import pairwise
from typing import Generic, TypeVar

from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period
from reservations.domain.pricing import PriceSpan
from reservations.selectors.pools import PoolRow
from reservations.selectors.prices import quotes_of_shapes
from telemetry.domain.totals import Totals, added
from telemetry.domain.worth import Worth, no_worth, worth_of
from telemetry.selectors.totals import totals_both_ways

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Priced:
    """One pool's worth and the totals it is of; both empty where the person may see no price."""

    worth: Worth
    totals: Totals


@dataclass(frozen=True, slots=True)
class PricedAndTotals(Generic[K]):
    """Pools priced by their ids, and all of them together by the keys of further periods."""

    priced: Mapping[int, Priced]
    totals: Mapping[K, Totals]


def worth_by_pool(*, pools: Sequence[PoolRow], period: Period, person: Person) -> dict[int, Worth]:
    """Every pool's worth by its id, in two queries; without amounts, and with the reason, where there are none."""
    priced = priced_and_totals(pools=pools, period=period, person=person, periods={}).priced
    return {pool_id: one.worth for pool_id, one in priced.items()}


def priced_and_totals(
    *, pools: Sequence[PoolRow], period: Period, person: Person, periods: Mapping[K, Period]
) -> PricedAndTotals[K]:
    """Every pool's worth in a period, and all pools' totals together in any further ones, in two queries."""
    seen = [pool for pool in pools if may(person, Action.SEE_PRICES, pool.teams)]
    shapes = {pool.id: pool.instance_type for pool in seen}
    quotes = quotes_of_shapes(shapes=shapes, period=period) if seen else {}
    parts = parts_of_one_price(period, quotes) if quotes else {}
    asked = {"pool_ids": [pool.id for pool in pools], "by_pool": parts, "together": periods}
    totals, together = totals_both_ways(**asked) if parts or periods else ({}, {})
    priced = {pool.id: Priced(no_worth("your role does not include prices."), Totals()) for pool in pools}
    for pool in seen:
        mine = [(at, totals[pool.id, at]) for at in parts if (pool.id, at) in totals]
        worth = worth_of(mine, prices=quotes.get(pool.id, []), gpus_per_node=pool.gpus_per_node)
        priced[pool.id] = Priced(worth, added(part for _, part in mine))
    return PricedAndTotals(priced, together)


def parts_of_one_price(period: Period, quotes: Mapping[int, Sequence[PriceSpan]]) -> dict[datetime, Period]:
    """A period cut at each midnight UTC on which some pool's price changes, by the start of each part."""
    days = {day for spans in quotes.values() for span in spans for day in (span.start, span.end) if day is not None}
    midnights = {datetime.combine(day, time(), tzinfo=UTC) for day in days}
    cuts = [period.start, *sorted(at for at in midnights if period.start < at < period.end), period.end]
    return {start: Period(start, end) for start, end in pairwise(cuts)}
