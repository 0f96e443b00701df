"""A scenario is read exactly, written so that it reads the same, and warned of where it may surprise."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.allocation.instance import BatchJob, Held, Instance, Mode, RealtimeJob
from scheduler.domain.allocation.scenario import instance_of, scenario_of, warnings_of
from tests.scheduler.domain.allocation.example import EXAMPLE, changed
from tests.scheduler.domain.allocation.six import FIFO, SCENARIOS
from tests.scheduler.domain.allocation.strategies import Scenario, instances


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("jobs.0.arrival", 4),
        ("jobs.0.arrival", 10**9),
        ("jobs.0.latest_end", 0),
        ("jobs.0.latest_end", 3),
        ("jobs.0.sizes.2", 10**9),
        ("jobs.0.id", "ä job, with spaces – and 模型"),
        ("jobs.0.id", "a" * 100),
        ("jobs.1.running.first_gpu", 3),
        ("jobs.1.running.remaining", 99),
        ("jobs.1.arrival", 0),
        ("jobs.2.demand", [0, 0, 0, 0]),
        ("jobs.2.demand", [8, 9, 10**9, 0]),
        ("jobs.2.running.gpus", []),
        ("jobs.2.floor", 2),
        ("jobs", []),
        ("nodes", [1, 1, 1, 1, 4]),
        ("objective", {}),
        ("objective.half_life_steps", None),
        ("objective.realtime_penalty", 5),
        ("objective.realtime_penalty", 10),
    ],
)
def test_what_cannot_be_served_or_is_only_odd_is_legal(path: str, value: Any) -> None:
    instance = instance_of(changed(path, value))
    assert instance_of(json.loads(json.dumps(scenario_of(instance)))) == instance


def test_every_field_of_the_example_is_read() -> None:
    instance = instance_of(EXAMPLE)
    waiting, run, chat = instance.jobs
    assert (instance.gpus, instance.steps, instance.step_minutes) == (8, 4, 60)
    assert (instance.blocks, instance.nodes) == ("aligned", (4, 4))
    assert instance.weights == pytest.approx([1, 2**-0.5, 0.5, 2**-1.5])
    assert waiting == BatchJob("t1", "training", 4, 1, (Mode(2, 7, 12 / 14), Mode(4, 3, 1.0)), latest_end=9)
    assert run == BatchJob("t0", "quantization", 2, 0, (Mode(2, 3, 1.0),), running=Held(4, 2, 3))
    assert chat == RealtimeJob("chat", 5, (1, 0, 3, 9), 2, (1, 0, 0, 1), frozenset({0, 7}))


def test_what_is_left_out_has_its_stated_meaning() -> None:
    instance = instance_of({"gpus": 2, "steps": 6, "jobs": []})
    assert (instance.step_minutes, instance.blocks, instance.nodes) == (60, "aligned", ())
    assert instance.objective.half_life_steps == 3
    assert (instance.objective.realtime_penalty, instance.objective.realtime) == (8, "weighted")
    assert instance_of({"gpus": 2, "steps": 6, "objective": {"half_life_steps": None}, "jobs": []}).weights == (1,) * 6


@pytest.mark.parametrize(("size", "share"), [("2", 12 / 14), ("4", 1.0), (None, 1.0)])
def test_a_running_job_counts_as_the_size_it_was_started_in(size: str | None, share: float) -> None:
    scenario = changed("jobs.1.sizes", {"2": 7, "4": 3})
    scenario["jobs"][1]["running"] = {"first_gpu": 4, "gpus": int(size or 1), "remaining": 2}
    scenario["jobs"][2]["running"]["gpus"] = [0]
    job = instance_of(scenario).jobs[1]
    assert isinstance(job, BatchJob)
    assert job.modes == (Mode(int(size or 1), 2, share),)


@given(instances())
def test_a_scenario_written_and_read_is_the_same_instance(instance: Instance) -> None:
    assert instance_of(json.loads(json.dumps(scenario_of(instance)))) == instance


@given(st.integers(0, 13), st.integers(1, 10**5), st.integers(1, 10**5), st.integers(0, 13))
def test_the_share_of_a_running_job_is_written_to_the_last_bit(size: int, steps: int, other: int, log: int) -> None:
    sizes = {str(2**size): steps} | ({str(2**log): other} if log != size else {})
    held = {"first_gpu": 0, "gpus": 2**size, "remaining": 1}
    job = {"id": "a", "type": "training", "priority": 1, "running": held, "sizes": sizes}
    instance = instance_of({"gpus": 2**13, "steps": 2, "jobs": [job]})
    assert instance_of(scenario_of(instance)) == instance


@pytest.mark.parametrize("name", FIFO)
def test_the_six_scenarios_are_read_without_loss(name: str) -> None:
    instance = instance_of(json.loads((SCENARIOS / f"{name}.json").read_text()))
    assert instance_of(scenario_of(instance)) == instance


def rush(**changes: Any) -> Scenario:
    """One real-time job of priority 1 beside one waiting job of priority 9."""
    chat = {"id": "chat", "type": "realtime", "priority": 1, "demand": [1, 2], "swap_cap": 3}
    big = {"id": "big", "type": "training", "priority": 9, "arrival": 0, "sizes": {"1": 1}}
    return {"gpus": 4, "steps": 2, "jobs": [chat | changes, big]}


def test_real_time_work_that_a_job_outbids_is_warned_of() -> None:
    (warning,) = warnings_of(instance_of(rush()))
    assert warning.startswith('Job "chat": a missing GPU costs 8 a step, less than the 9 that job "big" earns')
    assert warnings_of(instance_of(rush(priority=1.125))) == ()
    assert warnings_of(instance_of(rush() | {"objective": {"realtime": "guaranteed"}})) == ()
    assert warnings_of(instance_of(rush() | {"objective": {"realtime_penalty": 9}})) == ()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"swap_cap": 1}, "never change one"),
        ({"swap_cap": 0}, "the same GPUs at every step"),
        ({"swap_cap": 0, "demand": [2, 2], "running": {"gpus": [1]}}, "the same GPUs at every step"),
    ],
)
def test_a_swap_cap_that_binds_more_than_it_seems_is_warned_of(changes: Scenario, says: str) -> None:
    (warning,) = warnings_of(instance_of(rush(priority=2) | {"jobs": rush(priority=2, **changes)["jobs"]}))
    assert warning.startswith('Job "chat": a swap cap of ')
    assert says in warning
