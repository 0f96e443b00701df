"""What a week of it costs, by the rate at which it is and by the line that decides."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.alert.facts import BreakEvenLines
from scheduler.domain.alert.thresholds import thresholds_of
from scheduler.domain.attention.item import Price
from tests.scheduler.alerts.cases import limited, unused
from tests.scheduler.alerts.pool_cases import used
from tests.scheduler.alerts.world import (
    DAY,
    GPU_HOUR,
    HOUR,
    MINUTE,
    NOW,
    USE,
    asked,
    double,
    facts,
    found,
    free,
    pool,
    reservation,
    rule,
)


def test_free_nodes_cost_what_a_week_of_them_does_and_an_unknown_price_is_not_nothing() -> None:
    money = found("reserved_unused", unused()).money
    assert money is not None
    assert (money.money, money.currency) == (3 * 8 * 168 * 5, "USD")

    free_of_price = reservation(slots=free(3, NOW - 2 * HOUR), price=Price(why_not="price unknown"))
    money = found("reserved_unused", facts(free_of_price)).money
    assert money is not None
    assert (money.money, money.why_not) == (None, "price unknown")


def test_nodes_that_go_on_on_demand_cost_the_on_demand_price() -> None:
    money = found("becoming_on_demand", limited(DAY)).money

    assert money is not None
    assert money.money == 6 * 8 * 168 * 10


@pytest.mark.parametrize("minutes", [60, 90, 200, 360])
def test_one_machine_paid_twice_costs_the_same_a_week_however_long_ago_it_began(minutes: int) -> None:
    paid = double(now=1, since=NOW - minutes * MINUTE, gpu_ms=8 * minutes * GPU_HOUR // 60)
    priced = replace(paid, price=Price(Decimal("12.5"), "USD"))
    money = found("double_pay", facts(priced)).money

    assert money is not None
    assert (money.money, money.currency) == (16_800, "USD")


def test_what_is_paid_twice_since_this_moment_costs_nothing_yet() -> None:
    money = found("double_pay", facts(double(now=1, since=NOW)), sustained_for=timedelta(0)).money

    assert money is not None
    assert money.money == 0


def test_what_is_paid_twice_can_be_waited_for_no_longer_than_it_is_looked_back() -> None:
    sustained = next(one for one in thresholds_of(rule("double_pay").defaults) if one.name == "sustained_for")

    assert sustained.why.most == timedelta(hours=6)
    for_days = facts(double(now=1, since=NOW - 6 * HOUR, gpu_ms=48 * GPU_HOUR))
    assert found("double_pay", for_days, sustained_for=sustained.why.most)


def test_below_break_even_costs_what_on_demand_would_have_saved_in_a_week() -> None:
    money = found("below_break_even", used("0.3")).money

    assert money is not None
    assert money.money == (Decimal(80) * 5 - Decimal("0.3") * 80 * 10) * 168


def test_where_failed_launches_make_on_demand_cheaper_that_decides_and_costs_what_the_line_says() -> None:
    lines = BreakEvenLines(Decimal("0.62"), Decimal("0.775"))
    prices = {"price": Price(Decimal(62), "USD"), "on_demand": Price(Decimal(100), "USD"), "lines": lines}
    use = replace(USE, busy=USE.busy_paid * 7 // 10, allocated_share=Decimal("0.7"))
    said = found("below_break_even", facts(pool(use=use, **prices)))

    assert said.cause.startswith("By the prices alone it would pay; where launches fail, on demand costs less")
    assert ("held against", "the line with launches that fail") in said.numbers
    assert said.money is not None
    # an hour of use costs 62 ÷ 0.775 = 80 without the reservation: 80 held at 62, 56 used at 80
    assert said.money.money == (80 * 62 - 56 * 80) * 168


@given(
    share=st.decimals(0, 1, places=3),
    even=st.decimals("0.001", 2, places=3),
    adjusted=st.none() | st.decimals("0.001", 2, places=3),
)
def test_what_lies_below_the_line_never_costs_less_than_nothing(
    share: Decimal, even: Decimal, adjusted: Decimal | None
) -> None:
    use = replace(USE, busy=int(share * USE.busy_paid))
    told = asked("below_break_even", facts(pool(use=use, lines=BreakEvenLines(even, adjusted))))

    for said in told.findings:
        assert said.money is not None
        assert said.money.money is not None
        assert said.money.money >= 0
