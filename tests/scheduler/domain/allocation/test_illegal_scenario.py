"""What a scenario may not hold is refused in one sentence that names the job and the field."""

from copy import deepcopy
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.allocation.scenario import IllegalScenario, instance_of, scenario_of
from tests.scheduler.domain.allocation.example import ABSENT, EXAMPLE, changed
from tests.scheduler.domain.allocation.strategies import Scenario, scenarios

HUGE = 10**6000
NO_WHOLE = [None, True, False, 3.0, 2.5, nan, inf, -inf, "3", "", [], {}, [3], HUGE, -HUGE, -1, 10**9 + 1]
NO_NUMBER = [None, True, "3", [], {}, nan, inf, -inf, HUGE, -1, 0, -0.0, 5e-324, 1e300]
NO_LIST = [None, True, 3, "3", {}, {"0": 1}, 2.5]
NO_OBJECT = [None, True, 3, "3", [], [{}], 2.5]

WRONG_VALUES: list[tuple[str, str, str, list[Any]]] = [
    # where, how the sentence begins, the field it names, what may not stand there
    ("gpus", "The scenario:", '"gpus"', [*NO_WHOLE, 0]),
    ("steps", "The scenario:", '"steps"', [*NO_WHOLE, 0]),
    ("step_minutes", "The scenario:", '"step_minutes"', NO_NUMBER),
    ("blocks", "The scenario:", '"blocks"', [None, 1, "", "Aligned", ["aligned"], {}]),
    ("nodes", "The scenario:", '"nodes', [*NO_LIST, [], [4], [4, 5], [8, 0], [9, -1], [4.0, 4], [True, 7], [[8]]]),
    ("objective", 'The scenario, "objective":', "object", NO_OBJECT),
    ("objective.half_life_steps", 'The scenario, "objective":', '"half_life_steps"', NO_NUMBER[1:]),
    (
        "objective.realtime_penalty",
        'The scenario, "objective":',
        '"realtime_penalty"',
        [*NO_NUMBER, 4.999, 10.001, 4, 11],
    ),
    ("objective.realtime", 'The scenario, "objective":', '"realtime"', [None, 1, "strict", [], {}]),
    ("jobs", "The scenario:", '"jobs"', NO_LIST),
    ("jobs.0", "Job 1 of the file:", "", [*NO_OBJECT, {}]),
    ("jobs.0.id", "Job 1 of the file:", '"id"', [None, 1, "", "   ", "a\nb", "\x00", "\ud800", "a" * 101, [], {}]),
    ("jobs.0.type", 'Job "t1":', '"type"', [None, 1, "Training", "", [], {}, "x" * 10**5]),
    ("jobs.0.priority", 'Job "t1":', '"priority"', NO_NUMBER),
    ("jobs.0.arrival", 'Job "t1":', '"arrival"', NO_WHOLE),
    ("jobs.0.latest_end", 'Job "t1":', '"latest_end"', NO_WHOLE),
    ("jobs.0.sizes", 'Job "t1":', '"sizes"', [*NO_OBJECT, {}]),
    ("jobs.0.sizes.2", 'Job "t1":', '"sizes[2]"', [*NO_WHOLE, 0]),
    ("jobs.1.arrival", 'Job "t0":', '"arrival"', [*NO_WHOLE, 1]),
    ("jobs.1.latest_end", 'Job "t0":', '"latest_end"', [*NO_WHOLE, 0, 2]),
    ("jobs.1.running", 'Job "t0", "running":', "", [*NO_OBJECT, {}]),
    ("jobs.1.running.gpus", 'Job "t0", "running":', '"gpus"', [*NO_WHOLE, 0, 3, 5, 9, 16]),
    ("jobs.1.running.first_gpu", 'Job "t0", "running":', '"first_gpu"', [*NO_WHOLE, 7, 8]),
    ("jobs.1.running.remaining", 'Job "t0", "running":', '"remaining"', [*NO_WHOLE, 0]),
    ("jobs.2.priority", 'Job "chat":', '"priority"', NO_NUMBER),
    ("jobs.2.swap_cap", 'Job "chat":', '"swap_cap"', NO_WHOLE),
    ("jobs.2.demand", 'Job "chat":', '"demand', [*NO_LIST, [], [1, 2, 3], [1] * 5, [1, 2, 3, nan], [1, 2, -1, 0]]),
    ("jobs.2.demand.3", 'Job "chat":', '"demand[3]"', NO_WHOLE),
    ("jobs.2.floor", 'Job "chat":', '"floor', [*NO_WHOLE, [1, 1, 1], [1, 1, 1, 1.0], 9, [0, 0, 0, 9]]),
    ("jobs.2.running", 'Job "chat", "running":', "", [*NO_OBJECT, {}]),
    ("jobs.2.running.gpus", 'Job "chat", "running":', '"gpus', [*NO_LIST, [8], [-1], [0, 0], [0.0], [True], [[0]]]),
]


@pytest.mark.parametrize(
    ("path", "begin", "field", "value"),
    [(path, begin, field, value) for path, begin, field, values in WRONG_VALUES for value in values],
    ids=lambda part: part if isinstance(part, str) and len(part) < 30 else type(part).__name__,
)
def test_what_may_not_stand_in_a_field_is_refused_by_its_name(path: str, begin: str, field: str, value: Any) -> None:
    assert_refused(changed(path, value), begin, field)


def assert_refused(scenario: Any, *parts: str) -> None:
    with pytest.raises(IllegalScenario) as refused:
        instance_of(scenario)
    sentence = str(refused.value)
    assert sentence.startswith(parts[0])
    assert all(part in sentence for part in parts)
    assert sentence.endswith(".")
    assert len(sentence) < 400
    assert sentence.isprintable()


NEEDED = {
    "The scenario:": ["gpus", "steps", "jobs"],
    "Job 1 of the file:": ["jobs.0.id", "jobs.0.type"],
    'Job "t1":': ["jobs.0.priority", "jobs.0.arrival", "jobs.0.sizes"],
    'Job "t0":': ["jobs.1.priority"],
    'Job "t0", "running":': ["jobs.1.running.first_gpu", "jobs.1.running.gpus", "jobs.1.running.remaining"],
    'Job "chat":': ["jobs.2.priority", "jobs.2.demand", "jobs.2.swap_cap"],
    'Job "chat", "running":': ["jobs.2.running.gpus"],
}


@pytest.mark.parametrize(("begin", "path"), [(begin, path) for begin, paths in NEEDED.items() for path in paths])
def test_a_field_that_is_needed_is_missed(begin: str, path: str) -> None:
    assert_refused(changed(path, ABSENT), begin, f'"{path.split(".")[-1]}" is missing')


def test_a_job_that_neither_waits_nor_runs_misses_its_sizes() -> None:
    assert_refused(changed("jobs.1.running", ABSENT), 'Job "t0":', '"arrival" is missing')


UNKNOWN = {
    "gpu": "The scenario:",
    "objective.lambda": 'The scenario, "objective":',
    "jobs.0.arival": 'Job "t1":',
    "jobs.0.demand": 'Job "t1":',
    "jobs.1.running.last": 'Job "t0", "running":',
    "jobs.2.arrival": 'Job "chat":',
    "jobs.2.running.first_gpu": 'Job "chat", "running":',
}


@pytest.mark.parametrize(("path", "begin"), UNKNOWN.items())
def test_a_field_nobody_knows_is_taken_for_a_slip(path: str, begin: str) -> None:
    assert_refused(changed(path, 1), begin, f'no field "{path.split(".")[-1]}"')


@pytest.mark.parametrize(
    "size",
    ["0", "3", "04", "-2", "+2", " 2", "2 ", "2.0", "", "two", "٢", "²", "6", "0x2", "1e1", "9" * 5000, 2, None, True],
)
def test_a_size_is_a_power_of_two_written_plainly(size: Any) -> None:
    assert_refused(changed("jobs.0.sizes", {size: 3}), 'Job "t1":', '"sizes"')


@pytest.mark.parametrize("size", ["16", str(2**40), str(2**70)])
def test_a_block_of_more_gpus_than_there_are_is_refused(size: str) -> None:
    assert_refused(changed("jobs.0.sizes", {size: 3}), 'Job "t1":', '"sizes"')


@pytest.mark.parametrize(
    ("nodes", "size", "fits"),
    [
        ([3, 5], "4", True),
        ([3, 5], "8", False),
        ([3, 3, 2], "4", False),
        ([2, 4, 2], "8", False),
        ([2, 2, 2, 2], "8", True),
        ([1, 2, 2, 3], "4", True),
        ([2, 1, 2, 3], "4", False),
    ],
)
def test_a_block_that_has_no_place_on_the_nodes_is_refused(nodes: list[int], size: str, fits: bool) -> None:
    scenario = changed("jobs.0.sizes", {size: 3}) | {"nodes": nodes}
    if fits:
        assert len(instance_of(scenario).jobs) == 3
    else:
        assert_refused(scenario, 'Job "t1":', '"sizes"', "nodes")


@pytest.mark.parametrize("scenario", [None, True, 3, "x", [], [{}], {}, {"gpus": 1}, nan])
def test_what_is_no_scenario_is_refused(scenario: Any) -> None:
    assert_refused(scenario, "The scenario:")


def test_two_jobs_of_one_id_are_refused_with_both_places() -> None:
    assert_refused(changed("jobs.2.id", "t1"), 'Job "t1":', '"id"', "job 1 of the file")


def running(name: str, first: int, gpus: int = 2) -> Scenario:
    held = {"first_gpu": first, "gpus": gpus, "remaining": 1}
    return {"id": name, "type": "training", "priority": 1, "running": held}


@pytest.mark.parametrize(
    "other",
    [running("b", 5), running("b", 3), running("b", 4), running("b", 0, 8), running("b", 5, 1), running("b", 6)],
    ids=["over its end", "over its start", "the same", "around it", "inside it", "over real-time"],
)
def test_running_jobs_may_not_share_a_gpu(other: Scenario) -> None:
    scenario = changed("jobs.0", other)
    scenario["jobs"][2]["running"]["gpus"] = [7]
    with pytest.raises(
        IllegalScenario, match=r'^Job "(b|t0|chat)": "running" holds GPU \d, which job .* holds as well'
    ):
        instance_of(scenario)


def test_two_real_time_jobs_may_not_inherit_the_same_gpu() -> None:
    twin = deepcopy(EXAMPLE["jobs"][2]) | {"id": "twin", "running": {"gpus": [7]}}
    scenario = changed("jobs.0", twin)
    assert_refused(scenario, 'Job "', '"running" holds GPU 7')


def test_a_block_inside_one_that_came_before_is_seen_over_a_third() -> None:
    scenario = changed("jobs", [running("a", 0, 8), running("b", 1, 1), running("c", 6, 2)])
    assert_refused(scenario, 'Job "b"', '"running" holds GPU 1')


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([10**4000, -(10**4000), "4", "realtime", 0, 1, 2, 2.0]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4) | st.just("2"), inner, max_size=3),
    max_leaves=5,
)


def _parts(value: Any) -> list[tuple[Any, Any]]:
    """Every (holder, key) of a nested value."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [part for key in keys for part in _parts(value[key])]


@given(scenarios(), st.data())
def test_junk_anywhere_is_read_or_refused_in_a_sentence_and_never_breaks(
    scenario: Scenario, data: st.DataObject
) -> None:
    holder, key = data.draw(st.sampled_from(_parts(scenario)))
    match data.draw(st.sampled_from(["change", "remove", "add"])):
        case "change":
            holder[key] = data.draw(JUNK)
        case "remove":
            del holder[key]
        case _ if isinstance(holder, dict):
            holder[data.draw(st.text(max_size=5))] = data.draw(JUNK)
    says = ""
    try:
        instance = instance_of(scenario)
    except IllegalScenario as illegal:
        says = str(illegal)
    if says:
        assert says.isprintable()
        assert says.endswith(".")
        assert len(says) < 500
    else:
        assert instance_of(scenario_of(instance)) == instance


def test_nesting_without_end_is_refused_like_any_list() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    assert_refused(changed("jobs.0.priority", deep), 'Job "t1":', '"priority" is a list')
