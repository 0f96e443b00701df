"""The verifier takes every legal grid and says what is wrong with any other, whatever stands in it."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.grid import empty_grid
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.legality import CHECKS, violations
from tests.scheduler.domain.allocation import brute
from tests.scheduler.domain.allocation.corruptions import Corruption, chat, corruptions, one_job, waiting
from tests.scheduler.domain.allocation.strategies import instances

CATALOGUE = list(corruptions())
catalogue = pytest.mark.parametrize("corruption", CATALOGUE, ids=lambda corruption: corruption.name)


@catalogue
def test_a_corruption_breaks_the_constraint_it_is_said_to_and_no_other(corruption: Corruption) -> None:
    assert violations(corruption.instance, corruption.grid) == []
    assert brute.is_legal(corruption.instance, corruption.grid)
    (violation,) = violations(corruption.instance, corruption.spoilt)
    assert violation.kind == corruption.kind
    assert violation.sentence.startswith('Job "a", step ')
    assert violation.job == "a"
    assert violation.step is not None
    if violation.gpu is not None:
        assert f"step {violation.step}, GPU {violation.gpu}: " in violation.sentence


@catalogue
def test_without_its_check_a_corruption_would_pass(corruption: Corruption) -> None:
    others = [check for check in CHECKS if check.kind != corruption.kind]
    assert violations(corruption.instance, corruption.spoilt, others) == []


def test_every_check_has_its_corruption_in_the_catalogue() -> None:
    assert {check.kind for check in CHECKS} == {corruption.kind for corruption in CATALOGUE}
    assert max(Counter(check.kind for check in CHECKS).values()) == 1
    assert max(Counter(corruption.name for corruption in CATALOGUE).values()) == 1


@pytest.mark.parametrize(
    ("name", "step", "gpu"),
    [
        ("a cell of a running block is freed", 1, 2),
        ("a running block goes on too long", 2, 0),
        ("a run stops and goes on later", 2, None),
        ("a block loses a GPU on the way", 2, 1),
        ("a block has a hole", 1, 1),
        ("a run ends too soon", 1, None),
        ("an aligned block is shifted by one", 1, 1),
        ("a job starts before it arrives", 1, 0),
        ("more is held than was ever asked for", 1, 1),
        ("less is held than the floor", 1, None),
        ("a GPU is changed for another", 1, 0),
        ("an inherited GPU is changed for another at once", 0, 0),
    ],
)
def test_the_step_and_the_gpu_are_those_that_are_wrong(name: str, step: int, gpu: int | None) -> None:
    (corruption,) = (one for one in CATALOGUE if one.name == name)
    (violation,) = violations(corruption.instance, corruption.spoilt)
    assert (violation.step, violation.gpu) == (step, gpu)


@st.composite
def spoilt_grids(draw: st.DrawFn) -> tuple[Instance, Any]:
    """FIFO's grid of some instance with up to four cells, or a stretch of a row, written anew."""
    instance = draw(instances(gpus=6, steps=5, batch=4, realtime=2))
    grid = fifo_grid(instance)
    gpus, steps = st.integers(0, instance.gpus - 1), st.integers(0, instance.steps - 1)
    jobs = st.integers(-1, len(instance.jobs) - 1)
    for _ in range(draw(st.integers(0, 4))):
        grid[draw(gpus), draw(steps)] = draw(jobs)
    if draw(st.booleans()):
        first, last = sorted([draw(steps), draw(steps)])
        low, high = sorted([draw(gpus), draw(gpus)])
        grid[low : high + 1, first : last + 1] = draw(jobs)
    return instance, grid


@settings(max_examples=400)
@given(spoilt_grids())
def test_it_finds_something_exactly_where_brute_force_does(drawn: tuple[Instance, Any]) -> None:
    instance, grid = drawn
    assert bool(violations(instance, grid)) == (not brute.is_legal(instance, grid))


@settings(max_examples=300)
@given(instances(gpus=3, steps=3, batch=2, realtime=1), st.data())
def test_it_judges_grids_of_any_origin_as_brute_force_does(instance: Instance, data: st.DataObject) -> None:
    cells = st.integers(-1, len(instance.jobs) - 1)
    row = st.lists(cells, min_size=instance.steps, max_size=instance.steps)
    grid = np.array(data.draw(st.lists(row, min_size=instance.gpus, max_size=instance.gpus)), dtype=np.int32)
    assert bool(violations(instance, grid)) == (not brute.is_legal(instance, grid))


PAIR, LEGAL = one_job(waiting(), ".xx. .xx. .... ....")


@pytest.mark.parametrize("index", [1, 7, -2, 2**31 - 1, -(2**31)])
def test_a_cell_that_names_no_job_is_said_with_its_place(index: int) -> None:
    grid = LEGAL.copy()
    grid[2, 3] = index
    (violation,) = violations(PAIR, grid)
    assert (violation.kind, violation.job, violation.step, violation.gpu) == ("unknown job", None, 3, 2)
    assert violation.sentence == f"GPU 2 at step 3 holds job number {index}, which there is not."


@pytest.mark.parametrize("dtype", ["i1", "i2", "i8", ">i4", "u1", "u8"])
def test_any_array_of_whole_numbers_is_read(dtype: str) -> None:
    grid = np.full((4, 4), 200 if dtype == "u1" else 5, dtype=dtype)
    grid[:2, 1:3] = 0
    assert {violation.kind for violation in violations(PAIR, grid)} == {"unknown job"}
    largest = np.full((4, 4), np.iinfo(np.dtype(dtype)).max, dtype=dtype)
    assert [violation.kind for violation in violations(PAIR, largest)] == ["unknown job"]


@pytest.mark.parametrize(
    "shape", [(4, 3), (3, 4), (5, 4), (4, 5), (0, 0), (4,), (16,), (4, 4, 1), (1, 4, 4), (), (0, 4), (4, 0)]
)
def test_a_grid_of_another_shape_is_one_violation(shape: tuple[int, ...]) -> None:
    (violation,) = violations(PAIR, np.full(shape, -1, dtype=np.int32))
    assert violation.kind == "shape"
    assert "4 GPUs × 4 steps" in violation.sentence


@pytest.mark.parametrize(
    "grid",
    [
        None,
        [],
        [[-1] * 4] * 4,
        "grid",
        7,
        {"grid": []},
        np.full((4, 4), -1.0),
        np.full((4, 4), np.nan),
        np.full((4, 4), True),
        np.full((4, 4), None),
        np.full((4, 4), "a"),
        np.full((4, 4), -1, dtype=complex),
    ],
)
def test_what_is_no_array_of_whole_numbers_is_one_violation(grid: Any) -> None:
    assert [violation.kind for violation in violations(PAIR, grid)] == ["shape"]


def test_a_grid_without_jobs_is_legal_where_nothing_has_to_stand() -> None:
    assert violations(PAIR, empty_grid(4, 4)) == []
    instance, _ = one_job(chat([3, 3], 1), ".. ..")
    assert violations(instance, empty_grid(2, 2)) == []


def test_every_job_that_breaks_something_is_named() -> None:
    instance, grid = one_job(chat([0, 0], 0), "xx xx")
    assert [violation.kind for violation in violations(instance, grid)] == ["most"]
    grid[0, 0] = -1
    assert [violation.kind for violation in violations(instance, grid)] == ["most", "swaps"]


def test_an_inherited_block_may_lie_across_everything_a_new_one_may_not() -> None:
    held = {"type": "training", "priority": 1, "running": {"first_gpu": 1, "gpus": 2, "remaining": 2}}
    instance, grid = one_job(held, "... xx. xx. ...", nodes=[2, 2])
    assert violations(instance, grid) == []


def test_demand_beyond_the_fleet_may_fill_it() -> None:
    instance, grid = one_job(chat([5, 5], 0), "xx xx")
    assert violations(instance, grid) == []
