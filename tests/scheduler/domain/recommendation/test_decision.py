"""Which size decides, whatever the numbers."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.recommendation.decision import Action, Decides, SizesFound, decide
from scheduler.domain.recommendation.moves import Bounds
from scheduler.domain.sizing.reality import FixedNodes

FREE = Bounds(0, None, "")
sizes = st.integers(0, 30)


def found(
    current: int, rule: int, adjusted: int | None = None, packed: int | None = None, **said: object
) -> SizesFound:
    return SizesFound(current, rule, adjusted, packed, **{"fixed": FixedNodes(), "bounds": FREE, **said})


@given(
    current=sizes,
    rule=sizes,
    adjusted=st.none() | sizes,
    packed=st.none() | sizes,
    spare=st.integers(0, 3),
    block=st.none() | st.integers(0, 40),
    floor=sizes,
    idle=st.none() | st.decimals(0, 30, places=2),
)
def test_a_proposal_is_never_above_both_sizes_unless_it_says_what_put_it_there(
    current: int,
    rule: int,
    adjusted: int | None,
    packed: int | None,
    spare: int,
    block: int | None,
    floor: int,
    idle: Decimal | None,
) -> None:
    floor = min(floor, current)
    bounded = Bounds(floor, None, "cr-1: it can't." if floor else "")
    fixed = FixedNodes(spare=spare, maximum_block=block)
    said = decide(found(current, rule, adjusted, packed, fixed=fixed, bounds=bounded, idle_held=idle))
    least = min(size for size in (rule if adjusted is None else adjusted, packed) if size is not None)
    assert said.proposed is not None
    if said.proposed > least:
        assert said.decides in (Decides.SPARE, Decides.BLOCK_SIZE, Decides.PROVIDER, Decides.IDLE_HELD)
    if said.decides in (Decides.RULE, Decides.PACKED):
        assert said.proposed == least
    assert said.proposed >= floor
    assert len(said.reasons) == 2
    assert all(reason.endswith(".") for reason in said.reasons)
    expected = {True: Action.SHRINK if said.proposed else Action.LAPSE, False: Action.GROW}
    assert said.action is (Action.KEEP if said.proposed == current else expected[said.proposed < current])
    if idle is not None and said.action is Action.GROW:
        assert idle <= said.proposed - current


def test_the_smaller_of_rule_and_packed_decides() -> None:
    assert decide(found(16, 12, 14, 13)).decides is Decides.PACKED
    assert decide(found(16, 12, 14, 13)).proposed == 13
    by_rule = decide(found(16, 12, 14, 15))
    assert (by_rule.decides, by_rule.proposed) == (Decides.RULE, 14)
    assert by_rule.reasons[1] == "Better placement would not have done with less: the same work takes 15 nodes."


def test_without_a_replay_the_rule_alone_decides_and_that_is_said() -> None:
    said = decide(found(16, 12, 14))
    assert (said.proposed, said.decides, said.action) == (14, Decides.RULE, Action.SHRINK)
    assert said.reasons[1] == "No replay covers nine tenths of the hours, so the rule decides alone."


def test_without_q_and_l_the_naive_rule_decides_and_that_is_said() -> None:
    said = decide(found(10, 12))
    assert (said.proposed, said.action) == (12, Action.GROW)
    assert "by price alone: how often a launch fails is not recorded." in said.reasons[0]


def test_growth_waits_for_idle_allocations_that_are_larger_than_it() -> None:
    waits = decide(found(10, 12, idle_held=Decimal("2.1")))
    assert (waits.action, waits.proposed, waits.decides) == (Action.KEEP, 10, Decides.IDLE_HELD)
    assert waits.reasons[1].startswith("Fix idle allocations first: pods hold 2.1 nodes")
    assert decide(found(10, 12, idle_held=Decimal(2))).action is Action.GROW


def test_spare_nodes_of_nothing_are_nothing_and_a_pool_lapses() -> None:
    said = decide(found(4, 0, fixed=FixedNodes(spare=1)))
    assert (said.action, said.proposed) == (Action.LAPSE, 0)


def test_what_cannot_be_given_back_is_kept_and_named() -> None:
    said = decide(found(4, 1, bounds=Bounds(4, None, "cr-1: a block can't be resized.")))
    assert (said.action, said.proposed, said.decides) == (Action.KEEP, 4, Decides.PROVIDER)
    assert said.reasons[1] == "Not below 4 nodes: cr-1: a block can't be resized."
