"""What the pages of a month add up: it, the month before it and its days, in hours and in money, in few questions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period
from reservations.domain.terms import Terms
from reservations.selectors.pools import PoolRow
from reservations.selectors.terms import terms_of_shapes, utc_days
from telemetry.domain.totals import Totals, added
from telemetry.domain.worth import Part, Worth, no_worth, worth_of, worth_of_use
from telemetry.selectors.totals import totals_both_ways
from telemetry.selectors.worth import NOTHING_KNOWN, parts_of_one_price

NOW, BEFORE = "now", "before"

Key = tuple[str, datetime]
"""Which month, and the instant at which a part of one price begins in it."""


@dataclass(frozen=True, slots=True)
class MonthSums:
    """By pool id: the totals and the worth of the month and of the one before; ``days`` are of all pools together.

    A pool without any hour in a month is left out of its totals, a day without any hour out of the days.
    """

    now: Mapping[int, Totals]
    before: Mapping[int, Totals]
    days: Mapping[date, Totals]
    worth: Mapping[int, Worth]
    worth_before: Mapping[int, Worth]


def month_sums(
    *, pools: Sequence[PoolRow], month: Period, before: Period, days: Mapping[date, Period], person: Person
) -> MonthSums:
    """The sums of some pools in two adjacent months, in two queries."""
    periods = {NOW: month, BEFORE: before}
    priced = {pool.id: pool.instance_type for pool in pools if may(person, Action.SEE_PRICES, pool.teams)}
    terms = terms_of_shapes(shapes=priced, period=Period(before.start, month.end)) if priced else {}
    parts = {name: parts_of_one_price(period, terms) for name, period in periods.items()}
    asked: dict[Key, Period] = {(name, at): part for name, some in parts.items() for at, part in some.items()}
    totals, by_day = totals_both_ways(pool_ids=[pool.id for pool in pools], by_pool=asked, together=days)
    sums: dict[str, dict[int, list[Part]]] = {NOW: {}, BEFORE: {}}
    for (pool_id, (name, at)), some in totals.items():
        sums[name].setdefault(pool_id, []).append((at, some))

    def worth(pool: PoolRow, name: str) -> Worth:
        if pool.id not in priced:
            return no_worth("your role does not include prices.")
        held = _held_in(terms.get(pool.id, NOTHING_KNOWN), periods[name])
        # of the month before only idle is told, so its steps need no price
        told = worth_of if name == NOW else worth_of_use
        return told(sums[name].get(pool.id, ()), terms=held, gpus_per_node=pool.gpus_per_node)

    return MonthSums(
        now=_whole(sums[NOW]),
        before=_whole(sums[BEFORE]),
        days=by_day,
        worth={pool.id: worth(pool, NOW) for pool in pools},
        worth_before={pool.id: worth(pool, BEFORE) for pool in pools},
    )


def _whole(sums: Mapping[int, Sequence[Part]]) -> dict[int, Totals]:
    """Each pool's parts together; most months have but one, since prices seldom change."""
    return {
        pool_id: parts[0][1] if len(parts) == 1 else added(totals for _, totals in parts)
        for pool_id, parts in sums.items()
    }


def _held_in(terms: Terms, period: Period) -> Terms:
    """Those of a pool's quotes that hold on some day of a period; q and L are looked up by the day."""
    first, following = utc_days(period)
    return Terms(
        [span for span in terms.quotes if span.start < following and (span.end is None or span.end > first)],
        terms.shortages,
    )
