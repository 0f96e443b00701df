"""What is read as a scenario's text, and what is refused before anybody works on it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.allocation.scenario_text import (
    UnableToReadScenario,
    UnableToTakeScenario,
    json_object,
    scenario_within,
)
from scheduler.domain.policy import ONLINE_LIMITS, OWN_MACHINE_LIMITS, AllocationLimits

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_an_object_that_was_written_is_read_as_it_was(value: dict[str, object]) -> None:
    assert json_object(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "The scenario is not JSON: Expecting value at line 1, column 1."),
        (b'{"gpus": 8,}', "The scenario is not JSON: "),
        (b"[1]", "The scenario is not an object with keys, such as “gpus” and “jobs”."),
        (b"null", "The scenario is not an object with keys"),
        (b'{"gpus": 8, "steps": 2, "gpus": 9}', "The scenario says “gpus” twice in one object."),
        (b'{"jobs": [{"id": "a", "id": "a"}]}', "The scenario says “id” twice in one object."),
        (b'{"gpus": NaN}', "The scenario holds NaN, which is no number."),
        (b'{"gpus": -Infinity}', "The scenario holds -Infinity, which is no number."),
        (b'{"gpus": 1e999}', "The scenario holds 1e999, which is beyond all bounds."),
        (b'{"gpus": ' + b"9" * 5000 + b"}", "The scenario holds a number that is too large to be read."),
        (b'{"a": ' * 100_000, "The scenario is nested too deep."),
        (b'{"id": "\xff"}', "The scenario is not text in UTF-8."),
        ('{"gpus": 8}'.encode("utf-16"), "The scenario is not text in UTF-8."),
    ],
)
def test_a_text_that_can_t_be_meant_is_refused_in_one_sentence(text: bytes, sentence: str) -> None:
    with pytest.raises(UnableToReadScenario) as refused:
        json_object(text)
    assert str(refused.value).startswith(sentence)
    assert str(refused.value).endswith(".")


def test_a_mark_of_byte_order_is_no_fault() -> None:
    assert json_object(b'\xef\xbb\xbf{"gpus": 8}') == {"gpus": 8}


LIMITS = AllocationLimits(cells=100, jobs=3, work=200, search=1000)


@pytest.mark.parametrize(
    ("gpus", "steps", "jobs", "iterations", "sentence"),
    [
        (10, 10, 2, None, None),
        (101, 1, 0, None, "A grid of 101 GPUs × 1 steps has 101 cells, and at most 100 are taken."),
        (1, 1, 4, None, "The scenario has 4 jobs, and at most 3 are taken."),
        (10, 10, 3, None, "10 GPUs × 10 steps × 3 jobs are 300, and at most 200 are taken."),
        (10, 10, 2, 50, None),
        (10, 10, 2, 51, "51 iterations × 10 steps × 2 jobs are 1,020, and at most 1,000 are taken."),
        (10**30, 10**30, 0, None, "A grid of 1,000"),
    ],
)
def test_what_asks_for_too_much_is_refused_with_its_size(
    gpus: int, steps: int, jobs: int, iterations: int | None, sentence: str | None
) -> None:
    scenario = {"gpus": gpus, "steps": steps, "jobs": [{}] * jobs}
    if sentence is None:
        assert scenario_within(LIMITS, scenario, iterations=iterations) is scenario
        return
    with pytest.raises(UnableToTakeScenario) as refused:
        scenario_within(LIMITS, scenario, iterations=iterations)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("scenario", [{}, {"gpus": "many", "steps": True, "jobs": 7}, {"gpus": -5, "steps": 3.5}])
def test_what_is_no_number_is_left_to_whoever_reads_the_scenario(scenario: dict[str, object]) -> None:
    assert scenario_within(LIMITS, scenario) is scenario


def test_a_million_cells_are_too_many_online_and_ten_thousand_gpus_for_a_week_are_not_too_many_at_home() -> None:
    with pytest.raises(UnableToTakeScenario, match="has 1,000,000 cells"):
        scenario_within(ONLINE_LIMITS, {"gpus": 1000, "steps": 1000, "jobs": []})
    scenario_within(OWN_MACHINE_LIMITS, {"gpus": 10_000, "steps": 168, "jobs": [{}] * 5000})
    scenario_within(ONLINE_LIMITS, {"gpus": 1024, "steps": 168, "jobs": [{}] * 500})
