from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from reservations.domain.break_even import Shortage
from reservations.domain.pricing import PriceKind
from scheduler.domain.sizing.alternatives import Choices
from scheduler.domain.sizing.answer import SizingAsked, sizing
from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.overflow import WorkloadOverflow
from scheduler.domain.sizing.prices import UnableToSize
from scheduler.domain.sizing.reality import FixedNodes
from telemetry.domain.demand import DemandTrace
from tests.scheduler.domain.sizing.traces import HOUR, START, prices, sized, trace


def test_a_trace_without_an_hour_is_refused() -> None:
    with pytest.raises(UnableToSize, match="no hour"):
        sizing(DemandTrace((), {}, ()), SizingAsked(prices()))


@pytest.mark.parametrize(
    ("on_demand", "reserved", "said"),
    [
        ("0", "62", "on-demand price is 0"),
        ("100", "0", "reserved price is 0"),
        ("-100", "62", "below 0"),
        ("100", "-62", "below 0"),
        ("NaN", "62", "not a number"),
        ("100", "Infinity", "not a number"),
        ("1e12", "62", "more than can be"),
        ("100", "0.0000000000001", "decimals"),
    ],
)
def test_a_price_that_is_none_is_refused(on_demand: str, reserved: str, said: str) -> None:
    with pytest.raises(UnableToSize, match=said):
        prices(on_demand, reserved)


@pytest.mark.parametrize(
    ("q", "lost", "said"),
    [
        ("1.1", "5", "from 0 to 1"),
        ("-0.1", "5", "from 0 to 1"),
        ("0.1", "-5", "below 0"),
        ("NaN", "5", "not a number"),
        ("0.1", "NaN", "not a number"),
    ],
)
def test_a_chance_or_a_loss_that_is_none_is_refused(q: str, lost: str, said: str) -> None:
    with pytest.raises(UnableToSize, match=said):
        prices(q=q, lost=lost)


def test_an_hour_that_would_cost_nothing_at_all_is_refused() -> None:
    with pytest.raises(UnableToSize, match="nothing to weigh"):
        prices(q="1", lost="0", convention=Shortage.INSTEAD)


@pytest.mark.parametrize("reserved", ["100", "120"])
def test_a_reservation_that_is_no_cheaper_is_warned_about_in_words(reserved: str) -> None:
    answer = sized([5] * 700, prices("100", reserved))
    assert answer.sized is not None
    assert answer.sized.sizes.rule == 0
    assert "no node is worth reserving" in answer.warnings[0]


def test_under_672_hours_there_is_a_reason_and_no_size() -> None:
    answer = sized([5] * 671, allow_short=False)
    assert answer.sized is None
    assert answer.reason.startswith("not enough data: 671 hours")
    assert sized([5] * 672, allow_short=False).reason == ""


def test_hours_that_are_told_less_than_four_fifths_of_the_span_are_too_few() -> None:
    nodes, at = [5] * 1_000, SizingAsked(prices(), draws=0)
    enough = sizing(trace(nodes, skip=range(100, 300)), at)
    assert (enough.reason, enough.sized is None) == ("", False)
    assert "200 hours in the middle are missing" in enough.warnings[0]
    thin = sizing(trace(nodes, skip=range(100, 301)), at)
    assert thin.sized is None
    assert thin.reason.startswith("not enough data: 799 of the 1000 hours")
    assert "79.9 %" in thin.reason


def test_what_is_too_short_can_be_sized_all_the_same_and_says_so() -> None:
    answer = sized([5] * 48, allow_short=True)
    assert answer.sized is not None
    assert answer.sized.sizes.rule == 5
    assert answer.reason.startswith("not enough data: 48 hours")
    assert answer.reason in answer.warnings


def test_fixed_nodes_that_cannot_be_are_refused() -> None:
    for wrong in ({"spare": -1}, {"headroom": 10**6}, {"minimum_block": 8, "maximum_block": 4}):
        with pytest.raises(UnableToSize):
            FixedNodes(**wrong)


@pytest.mark.parametrize(
    ("nodes", "fixed", "held", "why"),
    [
        (13, FixedNodes(), 13, ""),
        (13, FixedNodes(spare=1, headroom=2), 16, "16 nodes instead of 13: 1 spare and 2 kept warm."),
        (3, FixedNodes(minimum_block=4), 4, "4 nodes instead of 3: a block has at least 4."),
        (80, FixedNodes(spare=1, maximum_block=64), 64, "64 nodes instead of 80: 1 spare; a block has at most 64."),
        (0, FixedNodes(spare=1, minimum_block=4), 0, ""),
    ],
)
def test_spare_nodes_and_blocks_stand_beside_the_rule(nodes: int, fixed: FixedNodes, held: int, why: str) -> None:
    assert (fixed.to_hold(nodes), fixed.why(nodes)) == (held, why)


def test_overflow_is_bought_at_a_price_of_a_workload_that_there_is() -> None:
    with pytest.raises(UnableToSize, match="above 0"):
        WorkloadOverflow("batch", PriceKind.SPOT, Decimal(0))
    with pytest.raises(UnableToSize, match="can't be bought"):
        WorkloadOverflow("batch", PriceKind.RESERVED, Decimal(5))
    way = WorkloadOverflow("batch", PriceKind.SPOT, Decimal(5))
    with pytest.raises(UnableToSize, match="no workload “batch”"):
        sized([1], choices=Choices(ways={"batch": way}))


def test_growth_that_says_nothing_is_refused() -> None:
    day = date(2026, 3, 2)
    for wrong in (("", None, "1"), ("launch", None, "0"), ("launch", None, "NaN"), ("launch", day, "1")):
        with pytest.raises(UnableToSize):
            GrowthLine(wrong[0], day, wrong[1], Decimal(wrong[2]))


def test_hours_in_which_nobody_knows_what_was_queued_are_said_to_be_a_lower_bound() -> None:
    hours = (datetime(2026, 3, 2, tzinfo=UTC),)
    bound = DemandTrace(hours, {"serving": (Decimal(3),)}, (None,), bound_only=frozenset(hours))
    answer = sizing(bound, SizingAsked(prices(), allow_short=True, draws=0))
    assert "lower bound" in " ".join(answer.warnings)


def held_by_blocks(hours: int, *, gap: int, nodes: int = 4, skip: Sequence[int] = ()) -> DemandTrace:
    """Two blocks of so many hours with a gap between them, in which nothing was held."""
    found = trace([nodes] * (2 * hours + gap), skip=[*range(hours, hours + gap), *skip])
    return replace(found, not_held=frozenset(START + at * HOUR for at in range(hours, hours + gap)))


def test_hours_between_two_blocks_are_neither_gaps_nor_demand() -> None:
    answer = sizing(held_by_blocks(400, gap=900), SizingAsked(prices(), draws=0))
    assert (answer.reason, answer.curve.hours, answer.measured.missing) == ("", 800, ())
    assert answer.sized is not None
    assert answer.sized.sizes.rule == 4  # needed in every hour it was held, though in under half of all hours
    assert answer.cost(4).total == 4 * 800 * 62


def test_too_few_hours_between_gaps_of_what_was_held_say_so() -> None:
    short = sizing(held_by_blocks(300, gap=900), SizingAsked(prices(), draws=0))
    assert short.reason == (
        "not enough data: 600 hours of demand in which something was held, and a size needs 672 (28 days)"
    )
    gappy = sizing(held_by_blocks(500, gap=50, skip=range(10, 310)), SizingAsked(prices(), draws=0))
    assert gappy.reason == (
        "not enough data: 700 of the 1000 hours in which something was held between the first and the last are known,"
        " 70 %, and a size needs 80 %"
    )
