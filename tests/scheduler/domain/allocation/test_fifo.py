"""FIFO: the reservation for real-time work, then every job at its earliest start and lowest block."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import figures_of, realtime_counts
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import BatchJob, Instance
from scheduler.domain.allocation.legality import violations
from scheduler.domain.allocation.scenario import instance_of
from tests.scheduler.domain.allocation import brute
from tests.scheduler.domain.allocation.six import FIFO, six
from tests.scheduler.domain.allocation.strategies import Scenario, instances


@pytest.mark.parametrize("name", FIFO)
def test_the_six_scenarios_give_their_stated_figures(name: str) -> None:
    instance = six(name)
    grid = fifo_grid(instance)
    figures = figures_of(instance, grid)
    assert (figures.utilization, figures.objective) == pytest.approx(FIFO[name], abs=1e-6)
    assert violations(instance, grid) == []


@settings(max_examples=300)
@given(instances())
def test_its_grid_is_legal(instance: Instance) -> None:
    assert violations(instance, fifo_grid(instance)) == []


@settings(max_examples=25)
@given(instances(gpus=150, steps=20, batch=25, realtime=5))
def test_its_grid_is_legal_where_gpus_take_several_words(instance: Instance) -> None:
    assert violations(instance, fifo_grid(instance)) == []


def replayed(instance: Instance, grid: Grid, order: list[int]) -> Grid:
    """The batch-like jobs placed one by one by trying every start and block beside the real-time cells of ``grid``."""
    stays = {at for at, job in enumerate(instance.jobs) if not isinstance(job, BatchJob) or job.running is not None}
    again = grid.copy()
    for gpu, step in product(range(instance.gpus), range(instance.steps)):
        if grid[gpu, step] not in stays:
            again[gpu, step] = -1
    for at in order:
        job = instance.jobs[at]
        if at in stays or not isinstance(job, BatchJob):
            continue
        steps = {mode.gpus: mode.steps for mode in job.modes}
        free = [
            (start + steps[gpus], gpus, first, start)
            for start, length, first, gpus, _ in brute.placements(instance, job)
            if (again[first : first + gpus, start : start + length] == -1).all()
        ]
        if free:
            end, gpus, first, start = min(free)
            again[first : first + gpus, start:end] = at
    return again


@given(instances(), st.randoms(use_true_random=False))
def test_every_job_takes_its_earliest_end_and_the_lowest_block_in_the_order_given(
    instance: Instance, random: Any
) -> None:
    grid = fifo_grid(instance)
    by_arrival = [at for at, _ in sorted(instance.batch, key=lambda pair: pair[1].arrival)]
    assert (replayed(instance, grid, by_arrival) == grid).all()
    random.shuffle(by_arrival)
    shuffled = fifo_grid(instance, by_arrival)
    assert (replayed(instance, shuffled, by_arrival) == shuffled).all()
    assert violations(instance, shuffled) == []


@given(instances())
def test_whom_the_order_leaves_out_is_not_placed(instance: Instance) -> None:
    grid = fifo_grid(instance, [])
    held = {at for at, job in enumerate(instance.jobs) if not isinstance(job, BatchJob) or job.running is not None}
    assert set(grid.flatten().tolist()) <= held | {-1}
    assert violations(instance, grid) == []


@given(instances())
def test_a_priority_changes_nothing(instance: Instance) -> None:
    levelled = replace(instance, jobs=tuple(replace(job, priority=1.0) for job in instance.jobs))
    assert (fifo_grid(instance) == fifo_grid(levelled)).all()


def reserved(jobs: list[Scenario], gpus: int = 6, steps: int = 4) -> list[list[list[int]]]:
    """GPUs of each real-time job, step by step."""
    named = [{"id": f"j{at}", "priority": 1} | job for at, job in enumerate(jobs)]
    instance = instance_of({"gpus": gpus, "steps": steps, "jobs": named})
    grid = fifo_grid(instance)
    assert violations(instance, grid) == []
    return [[(grid[:, step] == at).nonzero()[0].tolist() for step in range(steps)] for at, _ in instance.realtime]


def realtime(demand: list[int], swap_cap: int, **changes: Any) -> Scenario:
    return {"type": "realtime", "demand": demand, "swap_cap": swap_cap} | changes


def block(first: int, gpus: int, remaining: int) -> Scenario:
    return {"type": "training", "running": {"first_gpu": first, "gpus": gpus, "remaining": remaining}}


def test_each_real_time_job_gets_its_days_maximum_all_day_from_the_top_down() -> None:
    assert reserved([realtime([0, 2, 1, 0], 1), realtime([1, 0, 0, 3], 0)]) == [[[4, 5]] * 4, [[1, 2, 3]] * 4]


def test_the_later_real_time_job_gets_what_is_left_and_its_floor_at_least() -> None:
    assert reserved([realtime([5] * 4, 1), realtime([3] * 4, 1)]) == [[[1, 2, 3, 4, 5]] * 4, [[0]] * 4]
    assert reserved([realtime([5] * 4, 1), realtime([3] * 4, 1, floor=2)]) == [[[2, 3, 4, 5]] * 4, [[0, 1]] * 4]


def test_inherited_gpus_are_kept_and_added_to_from_the_top_as_the_cap_allows_skipping_occupied_ones() -> None:
    jobs = [realtime([4] * 4, 1, running={"gpus": [0]}), block(4, 2, 2)]
    assert reserved(jobs) == [[[0, 3], [0, 2, 3], [0, 2, 3, 5], [0, 2, 3, 5]]]


def test_more_inherited_than_ever_demanded_is_kept() -> None:
    assert reserved([realtime([1] * 4, 1, running={"gpus": [0, 2, 3]})]) == [[[0, 2, 3]] * 4]


def test_a_reservation_makes_way_for_a_floor_that_comes_later_within_its_cap() -> None:
    first, second = reserved([realtime([6] * 4, 1), realtime([0] * 4, 2, floor=[0, 0, 0, 2])])
    assert [len(gpus) for gpus in first] == [6, 6, 5, 4]
    assert [len(gpus) for gpus in second] == [0, 0, 1, 2]


@given(instances())
def test_a_reservation_is_as_large_as_the_cap_and_the_others_let_it_be(instance: Instance) -> None:
    if (
        len(instance.realtime) == 1
        and not instance.realtime[0][1].inherited
        and not any(job.running for _, job in instance.batch)
    ):
        (_, job), *_ = instance.realtime
        counts = realtime_counts(instance, fifo_grid(instance))[0].tolist()
        reach = [job.most if job.inherited is None else job.swap_cap * (step + 1) for step in range(instance.steps)]
        assert counts == [min(job.most, instance.gpus, step) for step in reach]


def placed(sizes: dict[str, int], **changes: Any) -> tuple[int, int, int] | None:
    """Start, first GPU and GPUs of one job beside a block that holds GPUs 0 and 1 for two of 6 steps."""
    busy = {"id": "busy", "type": "training", "priority": 1, "running": {"first_gpu": 0, "gpus": 2, "remaining": 2}}
    job = {"id": "m", "type": "training", "priority": 1, "arrival": 0, "sizes": sizes} | changes
    instance = instance_of({"gpus": 4, "steps": 6, "jobs": [busy, job]})
    gpus, steps = (fifo_grid(instance) == 1).nonzero()
    return (int(steps.min()), int(gpus.min()), len(set(gpus.tolist()))) if len(gpus) else None


def test_a_moldable_job_takes_the_size_that_finishes_first_and_of_those_the_smaller() -> None:
    assert placed({"1": 6, "2": 4, "4": 3}) == (0, 2, 2)
    assert placed({"1": 6, "2": 5, "4": 2}) == (2, 0, 4)
    assert placed({"1": 4, "2": 4, "4": 2}) == (0, 2, 1)
    assert placed({"1": 9, "2": 8}) == (0, 2, 2)


def test_a_latest_end_that_cannot_be_met_leaves_a_job_unplaced() -> None:
    assert placed({"4": 2}, latest_end=4) == (2, 0, 4)
    assert placed({"4": 2}, latest_end=3) is None
    assert placed({"4": 2, "2": 3}, latest_end=3) == (0, 2, 2)
    assert placed({"1": 9}, latest_end=8) is None
    assert placed({"1": 1}, arrival=6) is None
    assert placed({"1": 9}, arrival=5) == (5, 0, 1)
