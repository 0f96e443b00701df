"""Full mode: what brute force finds on tiny instances, the known optima, legal always, never below where it began."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scheduler.domain.allocation.families import FAMILIES, load
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import figures_of, rank_of
from scheduler.domain.allocation.full import full_plan
from scheduler.domain.allocation.full import plan as plan_module
from scheduler.domain.allocation.full.model import Answer
from scheduler.domain.allocation.full.naive import naive_plan
from scheduler.domain.allocation.full.plan import FullPlan
from scheduler.domain.allocation.instance import BatchJob, Instance, RealtimeJob
from scheduler.domain.allocation.legality import violations
from tests.scheduler.domain.allocation.brute import optimum
from tests.scheduler.domain.allocation.six import OPTIMUM, six
from tests.scheduler.domain.allocation.strategies import instances, tiny_instances


def seconds(limit: float) -> Callable[[], float]:
    began = time.monotonic()
    return lambda: limit - (time.monotonic() - began)


def planned(instance: Instance, limit: float = 60.0) -> FullPlan:
    return full_plan(instance, fifo_grid(instance), left=seconds(limit))


def close(value: float) -> float:
    return 1e-6 * max(1.0, abs(value))


@settings(max_examples=150)
@given(tiny_instances())
def test_full_proves_what_brute_force_finds(instance: Instance) -> None:
    best = optimum(instance)
    assume(best is not None)
    assert best is not None
    plan = planned(instance)
    assert violations(instance, plan.grid) == []
    assert rank_of(instance, figures_of(instance, plan.grid)) == pytest.approx(best[0], rel=1e-6, abs=1e-6)
    assert plan.proved
    assert plan.bound >= best[0][-1] - 1e-12


@settings(max_examples=60)
@given(instances())
def test_full_is_legal_never_below_its_start_and_never_above_its_bound(instance: Instance) -> None:
    warm = fifo_grid(instance)
    plan = full_plan(instance, warm, left=seconds(5))
    assert violations(instance, plan.grid) == []
    rank, begun = rank_of(instance, figures_of(instance, plan.grid)), rank_of(instance, figures_of(instance, warm))
    assert rank >= begun
    assert plan.bound >= rank[-1] - 1e-12 or rank[0] < begun[0]


@pytest.mark.parametrize("name", OPTIMUM)
def test_the_known_optima_are_reached_and_proved(name: str) -> None:
    instance = six(name)
    plan = planned(instance)
    figures = figures_of(instance, plan.grid)
    assert plan.proved
    assert (figures.utilization, figures.objective) == pytest.approx(OPTIMUM[name], abs=1e-6)


@pytest.mark.parametrize("family", ["mixed", "realtime_contention", "training_heavy"])
def test_another_gpu_or_less_demand_never_lowers_the_optimum(family: str) -> None:
    instance = FAMILIES[family](2)
    best = planned(instance)
    assert best.proved
    more = planned(replace(instance, gpus=instance.gpus + 1))
    assert more.bound >= figures_of(instance, best.grid).value - close(best.bound)
    fewer = planned(replace(instance, jobs=tuple(with_less_demand(job) for job in instance.jobs)))
    assert fewer.bound >= figures_of(instance, best.grid).value - close(best.bound)


def with_less_demand(job: BatchJob | RealtimeJob) -> BatchJob | RealtimeJob:
    if isinstance(job, BatchJob):
        return job
    return replace(job, demand=tuple(max(0, wanted - 1) for wanted in job.demand), floor=job.floor)


@given(st.integers(0, 50))
@settings(max_examples=5)
def test_without_time_the_start_comes_back_with_a_valid_bound(seed: int) -> None:
    instance = FAMILIES["mixed"](seed)
    warm = fifo_grid(instance)
    plan = full_plan(instance, warm, left=lambda: 0.0)
    assert (plan.grid == warm).all()
    assert plan.bound >= figures_of(instance, warm).value


def test_the_time_limit_is_kept() -> None:
    instance = FAMILIES["scale"](1)
    began = time.monotonic()
    full_plan(instance, fifo_grid(instance), left=seconds(1))
    assert time.monotonic() - began < 20  # a busy machine; alone it is about a second


def test_a_plan_that_nobody_wants_any_more_ends_long_before_its_time_is_over() -> None:
    instance = load(1, gpus=64, jobs=30)
    warm = fifo_grid(instance)
    began = time.monotonic()
    full_plan(instance, warm, left=lambda: 600.0 if time.monotonic() - began < 2 else 0.0)
    assert time.monotonic() - began < 40  # a busy machine; alone it is two seconds and a little


def test_progress_is_told_and_bound_and_value_only_get_closer() -> None:
    told: list[tuple[str, float, float]] = []
    instance = FAMILIES["training_heavy"](1)
    full_plan(
        instance,
        fifo_grid(instance),
        left=seconds(30),
        report=lambda phase, bound, value: told.append((phase, bound, value)),
    )
    assert told[0][0] == "prices"
    assert [bound for _, bound, _ in told] == sorted((bound for _, bound, _ in told), reverse=True)
    assert [value for _, _, value in told] == sorted(value for _, _, value in told)


@pytest.mark.parametrize("false", [-1.0, 0.99])
def test_a_bound_below_what_a_legal_grid_is_worth_is_not_told(monkeypatch: pytest.MonkeyPatch, false: float) -> None:
    instance = FAMILIES["mixed"](1)
    best = planned(instance)
    claim = Answer(None, false * best.bound, is_closed=True)
    monkeypatch.setattr(plan_module, "solved", lambda *given, **more: claim)
    plan = full_plan(instance, best.grid, left=seconds(5))
    assert plan.bound >= figures_of(instance, best.grid).value
    assert (plan.grid == best.grid).all()


@settings(max_examples=40)
@given(tiny_instances())
def test_the_literal_model_agrees(instance: Instance) -> None:
    weighted = replace(instance, objective=replace(instance.objective, realtime="weighted"))
    best = optimum(weighted)
    assume(best is not None)
    assert best is not None
    plan = naive_plan(weighted, left=seconds(60))
    assert plan is not None
    assert violations(weighted, plan.grid) == []
    assert figures_of(weighted, plan.grid).value == pytest.approx(best[0][0], rel=1e-6, abs=1e-6)


def test_the_solver_prints_nothing() -> None:
    script = (
        "from scheduler.domain.allocation.families import mixed\n"
        "from scheduler.domain.allocation.fifo import fifo_grid\n"
        "from scheduler.domain.allocation.full import full_plan\n"
        "assert full_plan(mixed(1), fifo_grid(mixed(1)), left=lambda: 60.0).proved\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
