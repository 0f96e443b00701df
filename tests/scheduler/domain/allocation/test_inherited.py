"""A scenario is refused for its floors exactly where brute force finds no legal grid."""

from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain.allocation import scenario as reading
from scheduler.domain.allocation.inherited import highest_under, least_held, lowest_over
from scheduler.domain.allocation.scenario import IllegalScenario, instance_of
from tests.scheduler.domain.allocation import brute
from tests.scheduler.domain.allocation.strategies import Scenario, scenarios

CURVES = st.lists(st.integers(-5, 9), min_size=1, max_size=8)


@settings(max_examples=300)
@given(scenarios(gpus=3, steps=4, batch=2, realtime=2, any_floors=True))
def test_floors_are_refused_exactly_where_no_grid_is_legal(scenario: Scenario) -> None:
    with patch.object(reading, "check_inherited"):
        unchecked = instance_of(scenario)
    try:
        instance_of(scenario)
        refused = ""
    except IllegalScenario as illegal:
        refused = str(illegal)
    assert (brute.optimum(unchecked) is None) == ('"floor"' in refused)


def one(
    floor: list[int], cap: int, held: list[int] | None = None, blocks: tuple[tuple[int, int, int], ...] = ()
) -> str:
    """What a scenario of 4 GPUs and three steps with one real-time job and running blocks is refused for."""
    job = {"id": "r", "type": "realtime", "priority": 1, "demand": [0, 0, 0], "swap_cap": cap, "floor": floor}
    jobs = [job | ({} if held is None else {"running": {"gpus": held}})]
    for at, (first, gpus, remaining) in enumerate(blocks):
        block = {"first_gpu": first, "gpus": gpus, "remaining": remaining}
        jobs.append({"id": f"b{at}", "type": "training", "priority": 1, "running": block})
    try:
        instance_of({"gpus": 4, "steps": 3, "jobs": jobs})
    except IllegalScenario as illegal:
        return str(illegal)
    return ""


def test_a_floor_beyond_the_swap_cap_says_how_far_it_reaches() -> None:
    assert one([0, 0, 4], 1, held=[0]) == ""
    assert one([0, 3, 0], 1, held=[0]) == ""
    says = one([0, 4, 0], 1, held=[0])
    assert says == (
        'Job "r": "floor" asks for 4 GPUs at step 1, and from the 1 it holds a swap cap of 1 reaches no more than 3.'
    )
    assert one([0, 4, 0], 1) == ""


def test_a_floor_beside_running_blocks_says_where_they_do_not_fit() -> None:
    assert one([2, 2, 4], 2, blocks=((0, 2, 2),)) == ""
    says = one([2, 3, 3], 2, blocks=((0, 2, 2),))
    assert says == 'Job "r": "floor" and what is running need 5 GPUs at step 1, and there are 4.'


def test_the_ramp_to_a_floor_counts_as_well() -> None:
    assert one([0, 0, 4], 2, blocks=((0, 2, 2),)) == ""
    assert "need 5 GPUs at step 1" in one([0, 0, 4], 1, blocks=((0, 2, 2),))


@given(CURVES, st.integers(0, 4))
def test_the_lowest_curve_over_values_is_the_lowest(values: list[int], cap: int) -> None:
    steps = range(len(values))
    assert lowest_over(values, cap) == [max(values[at] - cap * abs(at - now) for at in steps) for now in steps]
    assert highest_under(values, cap) == [min(values[at] + cap * abs(at - now) for at in steps) for now in steps]


def test_what_is_inherited_goes_no_faster_than_the_swap_cap() -> None:
    job = {
        "id": "r",
        "type": "realtime",
        "priority": 1,
        "demand": [0] * 4,
        "swap_cap": 2,
        "running": {"gpus": [0, 1, 2, 3, 4]},
    }
    (_, realtime), *_ = instance_of({"gpus": 5, "steps": 4, "jobs": [job]}).realtime
    assert least_held(realtime) == [3, 1, 0, 0]
