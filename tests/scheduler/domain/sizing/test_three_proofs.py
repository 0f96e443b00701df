"""The size three ways: by the rule, as the newsvendor's fractile and by trying all, none of which share code."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.break_even import Shortage
from scheduler.domain.sizing.cost import cheapest, plateau
from scheduler.domain.sizing.prices import SizingPrices
from tests.scheduler.domain.sizing.traces import prices, sized

NODES = st.lists(st.integers(0, 30), min_size=1, max_size=60)
MONEY = st.decimals("0.01", "500", places=2)
CHANCES = st.decimals("0", "1", places=3)
SHORT = st.builds(
    lambda on_demand, reserved, q, lost, convention: prices(
        str(on_demand), str(reserved), q=str(q), lost=str(lost), convention=convention
    ),
    MONEY,
    MONEY,
    CHANCES,
    MONEY,
    st.sampled_from(Shortage),
)


def hour_cost(at: SizingPrices) -> Fraction:
    """What one node-hour above the reservation costs, from the words of the conventions."""
    assert at.shortage is not None
    q, lost, price = (
        Fraction(value) for value in (at.shortage.fail_probability, at.shortage.shortage_cost, at.on_demand)
    )
    return price + q * lost if at.shortage.convention == "extra" else (1 - q) * price + q * lost


def tried(nodes: Sequence[int], reserved: Fraction, above: Fraction) -> dict[int, Fraction]:
    """The cost of every size, hour by hour."""
    return {
        size: sum((size * reserved + max(0, need - size) * above for need in nodes), Fraction(0))
        for size in range(max(nodes) + 2)
    }


def fractile(nodes: Sequence[int], ratio: Fraction) -> int:
    """The newsvendor: the least size that demand stays within in at least 1 − ratio of the hours."""
    ordered = sorted(nodes)
    wanted = (1 - ratio) * len(ordered)
    if wanted <= 0:
        return 0
    return ordered[-(-wanted.numerator // wanted.denominator) - 1]


@given(NODES, MONEY, MONEY)
def test_the_rule_the_fractile_and_trying_all_come_to_the_same(
    nodes: list[int], on_demand: Decimal, reserved: Decimal
) -> None:
    answer = sized(nodes, prices(str(on_demand), str(reserved)))
    assert answer.sized is not None
    rule = answer.sized.sizes.rule
    costs = tried(nodes, Fraction(reserved), Fraction(on_demand))
    assert rule == fractile(nodes, Fraction(reserved) / Fraction(on_demand))
    assert rule == min(costs, key=lambda size: (costs[size], size))
    assert {cost.nodes: Fraction(cost.total) for cost in answer.sized.sizes.costs} == {
        size: cost for size, cost in costs.items() if size <= max(nodes)
    }


@given(NODES, SHORT)
def test_so_they_do_where_launches_fail_under_either_convention(nodes: list[int], at: SizingPrices) -> None:
    answer = sized(nodes, at)
    assert answer.sized is not None
    above = hour_cost(at)
    costs = tried(nodes, Fraction(at.reserved), above)
    assert answer.sized.sizes.adjusted == fractile(nodes, Fraction(at.reserved) / above)
    assert answer.sized.sizes.adjusted == min(costs, key=lambda size: (costs[size], size))
    for size in range(max(nodes) + 1):
        cost = answer.adjusted_cost(size)
        assert cost is not None
        assert Fraction(cost.total) == costs[size]


@given(NODES, MONEY, MONEY)
def test_the_plateau_is_what_costs_at_most_a_hundredth_more(
    nodes: list[int], on_demand: Decimal, reserved: Decimal
) -> None:
    answer = sized(nodes, prices(str(on_demand), str(reserved)))
    assert answer.sized is not None
    costs = tried(nodes, Fraction(reserved), Fraction(on_demand))
    least = min(costs.values())
    within = [size for size, cost in costs.items() if cost * 100 <= least * 101 and size <= max(nodes)]
    assert plateau(answer.sized.sizes.costs) == (min(within), max(within))
    assert within == list(range(min(within), max(within) + 1))
    assert cheapest(answer.sized.sizes.costs).nodes == answer.sized.sizes.rule


def test_a_node_needed_in_just_the_break_even_share_is_not_reserved() -> None:
    nodes = [1] * 62 + [0] * 38
    for on_demand, reserved, wanted in (("100", "62", 0), ("100", "61.999999", 1), ("100.000001", "62", 1)):
        answer = sized(nodes, prices(on_demand, reserved))
        assert answer.sized is not None
        assert answer.sized.sizes.rule == wanted


def test_equality_is_exact_where_binary_fractions_would_err() -> None:
    # 3 of 10 hours against 0.3: in floating point 0.1 × 3 is more than 0.3.
    for at, wanted in ((prices("1", "0.3"), 0), (prices("3", "0.9"), 0), (prices("3", "0.899999999999"), 1)):
        answer = sized([1] * 3 + [0] * 7, at)
        assert answer.sized is not None
        assert answer.sized.sizes.rule == wanted


def test_a_demand_of_nothing_reserves_nothing_and_costs_nothing() -> None:
    answer = sized([0] * 10)
    assert answer.sized is not None
    assert (answer.sized.sizes.rule, answer.sized.sizes.plateau, answer.cost(0).total) == (0, (0, 0), 0)
