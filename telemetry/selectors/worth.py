"""What pools' hours are worth in a period, for somebody who may see their prices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from itertools import pairwise
from typing import Generic, TypeVar

from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period
from reservations.domain.terms import Terms
from reservations.selectors.pools import PoolRow
from reservations.selectors.terms import terms_of_shapes
from telemetry.domain.totals import Totals, UseTotals, added_use
from telemetry.domain.worth import Worth, no_worth, worth_of, worth_of_use
from telemetry.selectors.totals import totals_by_pool, use_both_ways

K = TypeVar("K")
NOTHING_KNOWN = Terms()


@dataclass(frozen=True, slots=True)
class Priced:
    """One pool's worth, without its steps, and the use it is of; both empty where the person may see no price."""

    worth: Worth
    use: UseTotals


@dataclass(frozen=True, slots=True)
class PricedAndUse(Generic[K]):
    """Pools priced by their ids, and the use of all of them together by the keys of further periods."""

    priced: Mapping[int, Priced]
    together: Mapping[K, UseTotals]


def worth_by_pool(*, pools: Sequence[PoolRow], period: Period, person: Person) -> dict[int, Worth]:
    """Every pool's worth by its id, in two queries; without amounts, and with the reason, where there are none."""
    prices = prices_seen(pools, period, person)
    ids = [pool.id for pool in pools]
    totals: dict[tuple[int, datetime], Totals] = (
        totals_by_pool(pool_ids=ids, periods=prices.parts) if prices.parts else {}
    )
    return {
        pool.id: worth_of(
            parts_of(pool, totals, prices),
            terms=prices.terms.get(pool.id, NOTHING_KNOWN),
            gpus_per_node=pool.gpus_per_node,
        )
        if pool.id in prices.seen
        else _hidden()
        for pool in pools
    }


def priced_and_use(
    *, pools: Sequence[PoolRow], period: Period, person: Person, periods: Mapping[K, Period]
) -> PricedAndUse[K]:
    """Every pool's worth in a period, and all pools' use together in any further ones, in two queries."""
    prices = prices_seen(pools, period, person)
    ids = [pool.id for pool in pools]
    use, together = use_both_ways(pool_ids=ids, by_pool=prices.parts, together=periods)
    priced = {pool.id: Priced(_hidden(), UseTotals()) for pool in pools}
    for pool in pools:
        if pool.id in prices.seen:
            mine = parts_of(pool, use, prices)
            terms = prices.terms.get(pool.id, NOTHING_KNOWN)
            worth = worth_of_use(mine, terms=terms, gpus_per_node=pool.gpus_per_node)
            priced[pool.id] = Priced(worth, mine[0][1] if len(mine) == 1 else added_use(part for _, part in mine))
    return PricedAndUse(priced, together)


@dataclass(frozen=True, slots=True)
class PricesSeen:
    """Whose prices a person may see, what they are, and a period cut where they change."""

    seen: frozenset[int]
    terms: Mapping[int, Terms]
    parts: Mapping[datetime, Period]


def prices_seen(pools: Sequence[PoolRow], period: Period, person: Person | None) -> PricesSeen:
    """The prices of a period that a person may see; None asks for the organisation itself."""
    shapes = {
        pool.id: pool.instance_type for pool in pools if person is None or may(person, Action.SEE_PRICES, pool.teams)
    }
    terms = terms_of_shapes(shapes=shapes, period=period) if shapes else {}
    return PricesSeen(frozenset(shapes), terms, parts_of_one_price(period, terms) if terms else {})


T = TypeVar("T")


def parts_of(pool: PoolRow, sums: Mapping[tuple[int, datetime], T], prices: PricesSeen) -> list[tuple[datetime, T]]:
    """One pool's sums, each with the beginning of its part of one price."""
    return [(at, sums[pool.id, at]) for at in prices.parts if (pool.id, at) in sums]


def _hidden() -> Worth:
    return no_worth("your role does not include prices.")


def parts_of_one_price(period: Period, terms: Mapping[int, Terms]) -> dict[datetime, Period]:
    """A period cut at each midnight UTC on which some pool's price, q or L changes, by the start of each part."""
    days = {day for of_pool in terms.values() for day in of_pool.changes()}
    midnights = {datetime.combine(day, time(), tzinfo=UTC) for day in days}
    cuts = [period.start, *sorted(at for at in midnights if period.start < at < period.end), period.end]
    return {start: Period(start, end) for start, end in pairwise(cuts)}
