"""Why not sooner: every sentence is true of its grid, checked by a reader that shares no code with the product."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler.domain.allocation.baselines import easy_backfill_grid, priority_calendar_grid, strict_fifo_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.instance import BatchJob, Instance
from scheduler.domain.allocation.reason import Why
from scheduler.domain.allocation.reasons import reason_of, reasons_of
from scheduler.domain.allocation.scenario import instance_of
from tests.scheduler.domain.allocation.claims import check_batch, check_realtime
from tests.scheduler.domain.allocation.six import SCENARIOS, six
from tests.scheduler.domain.allocation.strategies import instances

PLANS = (fifo_grid, strict_fifo_grid, priority_calendar_grid, easy_backfill_grid)


def checked(instance: Instance, grid: np.ndarray) -> list[str]:
    """The kinds of claims that were found true, one a job."""
    reasons = reasons_of(instance, grid)
    assert [reason.job for reason in reasons] == [job.id for job in instance.jobs]
    return [
        (check_batch if isinstance(job, BatchJob) else check_realtime)(instance, grid, at, reason)
        for at, (job, reason) in enumerate(zip(instance.jobs, reasons, strict=True))
    ]


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow])
@given(instances(), st.sampled_from(PLANS))
def test_every_sentence_is_true_of_every_plan(instance: Instance, plan) -> None:
    checked(instance, plan(instance))


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(instances(), st.sampled_from(PLANS), st.data())
def test_every_sentence_is_true_of_a_plan_that_leaves_a_job_out(instance: Instance, plan, data) -> None:
    grid = plan(instance).copy()
    leavable = [at for at, job in instance.batch if job.running is None]
    if leavable:
        grid[grid == data.draw(st.sampled_from(leavable))] = -1
    checked(instance, grid)


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(instances(realtime=3), st.data())
def test_every_sentence_is_true_of_a_plan_that_serves_less(instance: Instance, data) -> None:
    grid = fifo_grid(instance).copy()
    step = data.draw(st.integers(0, instance.steps - 1))
    for at, _ in instance.realtime:
        grid[:, step][grid[:, step] == at] = -1
    for at, job in enumerate(instance.jobs):
        if not isinstance(job, BatchJob):
            check_realtime(instance, grid, at, reason_of(instance, grid, at))


@pytest.mark.parametrize("name", sorted(path.stem for path in SCENARIOS.glob("*.json")))
def test_every_sentence_of_the_six_is_true_and_most_claims_are_met(name: str) -> None:
    kinds = checked(six(name), fifo_grid(six(name)))
    assert "served" in kinds
    assert "at once" in kinds


def test_a_job_that_waits_names_who_is_in_the_way_and_when() -> None:
    instance = six("mixed")
    reason = reason_of(instance, fifo_grid(instance), 6)
    assert reason.why is Why.BLOCKED
    assert reason.sentence == (
        "Before 13:00 no block of 2 GPUs stays free long enough: r0 (3:00–17:00), b5 (4:00–13:00) and r1 (3:00–17:00)"
        " are in the way."
    )


def test_a_job_longer_than_what_is_left_says_so() -> None:
    job = {"id": "late", "type": "training", "priority": 1, "arrival": 2, "sizes": {"1": 4}, "latest_end": 5}
    instance = instance_of({"gpus": 1, "steps": 6, "jobs": [job]})
    reason = reason_of(instance, fifo_grid(instance), 0)
    assert reason.sentence == "Needs 4 steps from its arrival at 2:00, too long to end by 5:00."


def test_a_free_block_that_the_plan_leaves_is_told_with_its_worth() -> None:
    job = {"id": "left", "type": "training", "priority": 2, "arrival": 0, "sizes": {"1": 2}}
    instance = instance_of({"gpus": 2, "steps": 4, "objective": {"half_life_steps": None}, "jobs": [job]})
    grid = fifo_grid(instance)
    grid[:] = -1
    told = reason_of(instance, grid, 0).sentence
    assert told == "A block of 1 GPU stands free for it at 0:00 and would earn 4.0: this plan leaves it out."
    grid[0, 2:4] = 0
    assert (
        reason_of(instance, grid, 0).sentence
        == "A block of 1 GPU stands free for it at 0:00, which earns the same 4.0."
    )


def test_a_checker_that_saw_another_grid_refuses_the_sentence() -> None:
    instance = six("mixed")
    grid = fifo_grid(instance)
    reason = reason_of(instance, grid, 6)
    freed = grid.copy()
    freed[grid == 8] = -1
    with pytest.raises(AssertionError):
        check_batch(instance, freed, 6, reason)
    fewer = replace(reason, blockers=reason.blockers[:-1])
    with pytest.raises(AssertionError):
        check_batch(instance, grid, 6, fewer)
