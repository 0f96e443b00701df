"""Hours that had other prices than the last: every figure of money against sums made hour by hour here."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.period import Period
from reservations.domain.pricing import PriceKind
from scheduler.domain.recommendation.money import Weighed, money_of
from scheduler.domain.sizing.alternatives import Choices, Way
from scheduler.domain.sizing.answer import SizingAsked, sizing
from scheduler.domain.sizing.given import Given, Known, KnownPrices, Overflow
from scheduler.domain.sizing.prices import SizingPrices
from scheduler.domain.sizing.question import Manner, answer_of
from scheduler.domain.sizing.stretches import Earlier
from scheduler.domain.sizing.weeks import week_draws
from tests.scheduler.domain.sizing.traces import HOUR, START, by_workload, prices, trace

NODES = st.lists(st.integers(0, 9), min_size=1, max_size=60)
PRICE = st.integers(1, 9_999).map(lambda cents: Decimal(cents) / 100)
QUIET = Manner(allow_short=True, draws=0)


def first_hours(count: int) -> Period:
    return Period(START, START + count * HOUR)


def known(now: tuple[str, str], *then: tuple[Period, dict[PriceKind, Decimal]], currency: str = "USD") -> Known:
    on_demand, reserved = (Decimal(price) for price in now)
    return Known(
        prices={PriceKind.ON_DEMAND: on_demand, PriceKind.RESERVED: reserved},
        currency=currency,
        earlier=tuple(KnownPrices(period, its) for period, its in then),
    )


def both(on_demand: str, reserved: str) -> dict[PriceKind, Decimal]:
    return {PriceKind.ON_DEMAND: Decimal(on_demand), PriceKind.RESERVED: Decimal(reserved)}


@given(NODES, st.integers(0, 60), st.tuples(PRICE, PRICE, PRICE, PRICE), st.integers(0, 9))
def test_each_hour_is_weighed_at_its_own_prices_and_the_rule_at_those_in_force(
    nodes: list[int], until: int, money: tuple[Decimal, Decimal, Decimal, Decimal], held: int
) -> None:
    on_demand, reserved, dearer, other = money
    then = Earlier(first_hours(until), SizingPrices(dearer, other, "USD")) if until else None
    asked = SizingAsked(
        SizingPrices(on_demand, reserved, "USD"),
        Choices(current=held),
        allow_short=True,
        draws=0,
        earlier=[then] if then else [],
    )
    answer = sizing(trace(nodes), asked)
    assert answer.sized is not None

    def cost(size: int) -> Fraction:
        paid = Fraction(0)
        for at, need in enumerate(nodes):
            p_od, p_res = (dearer, other) if at < until else (on_demand, reserved)
            paid += size * Fraction(p_res) + max(0, need - size) * Fraction(p_od)
        return paid

    for size in range(max(nodes) + 1):
        assert answer.cost(size).total == answer.sized.sizes.costs[size].total == cost(size)
    rule = 0
    while sum(need > rule for need in nodes) * on_demand > reserved * len(nodes):
        rule += 1
    assert answer.sized.sizes.rule == rule
    least = min(cost(size) for size in range(max(nodes) + 1))
    assert {one.way: one.regret for one in answer.sized.alternatives}[Way.CURRENT] == cost(held) - least
    assert answer.sized.saving == cost(held) - cost(rule)


def test_a_draw_of_weeks_saves_what_its_own_hours_cost() -> None:
    week, nodes = 168, [(at * 7) % 11 for at in range(5 * 168)]
    then = Earlier(first_hours(2 * week), prices("90", "70"))
    answer = sizing(trace(nodes), SizingAsked(prices(), Choices(current=9), draws=99, earlier=[then]))
    assert answer.sized is not None
    assert answer.sized.band is not None
    assert answer.sized.band.saving is not None
    drawn = week_draws(trace(nodes), draws=99)
    assert drawn is not None
    held, proposed = 9, answer.sized.to_hold
    saved = []
    for draw in drawn.weights.tolist():
        total = 0
        for at, times in enumerate(draw):
            p_od, p_res = (90, 70) if at < 2 else (100, 62)
            for need in nodes[at * week : (at + 1) * week]:
                cost = [size * p_res + max(0, need - size) * p_od for size in (held, proposed)]
                total += times * (cost[0] - cost[1])
        saved.append(total)
    saved.sort()
    band = answer.sized.band.saving
    assert (band.low, band.median, band.high) == (saved[4], saved[49], saved[94])


def test_a_month_is_told_in_the_share_of_it_in_which_something_is_held() -> None:
    whole = trace([3] * 1_000)
    off = replace(trace([3] * 1_000, skip=range(400, 600)), not_held=frozenset(trace([0] * 600).hours[400:]))
    for measured, share in ((whole, Fraction(1)), (off, Fraction(800, 1_000))):
        hours = sizing(measured, SizingAsked(prices(), draws=0)).hours
        told = money_of(Weighed(measured, hours, current=5, proposed=3, packed=None, draws=9, seed=0))
        assert told.saving == told.regret == 2 * 62 * 730 * share
        assert told.low == told.high == told.saving


def test_it_is_said_that_prices_changed_and_where_none_are_known() -> None:
    facts = known(
        ("100", "62"), (first_hours(10), both("120", "62")), (Period(START + 10 * HOUR, START + 24 * HOUR), {})
    )
    answer = answer_of(trace([3] * 100), Given(), facts, manner=QUIET)
    assert any("prices changed within these hours" in said for said in answer.warnings)
    assert any("is known in 14 of these hours" in said for said in answer.warnings)
    assert answer.sizing.cost(0).total == 3 * (10 * 120 + 90 * 100)
    assert answer.priced.prices.break_even == Decimal("0.62")


@pytest.mark.parametrize("zero", [both("0", "62"), both("120", "0")])
def test_a_price_of_nought_in_the_past_is_no_price(zero: dict[PriceKind, Decimal]) -> None:
    answer = answer_of(trace([3] * 100), Given(), known(("100", "62"), (first_hours(10), zero)), manner=QUIET)
    assert answer.sizing.cost(1).total == 100 * 62 + 2 * 100 * 100
    assert any("is known in 10 of these hours" in said for said in answer.warnings)


def test_what_is_given_holds_in_every_hour() -> None:
    facts = known(("100", "62"), (first_hours(10), both("120", "70")))
    answer = answer_of(trace([3] * 100), Given(reserved=Decimal(50)), facts, manner=QUIET)
    assert answer.sizing.cost(1).total == 100 * 50 + 2 * (10 * 120 + 90 * 100)
    all_given = answer_of(trace([3] * 100), Given(reserved=Decimal(50), on_demand=Decimal(80)), facts, manner=QUIET)
    assert all_given.sizing.cost(1).total == 100 * 50 + 2 * 100 * 80
    assert not any("changed" in said for said in all_given.warnings)


def test_a_term_is_weighed_at_the_prices_in_force() -> None:
    term = Period(START, START + 14 * 24 * HOUR)
    facts = known(("100", "62"), (first_hours(24), both("120", "70")))
    answer = answer_of(trace([3] * 700), Given(term=term), facts, manner=QUIET)
    assert answer.sizing.cost(0).total == 3 * 100 * 14 * 24


def test_overflow_by_workload_is_bought_at_each_hour_s_own_price() -> None:
    demand = by_workload({"serving": [2] * 20, "batch": [1] * 20})
    facts = known(("100", "62"), (first_hours(5), {**both("120", "70"), PriceKind.SPOT: Decimal(30)}))
    facts = replace(facts, prices={**facts.prices, PriceKind.SPOT: Decimal(40)})
    ways = {"batch": Overflow(PriceKind.SPOT, None)}
    answer = answer_of(demand, Given(overflow=ways), facts, manner=QUIET)
    assert answer.sizing.sized is not None
    told = {one.way: one for one in answer.sizing.sized.alternatives}
    best = told[Way.BY_WORKLOAD_BEST]

    def cost(size: int) -> int:
        """Serving lies lowest, since it is dearest to buy elsewhere."""
        total = 0
        for p_od, p_res, spot, hours in ((120, 70, 30, 5), (100, 62, 40, 15)):
            serving = max(0, 2 - size)
            total += hours * (size * p_res + serving * p_od + (max(0, 3 - size) - serving) * spot)
        return total

    assert best.cost is not None
    assert (best.nodes, best.cost.total) == min(((n, cost(n)) for n in range(4)), key=lambda one: one[1])

    assert told[Way.BY_WORKLOAD].cost is not None
    assert told[Way.BY_WORKLOAD].cost.total == cost(3)  # every node is always needed, so the rule holds all three
