"""Planning on each arrival: what comes about is legal for the whole, and nothing that runs is ever moved."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain.allocation.baselines import priority_calendar_grid
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import Run, figures_of
from scheduler.domain.allocation.grid import FREE, Grid, empty_grid
from scheduler.domain.allocation.instance import BatchJob, Instance, Mode, Objective, RealtimeJob
from scheduler.domain.allocation.legality import violations
from scheduler.domain.allocation.rolling import regret, remainder, rolled
from tests.scheduler.domain.allocation.strategies import instances

PLANNERS = {
    "fifo": fifo_grid,
    "calendar": priority_calendar_grid,
    "fast": partial(fast_grid, iterations=20),
}


def training(id: str, arrival: int, gpus: int, steps: int, priority: float = 1.0) -> BatchJob:
    return BatchJob(id, "training", priority, arrival, (Mode(gpus, steps),))


def fleet(*jobs: BatchJob | RealtimeJob, gpus: int = 4, steps: int = 6) -> Instance:
    return Instance(gpus, steps, jobs, Objective(None))


@pytest.mark.parametrize("planner", PLANNERS.values(), ids=PLANNERS)
@settings(max_examples=120, deadline=None)
@given(instance=instances())
def test_what_comes_about_is_legal_for_the_whole_whoever_plans(planner, instance: Instance) -> None:
    assert violations(instance, rolled(instance, planner).grid) == []


@settings(max_examples=60)
@given(instance=instances())
def test_each_plan_is_asked_for_a_legal_question_and_obeyed_until_the_next(instance: Instance) -> None:
    plans: list[tuple[Instance, Grid]] = []

    def planner(asked: Instance) -> Grid:
        plan = fifo_grid(asked)
        assert violations(asked, plan) == []
        plans.append((asked, plan))
        return plan

    came = rolled(instance, planner)
    assert [instance.steps - asked.steps for asked, _ in plans] == list(came.planned_at)
    for (asked, plan), start, end in zip(plans, came.planned_at, (*came.planned_at[1:], instance.steps), strict=True):
        ids = np.array([*(job.id for job in asked.jobs), None], dtype=object)
        executed = np.array([*(job.id for job in instance.jobs), None], dtype=object)[came.grid[:, start:end]]
        assert (ids[plan[:, : end - start]] == executed).all()


@settings(max_examples=60)
@given(instance=instances(), data=st.data())
def test_nothing_is_planned_on_before_it_arrived(instance: Instance, data: st.DataObject) -> None:
    """What is executed before a step is the same whatever comes from it on, and however much of it."""
    step = data.draw(st.integers(0, instance.steps - 1))
    known = tuple(job for job in instance.jobs if isinstance(job, RealtimeJob) or job.arrival <= step)
    without = replace(instance, jobs=known)
    until = min((job.arrival for _, job in instance.batch if job.arrival > step), default=instance.steps)
    names = [np.array([*(job.id for job in one.jobs), ""]) for one in (instance, without)]
    executed, alike = (name[rolled(one, fifo_grid).grid] for name, one in zip(names, (instance, without), strict=True))
    assert (executed[:, :until] == alike[:, :until]).all()


@settings(max_examples=60)
@given(instance=instances())
def test_with_everything_there_from_the_start_one_plan_is_made_and_there_is_nothing_to_regret(
    instance: Instance,
) -> None:
    jobs = tuple(replace(job, arrival=0) if isinstance(job, BatchJob) else job for job in instance.jobs)
    instance = replace(instance, jobs=jobs)
    came = rolled(instance, fifo_grid)
    assert came.planned_at == (0,)
    assert (came.grid == fifo_grid(instance)).all()
    assert regret(instance, fifo_grid(instance), came.grid).value == 0


def test_a_job_that_runs_is_held_where_it_is_with_the_steps_it_still_needs() -> None:
    instance = fleet(training("a", 0, 2, 3), training("b", 2, 4, 1), training("c", 1, 2, 5))
    grid = empty_grid(4, 6)
    grid[2:4, 0:3] = 0
    left = remainder(instance, grid, {0: Run(0, 2, Mode(2, 3))}, 2)
    assert left.jobs == (0, 1, 2)
    held, *waiting = left.instance.jobs
    assert isinstance(held, BatchJob)
    assert held.running is not None
    assert (held.running.first_gpu, held.running.gpus, held.running.remaining) == (2, 2, 1)
    assert [(job.id, job.arrival) for job in waiting if isinstance(job, BatchJob)] == [("b", 0), ("c", 0)]
    assert left.instance.steps == 4


def test_a_job_that_has_ended_leaves_and_one_that_has_not_arrived_is_not_known() -> None:
    instance = fleet(training("a", 0, 2, 2), training("b", 5, 4, 1))
    left = remainder(instance, empty_grid(4, 6), {0: Run(0, 0, Mode(2, 2))}, 2)
    assert left.jobs == ()


def test_a_job_whose_latest_end_has_come_is_no_longer_asked_for() -> None:
    late = replace(training("a", 0, 2, 2), latest_end=3)
    assert remainder(fleet(late), empty_grid(4, 6), {}, 3).jobs == ()
    (waiting,) = remainder(fleet(late), empty_grid(4, 6), {}, 1).instance.jobs
    assert isinstance(waiting, BatchJob)
    assert waiting.latest_end == 2


def test_a_real_time_job_inherits_what_it_held_a_step_before_even_if_that_was_nothing() -> None:
    chat = RealtimeJob("chat", 1.0, (1, 0, 2, 3, 1, 0), 1, (0, 0, 0, 1, 0, 0))
    grid = empty_grid(4, 6)
    grid[[1, 3], 1] = 0
    for step, held in ((2, {1, 3}), (3, set())):
        (now,) = remainder(fleet(chat), grid, {}, step).instance.jobs
        assert isinstance(now, RealtimeJob)
        assert (now.demand, now.floor) == (chat.demand[step:], chat.floor[step:])
        assert now.inherited == held
    (first,) = remainder(fleet(chat), grid, {}, 0).instance.jobs
    assert first == chat


@settings(max_examples=60)
@given(instance=instances(), data=st.data())
def test_what_is_left_weighs_jobs_against_real_time_demand_as_the_whole_does(
    instance: Instance, data: st.DataObject
) -> None:
    """A grid's worth is that of its steps before, and that of what is left, the running jobs' cells in both."""
    came = rolled(instance, fifo_grid)
    step = data.draw(st.sampled_from(came.planned_at))
    left = remainder(instance, came.grid, {}, step)
    for at, job in zip(left.jobs, left.instance.jobs, strict=True):
        whole = instance.jobs[at]
        if isinstance(job, BatchJob):
            assert isinstance(whole, BatchJob)
            assert job.priority * left.instance.weights[0] == whole.priority * instance.weights[step]
        else:
            assert job.priority == whole.priority


def test_regret_is_what_foresight_would_have_been_worth() -> None:
    """A low job starts just before a high one arrives that needs its GPUs."""
    instance = fleet(training("low", 0, 4, 5, 1.0), training("high", 1, 4, 5, 9.0))
    foresight = empty_grid(4, 6)
    foresight[:, 1:6] = 1
    came = rolled(instance, fifo_grid).grid
    assert set(came[:, 0]) == {0}
    told = regret(instance, foresight, came)
    assert (told.clairvoyant, told.rolling) == (9.0 * 20, 1.0 * 20 + 9.0 * 4)
    assert told.value == 180 - 56
    assert figures_of(instance, came).value == 56
    assert FREE not in came
