"""The figures of a grid are those that a loop over its cells gives."""

from itertools import product
from math import fsum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.allocation.baselines import easy_backfill_grid, strict_fifo_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import Figures, Run, figures_of, rank_of, realtime_counts, runs_of
from scheduler.domain.allocation.grid import Grid, empty_grid
from scheduler.domain.allocation.instance import Instance, Mode, RealtimeJob
from scheduler.domain.allocation.scenario import instance_of
from tests.scheduler.domain.allocation.strategies import Scenario, instances

GRIDS = st.sampled_from([fifo_grid, strict_fifo_grid, easy_backfill_grid])


def cells_of(instance: Instance, grid: Grid, at: int) -> list[tuple[int, int]]:
    return [(step, gpu) for step in range(instance.steps) for gpu in range(instance.gpus) if grid[gpu, step] == at]


def told_by_cells(instance: Instance, grid: Grid) -> dict[str, Any]:
    """Every figure, each from its sentence in docs/allocator.md."""
    half_life, horizon = instance.objective.half_life_steps, instance.steps
    earned, output, wanted = [], [], 0
    told = dict.fromkeys(["completed", "continuing", "unplaced", "realtime_served", "unmet_gpu_steps", "swaps_used"], 0)
    shortfall = []
    for at, job in enumerate(instance.jobs):
        cells = cells_of(instance, grid, at)
        by_step = [{gpu for step, gpu in cells if step == now} for now in range(horizon)]
        if isinstance(job, RealtimeJob):
            got = [min(len(gpus), asked) for gpus, asked in zip(by_step, job.demand, strict=True)]
            missing = sum(job.demand) - sum(got)
            wanted += sum(got)
            output.append(job.priority * sum(got))
            shortfall.append(job.priority * missing)
            told["unmet_gpu_steps"] += missing
            told["realtime_served"] += missing == 0
            before = by_step[0] if job.inherited is None else set(job.inherited)
            for gpus in by_step:
                told["swaps_used"] += len(gpus ^ before)
                before = gpus
            continue
        if not cells:
            told["unplaced"] += 1
            continue
        start = cells[0][0]
        (mode,) = (one for one in job.modes if one.gpus == len(by_step[start]))
        told["continuing" if start + mode.steps > horizon else "completed"] += 1
        for step, _ in cells:
            output.append(job.priority * mode.paid_share)
            earned.append(output[-1] * (1 if half_life is None else 2 ** (-step / half_life)))
            wanted += 1
    occupied = sum(grid[gpu, step] != -1 for gpu, step in product(range(instance.gpus), range(horizon)))
    return told | {
        "objective": fsum(earned) - instance.objective.realtime_penalty * fsum(shortfall),
        "output": fsum(output),
        "utilization": wanted / (instance.gpus * horizon),
        "occupied_share": occupied / (instance.gpus * horizon),
        "weighted_shortfall": fsum(shortfall),
    }


@given(instances(), GRIDS)
def test_the_figures_are_those_of_the_cells(instance: Instance, schedule: Any) -> None:
    grid = schedule(instance)
    figures = figures_of(instance, grid)
    told = told_by_cells(instance, grid)
    assert {name: getattr(figures, name) for name in told} == pytest.approx(told, rel=1e-12, abs=1e-12)
    assert figures.value == figures.objective
    assert set(told) == set(Figures.__slots__)


@given(instances(), GRIDS)
def test_every_job_is_counted_once_and_no_share_leaves_its_bounds(instance: Instance, schedule: Any) -> None:
    figures = figures_of(instance, schedule(instance))
    assert figures.completed + figures.continuing + figures.unplaced == len(instance.batch)
    assert 0 <= figures.utilization <= figures.occupied_share <= 1


@given(instances(), GRIDS)
def test_runs_and_counts_draw_the_grid_again(instance: Instance, schedule: Any) -> None:
    grid = schedule(instance)
    drawn = empty_grid(instance.gpus, instance.steps)
    for at, run in runs_of(instance, grid).items():
        drawn[run.first_gpu : run.first_gpu + run.mode.gpus, run.start : run.end] = at
    counts = realtime_counts(instance, grid)
    for row, (at, _) in enumerate(instance.realtime):
        assert counts[row].tolist() == [(grid[:, step] == at).sum() for step in range(instance.steps)]
        drawn[grid == at] = at
    assert (drawn == grid).all()


def small(**objective: Any) -> Instance:
    """4 GPUs, 4 steps: a moldable job, one that goes on, real-time demand."""
    jobs: list[Scenario] = [
        {"id": "m", "type": "training", "priority": 3, "arrival": 0, "sizes": {"1": 4, "2": 3}},
        {"id": "long", "type": "training", "priority": 2, "arrival": 2, "sizes": {"1": 5}},
        {"id": "r", "type": "realtime", "priority": 5, "demand": [1, 0, 2, 0], "swap_cap": 2, "running": {"gpus": [2]}},
    ]
    return instance_of({"gpus": 4, "steps": 4, "objective": {"half_life_steps": 1} | objective, "jobs": jobs})


def drawn() -> Grid:
    grid = empty_grid(4, 4)
    grid[0:2, 0:3] = 0
    grid[2, 2:4] = 1
    grid[3, 0:3] = 2
    return grid


def test_a_small_grid_by_hand() -> None:
    instance = small()
    figures = figures_of(instance, drawn())
    # 6 cells of the bigger size earn what 4 of the smaller would: each counts 2 ÷ 3 of the priority, so 2.
    assert figures.objective == pytest.approx(4 * (1 + 0.5 + 0.25) + 2 * (0.25 + 0.125) - 8 * 5 * 1)
    assert figures.output == pytest.approx(12 + 4 + 5 * 2)
    assert figures.utilization == (6 + 2 + 2) / 16
    assert figures.occupied_share == (6 + 2 + 3) / 16
    assert (figures.completed, figures.continuing, figures.unplaced, figures.realtime_served) == (1, 1, 0, 0)
    assert (figures.unmet_gpu_steps, figures.weighted_shortfall) == (1, 5)
    assert figures.swaps_used == 2 + 1
    assert runs_of(instance, drawn()) == {0: Run(0, 0, Mode(2, 3, 4 / 6)), 1: Run(2, 2, Mode(1, 5))}


def test_a_first_placement_that_nothing_was_inherited_for_uses_no_swap() -> None:
    job = {"id": "r", "type": "realtime", "priority": 1, "demand": [2, 2], "swap_cap": 0}
    instance = instance_of({"gpus": 2, "steps": 2, "jobs": [job]})
    assert figures_of(instance, fifo_grid(instance)).swaps_used == 0


def test_grids_are_compared_by_value_or_by_what_guaranteed_work_misses_first() -> None:
    weighted, guaranteed = small(), small(realtime="guaranteed")
    figures = figures_of(weighted, drawn())
    assert rank_of(weighted, figures) == (figures.objective,)
    assert rank_of(guaranteed, figures) == (-5, figures.objective)


def test_a_job_running_in_a_bigger_size_counts_as_that_size_did() -> None:
    held = {"first_gpu": 0, "gpus": 2, "remaining": 1}
    job = {"id": "m", "type": "training", "priority": 3, "running": held, "sizes": {"1": 4, "2": 3}}
    instance = instance_of({"gpus": 2, "steps": 2, "jobs": [job]})
    assert figures_of(instance, fifo_grid(instance)).output == pytest.approx(3 * 2 * 4 / 6)


def test_an_instance_without_jobs_has_figures_too() -> None:
    instance = instance_of({"gpus": 2, "steps": 2, "jobs": []})
    figures = figures_of(instance, empty_grid(2, 2))
    assert (figures.objective, figures.utilization, figures.unmet_gpu_steps, figures.swaps_used) == (0, 0, 0, 0)
