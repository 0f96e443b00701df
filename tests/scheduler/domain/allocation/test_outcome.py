"""A result is written in its file form and its grid is read back, or refused in a sentence."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import figures_of
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.outcome import IllegalResult, gap_share_of, grid_of, is_proved, outcome_of
from scheduler.domain.allocation.scenario import instance_of
from tests.scheduler.domain.allocation.example import EXAMPLE
from tests.scheduler.domain.allocation.strategies import instances

FORM = [
    *("mode", "grid", "objective", "value", "output", "utilization", "occupied_share", "completed", "unmet_gpu_steps"),
    *("bound", "gap_share", "proved", "latency_ms", "jobs"),
]


@given(instances())
def test_a_result_is_json_in_the_stated_form_and_its_grid_reads_the_same(instance: Instance) -> None:
    grid = fifo_grid(instance)
    result = json.loads(json.dumps(outcome_of(instance, grid, mode="fifo"), allow_nan=False))
    assert set(FORM) <= set(result)
    assert (grid_of(instance, result) == grid).all()
    assert grid_of(instance, result).dtype == grid.dtype
    assert result["objective"] == result["value"] == figures_of(instance, grid).objective
    assert [row["id"] for row in result["jobs"]] == [job.id for job in instance.jobs]
    for at, row in enumerate(result["jobs"]):
        assert set(row) == {"id", "placed", "start", "first_gpu", "gpus", "reason"}
        gpus, steps = (grid == at).nonzero()
        assert row["placed"] == bool(len(gpus))
        assert row["start"] == (int(steps.min()) if len(gpus) else None)


def test_the_rows_of_jobs_by_hand() -> None:
    instance = instance_of(EXAMPLE)
    result = outcome_of(
        instance, fifo_grid(instance), mode="fast", bound=1e6, latency_ms=0.8, reasons={"t1": "because."}
    )
    assert result["mode"] == "fast"
    assert (result["latency_ms"], result["bound"], result["proved"]) == (0.8, 1e6, False)
    assert result["jobs"] == [
        {"id": "t1", "placed": False, "start": None, "first_gpu": None, "gpus": None, "reason": "because."},
        {"id": "t0", "placed": True, "start": 0, "first_gpu": 4, "gpus": 2, "reason": None},
        {"id": "chat", "placed": True, "start": 0, "first_gpu": None, "gpus": 8, "reason": None},
    ]


@pytest.mark.parametrize(
    ("objective", "bound", "gap_share", "proved"),
    [
        (90.0, 100.0, 0.1, False),
        (-110.0, -100.0, 0.1, False),
        (100.0, 100.0, 0.0, True),
        (100.0 - 9e-5, 100.0, 9e-7, True),
        (100.0 - 2e-4, 100.0, 2e-6, False),
        (100.0 + 1e-5, 100.0, 0.0, True),
        (-1.0, 0.0, None, False),
        (0.0, 0.0, None, True),
        (5.0, None, None, False),
    ],
)
def test_the_gap_is_a_share_of_the_bound(
    objective: float, bound: float | None, gap_share: float | None, proved: bool
) -> None:
    assert gap_share_of(objective, bound) == (gap_share if gap_share is None else pytest.approx(gap_share, rel=1e-6))
    assert is_proved(objective, bound) is proved


def test_a_bound_below_what_a_grid_reaches_is_a_mistake_and_not_a_proof() -> None:
    with pytest.raises(ValueError, match="below"):
        gap_share_of(100.0, 99.0)


TWO = instance_of(
    {"gpus": 2, "steps": 2, "jobs": [{"id": "a", "type": "training", "priority": 1, "arrival": 0, "sizes": {"1": 1}}]}
)


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (None, '"grid" is null'),
        ([], '"grid" is null'),
        ({}, '"grid" is null'),
        ({"grid": "aa"}, '"grid" is "aa"'),
        ({"grid": {"0": []}}, '"grid" is an object'),
        ({"grid": []}, "has 0 rows, and there are 2 GPUs"),
        ({"grid": [["a", None]]}, "has 1 rows"),
        ({"grid": [["a", None]] * 3}, "has 3 rows"),
        ({"grid": [["a", None], ["a"]]}, "of GPU 1 has 1 cells, and there are 2 steps"),
        ({"grid": [["a", None, None], ["a", "a"]]}, "of GPU 0 has 3 cells"),
        ({"grid": [["a", None], None]}, "of GPU 1 is null"),
        ({"grid": [["a", None], "aa"]}, 'of GPU 1 is "aa"'),
        ({"grid": [["a", None], [None, "b"]]}, 'of GPU 1 at step 1 is "b", which is neither'),
        ({"grid": [["a", None], [None, 0]]}, "at step 1 is 0,"),
        ({"grid": [["a", None], [None, -1]]}, "at step 1 is -1,"),
        ({"grid": [["a", None], [True, "a"]]}, "at step 0 is true,"),
        ({"grid": [["a", None], [["a"], "a"]]}, "at step 0 is a list,"),
        ({"grid": [["a", None], [{}, "a"]]}, "at step 0 is an object,"),
        ({"grid": [["a", None], [float("nan"), "a"]]}, "at step 0 is nan,"),
        ({"grid": [["a", None], [10**6000, "a"]]}, "at step 0 is a number of more than 19 digits,"),
        ({"grid": [["a", None], ["", "a"]]}, 'at step 0 is "",'),
    ],
)
def test_a_grid_that_cannot_be_read_is_refused_in_a_sentence(result: Any, says: str) -> None:
    with pytest.raises(IllegalResult) as refused:
        grid_of(TWO, result)
    assert says in str(refused.value)
    assert str(refused.value).startswith("The result: ")
    assert str(refused.value).endswith(".")


@given(st.recursive(st.none() | st.integers() | st.text(max_size=2), st.lists, max_leaves=8))
def test_whatever_stands_for_a_grid_is_read_or_refused(junk: Any) -> None:
    said = ""
    try:
        grid = grid_of(TWO, {"grid": junk})
    except IllegalResult as illegal:
        said = str(illegal)
    assert said.endswith(".") if said else grid.shape == (2, 2)
