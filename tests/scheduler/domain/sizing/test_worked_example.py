"""The month of ten nodes at night, twenty-two at the peak and fourteen on average, at 62 against 100."""

from decimal import Decimal
from fractions import Fraction

import pytest

from scheduler.domain.sizing.answer import Sizing, SizingAsked, sizing
from tests.scheduler.domain.sizing.traces import prices, trace, worked_nodes


@pytest.fixture
def answer() -> Sizing:
    return sizing(trace(worked_nodes()), SizingAsked(prices()))


def test_the_trace_is_the_one_that_is_told() -> None:
    nodes = worked_nodes()
    assert (len(nodes), min(nodes), max(nodes), Fraction(sum(nodes), 730)) == (730, 10, 22, 14)
    shares = {node: sum(need >= node for need in nodes) / 730 for node in (10, 12, 13, 14, 18)}
    assert shares == pytest.approx({10: 1, 12: 0.80, 13: 0.657, 14: 0.55, 18: 0.25}, abs=0.005)


def test_thirteen_nodes_are_reserved(answer: Sizing) -> None:
    assert answer.sized is not None
    assert answer.sized.sizes.rule == 13
    assert answer.asked.prices.break_even == Decimal("0.62")


def test_the_money_is_the_one_that_is_told(answer: Sizing) -> None:
    assert answer.cost(13).reserved == 588_380
    assert answer.cost(22).total == 995_720
    assert answer.cost(22).overflow == 0
    assert answer.cost(0).total == 1_022_000
    assert (answer.curve.hours, answer.curve.peak, answer.mean_nodes) == (730, 22, 14)


def test_thirteen_nodes_cost_less_than_either_end_and_than_their_neighbours(answer: Sizing) -> None:
    assert answer.cost(13).overflow == 100 * sum(max(0, need - 13) for need in worked_nodes()) == 125_600
    assert answer.cost(13).total == 713_980
    assert answer.cost(13).total < min(answer.cost(12).total, answer.cost(14).total)


def test_a_chance_that_launches_fail_moves_the_line_down_and_reserves_more() -> None:
    answer = sizing(trace(worked_nodes()), SizingAsked(prices(q="0.25", lost="96")))
    assert answer.sized is not None
    assert answer.asked.prices.adjusted_break_even == Decimal("0.5")
    assert (answer.sized.sizes.rule, answer.sized.sizes.adjusted) == (13, 14)
