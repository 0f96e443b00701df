"""The other baselines are legal and keep their own rule."""

import pytest
from hypothesis import given, settings

from scheduler.domain.allocation.baselines import easy_backfill_grid, priority_calendar_grid, strict_fifo_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import realtime_counts, runs_of
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.legality import violations
from scheduler.domain.allocation.scenario import instance_of
from tests.scheduler.domain.allocation.six import FIFO, six
from tests.scheduler.domain.allocation.strategies import Scenario, instances

BASELINES = [strict_fifo_grid, priority_calendar_grid, easy_backfill_grid]


@settings(max_examples=200)
@given(instances())
def test_every_baseline_is_legal(instance: Instance) -> None:
    for baseline in BASELINES:
        assert violations(instance, baseline(instance)) == []


@settings(max_examples=15)
@given(instances(gpus=150, steps=20, batch=25, realtime=5))
def test_every_baseline_is_legal_where_gpus_take_several_words(instance: Instance) -> None:
    for baseline in BASELINES:
        assert violations(instance, baseline(instance)) == []


@pytest.mark.parametrize("name", FIFO)
def test_every_baseline_is_legal_on_the_six_scenarios(name: str) -> None:
    for baseline in BASELINES:
        assert violations(six(name), baseline(six(name))) == []


@given(instances())
def test_in_strict_fifo_nobody_starts_before_whom_he_came_after(instance: Instance) -> None:
    runs = runs_of(instance, strict_fifo_grid(instance))
    starts = [
        runs[at].start for at in instance.by_arrival if at in runs and instance.jobs[at] not in _running(instance)
    ]
    assert starts == sorted(starts)


def _running(instance: Instance) -> list[object]:
    return [job for _, job in instance.batch if job.running is not None]


@given(instances())
def test_where_all_priorities_are_equal_the_calendar_is_fifo(instance: Instance) -> None:
    if len({job.priority for _, job in instance.batch}) <= 1:
        assert (priority_calendar_grid(instance) == fifo_grid(instance)).all()


def placed(jobs: list[Scenario], gpus: int = 2, steps: int = 6) -> dict[str, dict[str, tuple[int, int] | None]]:
    """Start and first GPU of every job, in each baseline."""
    named = [{"type": "training", "priority": 1, "arrival": 0} | job for job in jobs]
    instance = instance_of({"gpus": gpus, "steps": steps, "jobs": named})
    found = {}
    for baseline in [fifo_grid, *BASELINES]:
        runs = runs_of(instance, baseline(instance))
        places = {at: (run.start, run.first_gpu) for at, run in runs.items()}
        found[baseline.__name__] = {job.id: places.get(at) for at, job in enumerate(instance.jobs)}
    return found


def test_a_small_job_overtakes_in_fifo_and_backfill_but_not_in_strict_fifo() -> None:
    jobs = [
        {"id": "a", "sizes": {"1": 3}},
        {"id": "wide", "sizes": {"2": 2}},
        {"id": "b", "sizes": {"1": 3}, "priority": 9},
    ]
    found = placed(jobs)
    assert found["fifo_grid"] == {"a": (0, 0), "wide": (3, 0), "b": (0, 1)}
    assert found["strict_fifo_grid"] == {"a": (0, 0), "wide": (3, 0), "b": (5, 0)}
    assert found["easy_backfill_grid"] == {"a": (0, 0), "wide": (3, 0), "b": (0, 1)}
    assert found["priority_calendar_grid"] == {"b": (0, 0), "a": (0, 1), "wide": (3, 0)}


def test_backfill_does_not_put_off_the_head_of_the_line_but_may_put_off_the_others() -> None:
    jobs = [
        {"id": "a", "sizes": {"2": 2}},
        {"id": "head", "sizes": {"4": 2}},
        {"id": "next", "sizes": {"4": 1}},
        {"id": "long", "sizes": {"2": 3}},
        {"id": "short", "sizes": {"2": 2}},
    ]
    assert placed(jobs, gpus=4)["easy_backfill_grid"] == {
        "a": (0, 0),
        "head": (2, 0),
        "next": (4, 0),
        "long": (5, 0),
        "short": (0, 2),
    }


def test_backfill_beside_the_promised_block_may_run_past_its_start() -> None:
    jobs = [
        {"id": "a", "sizes": {"2": 2}},
        {"id": "b", "sizes": {"1": 3}},
        {"id": "head", "sizes": {"2": 2}},
        {"id": "beside", "sizes": {"1": 5}},
    ]
    found = placed(jobs, gpus=4)["easy_backfill_grid"]
    assert found == {"a": (0, 0), "b": (0, 2), "head": (2, 0), "beside": (0, 3)}


def test_backfill_inside_the_promised_block_may_not() -> None:
    jobs = [
        {"id": "a", "sizes": {"2": 2}},
        {"id": "b", "sizes": {"1": 1}},
        {"id": "head", "sizes": {"2": 2}},
        {"id": "inside", "sizes": {"1": 2}},
        {"id": "before", "sizes": {"1": 1}},
    ]
    found = placed(jobs, gpus=4)["easy_backfill_grid"]
    assert found == {"a": (0, 0), "b": (0, 2), "head": (1, 2), "inside": (2, 0), "before": (0, 3)}


def test_a_head_without_any_place_leaves_the_line_when_its_latest_end_has_passed() -> None:
    jobs = [
        {"id": "a", "sizes": {"2": 3}},
        {"id": "late", "sizes": {"2": 2}, "latest_end": 4},
        {"id": "b", "sizes": {"1": 1}},
    ]
    found = placed(jobs)
    assert found["strict_fifo_grid"] == {"a": (0, 0), "late": None, "b": (3, 0)}
    assert found["easy_backfill_grid"] == {"a": (0, 0), "late": None, "b": (3, 0)}
    patient = [jobs[0], {"id": "late", "sizes": {"1": 2}, "latest_end": 6, "arrival": 0}, jobs[2]]
    assert placed(patient)["strict_fifo_grid"] == {"a": (0, 0), "late": (3, 0), "b": (3, 1)}


def test_a_line_blocked_to_its_last_chance_goes_on_after_it() -> None:
    jobs = [
        {"id": "a", "sizes": {"2": 5}},
        {"id": "late", "sizes": {"1": 1}, "latest_end": 5},
        {"id": "b", "sizes": {"1": 1}},
    ]
    assert placed(jobs)["strict_fifo_grid"] == {"a": (0, 0), "late": None, "b": (5, 0)}
    endless = [jobs[0] | {"sizes": {"2": 9}}, {"id": "late", "sizes": {"1": 1}}, jobs[2]]
    assert placed(endless)["strict_fifo_grid"] == {"a": (0, 0), "late": None, "b": None}


def test_a_line_is_blocked_for_as_long_as_its_head_might_have_started() -> None:
    jobs = [
        {"id": "a", "sizes": {"1": 5}},
        {"id": "wide", "sizes": {"2": 1}, "latest_end": 3},
        {"id": "b", "sizes": {"1": 1}},
    ]
    found = placed(jobs)
    assert found["strict_fifo_grid"] == {"a": (0, 0), "wide": None, "b": (3, 1)}
    assert found["easy_backfill_grid"] == {"a": (0, 0), "wide": None, "b": (0, 1)}


def test_backfill_lets_real_time_work_follow_its_demand_and_ramps_ahead_of_it() -> None:
    chat = {"id": "chat", "type": "realtime", "priority": 1, "demand": [0, 0, 3, 0, 0, 0], "swap_cap": 1}
    job = {"id": "t", "type": "training", "priority": 1, "arrival": 0, "sizes": {"2": 2}}
    instance = instance_of({"gpus": 4, "steps": 6, "jobs": [chat, job]})
    grid = easy_backfill_grid(instance)
    assert realtime_counts(instance, grid).tolist() == [[1, 2, 3, 2, 1, 0]]
    assert realtime_counts(instance, fifo_grid(instance)).tolist() == [[3] * 6]
    assert runs_of(instance, grid)[1].start == 0


def test_of_what_was_inherited_the_lowest_goes_first_and_of_what_came_later_the_last() -> None:
    chat = {"id": "chat", "type": "realtime", "priority": 1, "demand": [2, 1, 3, 1], "swap_cap": 2}
    instance = instance_of({"gpus": 6, "steps": 4, "jobs": [chat | {"running": {"gpus": [0, 2, 3]}}]})
    grid = easy_backfill_grid(instance)
    held = [(grid[:, step] == 0).nonzero()[0].tolist() for step in range(4)]
    assert held == [[2, 3], [3], [3, 4, 5], [3]]
