"""What pools' hours are worth in a period, for somebody who may see their prices."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time
from itertools import pairwise

from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period
from reservations.domain.pricing import PriceSpan
from reservations.selectors.pools import PoolRow
from reservations.selectors.prices import quotes_by_pool
from telemetry.domain.totals import Totals, added
from telemetry.domain.worth import Worth, no_worth, worth_of
from telemetry.selectors.totals import totals_by_pool


def worth_by_pool(*, pools: Sequence[PoolRow], period: Period, person: Person) -> dict[int, Worth]:
    """Every pool's worth by its id, in three queries; without amounts, and with the reason, where there are none."""
    priced = priced_by_pool(pools=pools, period=period, person=person)
    return {pool_id: worth for pool_id, (worth, _) in priced.items()}


def priced_by_pool(*, pools: Sequence[PoolRow], period: Period, person: Person) -> dict[int, tuple[Worth, Totals]]:
    """The same with the totals that were priced; empty ones where this person may see no price."""
    seen = [pool for pool in pools if may(person, Action.SEE_PRICES, pool.teams)]
    quotes = quotes_by_pool(pool_ids=[pool.id for pool in seen], period=period) if seen else {}
    parts = parts_of_one_price(period, quotes)
    totals = totals_by_pool(pool_ids=list(quotes), periods=parts) if quotes else {}
    priced = {pool.id: (no_worth("your role does not include prices."), Totals()) for pool in pools}
    for pool in seen:
        mine = [(at, totals[pool.id, at]) for at in parts if (pool.id, at) in totals]
        worth = worth_of(mine, prices=quotes.get(pool.id, []), gpus_per_node=pool.gpus_per_node)
        priced[pool.id] = (worth, added(part for _, part in mine))
    return priced


def parts_of_one_price(period: Period, quotes: Mapping[int, Sequence[PriceSpan]]) -> dict[datetime, Period]:
    """A period cut at each midnight UTC on which some pool's price changes, by the start of each part."""
    days = {day for spans in quotes.values() for span in spans for day in (span.start, span.end) if day is not None}
    midnights = {datetime.combine(day, time(), tzinfo=UTC) for day in days}
    cuts = [period.start, *sorted(at for at in midnights if period.start < at < period.end), period.end]
    return {start: Period(start, end) for start, end in pairwise(cuts)}
