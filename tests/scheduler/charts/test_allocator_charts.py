"""The drawings of a plan: every held cell is covered once, whatever the instance."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler.charts.boxes import boxes
from scheduler.charts.lanes import lanes, unmet_by_step
from scheduler.charts.overview import USE_ROW, job_rows, use_rows
from scheduler.charts.price_strip import HEAD, HEIGHT, price_strip
from scheduler.charts.steps_axis import ticks
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.instance import BatchJob, Instance, Mode, Objective, RealtimeJob
from scheduler.domain.allocation.measured import Spread
from tests.scheduler.domain.allocation.strategies import instances


def covered(instance: Instance, grid: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which job, and which look, is drawn on each cell, read back from the places of the shapes."""
    drawn = lanes(instance, grid, ["told"] * len(instance.jobs), ["told"] * instance.steps)
    jobs, looks = np.full(grid.shape, -1), np.full(grid.shape, "", dtype="U9")
    for job in drawn.jobs:
        for piece in job.pieces:
            start = round(float(piece.x.rstrip("%")) * instance.steps / 100)
            width = round(float(piece.width.rstrip("%")) * instance.steps / 100)
            rows = slice(piece.y // drawn.row, (piece.y + piece.height) // drawn.row)
            assert (jobs[rows, start : start + width] == -1).all()
            jobs[rows, start : start + width] = job.at
            looks[rows, start : start + width] = piece.look
    return jobs, looks


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(instances())
def test_every_held_cell_is_drawn_once_and_no_other(instance: Instance) -> None:
    grid = fifo_grid(instance)
    jobs, looks = covered(instance, grid)
    assert (jobs == grid).all()
    for at, job in enumerate(instance.jobs):
        if not isinstance(job, BatchJob):
            spare = ((grid == at) & (looks == "spare")).sum(axis=0)
            beyond = np.maximum((grid == at).sum(axis=0) - np.asarray(job.demand), 0)
            assert (spare == beyond).all()


@given(instances())
def test_the_red_band_is_as_long_as_what_is_missing(instance: Instance) -> None:
    grid = fifo_grid(instance)
    drawn = lanes(instance, grid, ["told"] * len(instance.jobs), ["told"] * instance.steps)
    assert [bar.count for bar in drawn.unmet] == [count for count in unmet_by_step(instance, grid) if count]


def test_large_grids_are_drawn_by_node_and_by_job() -> None:
    jobs = tuple(BatchJob(f"b{at}", "training", 1.0, 0, _modes(32, 5)) for at in range(3))
    instance = Instance(gpus=128, steps=200, jobs=jobs, objective=_objective(), nodes=(32,) * 4)
    grid = fifo_grid(instance)
    use = use_rows(instance, grid)
    assert (use.by_node, len(use.rows), use.steps_a_column, use.height) == (True, 4, 3, 4 * USE_ROW)
    assert [bool(row.patches) for row in use.rows] == [True, True, True, False]
    assert use.rows[0].patches[0].shade == 4
    assert use.rows[0].patches[0].told == "GPUs 0–31, 0:00–3:00: 100 % held"
    rows = job_rows(instance, grid, [2], ["told"])
    assert (rows[0].id, rows[0].bars[0].x, rows[0].bars[0].width) == ("b2", "0.0000%", "2.5000%")


def test_a_real_time_job_is_one_outline_of_what_it_holds() -> None:
    job = RealtimeJob("chat", 1.0, (0, 2, 1), 2, (0, 0, 0), None)
    instance = Instance(gpus=2, steps=3, jobs=(job,), objective=_objective())
    grid = np.array([[-1, 0, -1], [-1, 0, 0]], dtype=np.int32)
    (row,) = job_rows(instance, grid, [0], ["told"])
    assert (row.bars, row.outline) == ((), "M0 16V16h1V2h1V9h1V16z")


def test_the_dearest_step_is_as_high_as_the_strip() -> None:
    bars = price_strip([0.0, 2.0, 4.0], ["a", "b", "c"])
    assert [bar.height for bar in bars] == [0, HEIGHT // 2, HEIGHT]
    assert bars[2].y == HEAD
    assert (bars[0].label, bars[1].label) == ("", "2.0")
    assert [bar.height for bar in price_strip([0.0, 0.0], ["", ""])] == [0, 0]


@given(st.integers(1, 5_000))
def test_an_axis_names_few_steps_and_the_first(steps: int) -> None:
    named = ticks(steps, 60)
    assert 1 <= len(named) <= 13
    assert (named[0].x, named[0].label) == ("0.0000%", "0:00")


@given(st.lists(st.tuples(st.lists(st.floats(-5, 9), min_size=5, max_size=5)), min_size=1, max_size=6))
def test_a_box_lies_between_its_least_and_its_most(values) -> None:
    spreads = [_spread(sorted(one)) for (one,) in values]
    drawn = boxes(spreads, scale=100, names=["n"] * len(spreads), told=["t"] * len(spreads))
    for box in drawn.rows:
        least, low, median, most = (float(x.rstrip("%")) for x in (box.least, box.low, box.median, box.most))
        assert 0 <= least <= low <= median <= most <= 100
    labels = [float(tick.label) for tick in drawn.ticks]
    assert labels == sorted(labels)
    assert 0 in labels


def _spread(ordered: list[float]) -> Spread:
    return Spread("part", "case", "measure", "share", 5, sum(ordered) / 5, *ordered)


def _modes(gpus: int, steps: int):
    return (Mode(gpus, steps),)


def _objective():
    return Objective(half_life_steps=None)
