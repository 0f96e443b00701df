"""Fast mode: legal, never below FIFO, the same for the same seed, and close to the best possible."""

import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler.domain.allocation.families import SMALL, load, scale
from scheduler.domain.allocation.fast import fast_grid, warm_up
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import figures_of, rank_of, runs_of
from scheduler.domain.allocation.instance import BatchJob, Instance, Mode, Objective, RealtimeJob
from scheduler.domain.allocation.legality import violations
from tests.scheduler.domain.allocation import brute
from tests.scheduler.domain.allocation.fast.oracle import missing_steps, starts_open_to
from tests.scheduler.domain.allocation.strategies import instances, tiny_instances

pytestmark = pytest.mark.timeout(900)  # whoever comes first compiles the kernels


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    warm_up()


thorough = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


def rank(instance: Instance, grid: np.ndarray) -> tuple[float, ...]:
    return rank_of(instance, figures_of(instance, grid))


@thorough
@given(instances(), st.integers(0, 3), st.sampled_from([0, 1, 40]))
def test_every_grid_is_legal_and_ranks_no_lower_than_fifo(instance: Instance, seed: int, iterations: int) -> None:
    grid = fast_grid(instance, seed=seed, iterations=iterations)
    assert violations(instance, grid) == []
    assert rank(instance, grid) >= rank(instance, fifo_grid(instance))


@settings(thorough, max_examples=25)
@given(instances(gpus=150, steps=12, batch=14, realtime=3), st.sampled_from([0, 30]))
def test_fleets_of_more_than_a_word_are_planned_as_legally(instance: Instance, iterations: int) -> None:
    grid = fast_grid(instance, iterations=iterations)
    assert violations(instance, grid) == []
    assert rank(instance, grid) >= rank(instance, fifo_grid(instance))


@thorough
@given(tiny_instances())
def test_no_grid_is_worth_more_than_the_best_there_is(instance: Instance) -> None:
    best = brute.optimum(instance)
    assert best is not None
    assert rank(instance, fast_grid(instance)) <= tuple(figure + 1e-9 for figure in best[0])


@thorough
@given(instances(), st.integers(0, 5))
def test_a_seed_and_a_count_give_the_same_grid_again(instance: Instance, seed: int) -> None:
    first = fast_grid(instance, seed=seed, iterations=50)
    assert np.array_equal(first, fast_grid(instance, seed=seed, iterations=50))


@settings(thorough, max_examples=200)
@given(instances(), st.sampled_from([0, 50]), st.sampled_from([1, 3]))
def test_what_the_room_to_work_in_held_before_changes_nothing(instance: Instance, iterations: int, noise: int) -> None:
    clean = fast_grid(instance, iterations=iterations)
    make = np.empty

    def littered(shape: int | tuple[int, ...], dtype: type = float) -> np.ndarray:
        room = make(shape, dtype)
        room.fill(noise)
        return room

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np, "empty", littered)
        assert np.array_equal(clean, fast_grid(instance, iterations=iterations))


@thorough
@given(instances(), st.sampled_from([2.0, 0.25, 3.0, 7.1, 1000.0]))
def test_a_common_factor_of_all_priorities_changes_nothing(instance: Instance, factor: float) -> None:
    scaled = replace(instance, jobs=tuple(replace(job, priority=job.priority * factor) for job in instance.jobs))
    assert np.array_equal(fast_grid(instance, iterations=50), fast_grid(scaled, iterations=50))


@thorough
@given(instances(realtime=0))
def test_no_job_could_start_earlier_in_the_room_that_is_left(instance: Instance) -> None:
    grid = fast_grid(instance, iterations=20)
    fifo = fifo_grid(instance)
    for at, run in runs_of(instance, grid).items():
        job = instance.jobs[at]
        if isinstance(job, BatchJob) and job.running is None and len(job.modes) == 1 and not np.array_equal(grid, fifo):
            assert min(starts_open_to(instance, grid, at)) == run.start


@pytest.mark.parametrize("family", SMALL)
def test_more_search_never_ends_lower_than_its_starts(family: str) -> None:
    for seed in range(5):
        instance = SMALL[family](seed)
        starts = figures_of(instance, fast_grid(instance, iterations=0)).value
        assert figures_of(instance, fast_grid(instance, iterations=300)).value >= starts - 1e-9


def test_real_time_work_gives_way_where_that_pays_and_not_where_it_is_guaranteed() -> None:
    jobs = (
        BatchJob("whole", "training", 5, 0, (Mode(8, 4),)),
        RealtimeJob("trickle", 1, (1, 1, 1, 1), 1, (0,) * 4),
    )
    weighted = Instance(8, 4, jobs, Objective(half_life_steps=None, realtime_penalty=5))
    assert missing_steps(weighted, fast_grid(weighted)) == 4
    guaranteed = replace(weighted, objective=replace(weighted.objective, realtime="guaranteed"))
    assert missing_steps(guaranteed, fast_grid(guaranteed)) == 0


@pytest.mark.parametrize("penalty", [0.5, 1.0, 8.0])
@pytest.mark.parametrize("realtime", ["weighted", "guaranteed"])
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_real_time_jobs_that_crowd_each_other_out_leave_a_legal_plan(penalty: float, realtime: str) -> None:
    jobs = (
        RealtimeJob("stuck", 1, (0, 0, 1), 0, (0,) * 3),
        RealtimeJob("slow", 1, (3, 3, 2), 1, (0,) * 3, inherited=frozenset()),
        BatchJob("long", "training", 1, 0, (Mode(1, 4),)),
    )
    instance = Instance(1, 3, jobs, Objective(1.5, penalty, realtime))
    grid = fast_grid(instance)
    assert violations(instance, grid) == []
    best = brute.optimum(instance)
    assert best is not None
    assert rank(instance, grid) == pytest.approx(best[0])


def test_a_job_as_large_as_the_fleet_goes_in_front_where_one_step_of_real_time_work_is_worth_less() -> None:
    """No order of keys alone finds it: the real-time job goes around the other jobs, and not around the largest."""
    instance = SMALL["fragmentation"](4)
    assert figures_of(instance, fast_grid(instance)).value >= 247


def test_two_jobs_as_large_as_the_fleet_go_in_front_where_neither_would_pay_with_the_other_behind() -> None:
    """Each alone starts better elsewhere; what pays is the earliest start of one and the next step of the other."""
    instance = SMALL["priority_inversion"](111)
    assert figures_of(instance, fast_grid(instance)).value >= 256


def test_gpus_are_held_through_a_short_dip_of_demand_where_a_swap_cap_would_cost_them() -> None:
    """With as few GPUs as demand asks for, a step of it is missed; the optimum, 188.93, misses none."""
    instance = SMALL["realtime_contention"](100)
    grid = fast_grid(instance)
    assert figures_of(instance, grid).value >= 188.9
    assert missing_steps(instance, grid) == 0


def test_an_empty_question_has_an_empty_grid() -> None:
    empty = Instance(3, 2, (), Objective(half_life_steps=1.0))
    assert (fast_grid(empty) == -1).all()


def test_without_a_compiler_the_same_kernels_give_the_same_grids() -> None:
    compiled = [fast_grid(instance, seed=1, iterations=30).tobytes().hex() for instance in _examples()]
    program = (
        "import sys, warnings; warnings.simplefilter('error')\n"
        "sys.modules['numba'] = None\n"
        "from tests.scheduler.domain.allocation.fast.test_fast_grid import _examples\n"
        "from scheduler.domain.allocation.fast import fast_grid\n"
        "print('\\n'.join(fast_grid(i, seed=1, iterations=30).tobytes().hex() for i in _examples()))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=dict(os.environ)
    )
    assert plain.stdout.split() == compiled


def test_importing_fast_mode_loads_no_compiler() -> None:
    program = "import sys, scheduler.domain.allocation.fast as fast; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True, env=dict(os.environ))


def _examples() -> list[Instance]:
    small = [family(seed) for family in SMALL.values() for seed in range(2)]
    wide = load(0, gpus=72, jobs=20)
    return [*small, scale(0), _inherited(), wide, replace(wide, blocks="contiguous")]


def _inherited() -> Instance:
    """Running blocks, one of them misaligned, inherited GPUs, sizes to choose from, a floor, and nodes of two sizes."""
    from scheduler.domain.allocation.instance import Held

    jobs = (
        BatchJob("runs", "training", 3, 0, (Mode(2, 3),), running=Held(1, 2, 3)),
        BatchJob("any", "training", 4, 1, (Mode(1, 8, 1.0), Mode(2, 4, 1.0), Mode(4, 3, 2 / 3)), latest_end=9),
        BatchJob("long", "quantization", 2, 0, (Mode(4, 12),)),
        RealtimeJob("chat", 5, (1, 2, 3, 4, 4, 3, 2, 1, 1, 1), 2, (1,) * 10, inherited=frozenset({5, 9})),
        RealtimeJob("rag", 4, (2,) * 10, 0, (0,) * 10, inherited=frozenset({11})),
    )
    return Instance(12, 10, jobs, Objective(half_life_steps=5.0), nodes=(4, 8))
