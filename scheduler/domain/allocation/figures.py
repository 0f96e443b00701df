"""What a legal grid is worth and what it holds."""

from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import NDArray

from scheduler.domain.allocation.grid import FREE, Grid
from scheduler.domain.allocation.instance import GUARANTEED, Instance, Mode, RealtimeJob

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Run:
    """A placed batch-like job: its first step, its lowest GPU, and the mode it runs in."""

    start: int
    first_gpu: int
    mode: Mode

    @property
    def end(self) -> int:
        """The step after its last one; beyond the horizon where it goes on."""
        return self.start + self.mode.steps


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one grid (docs/allocator.md); GPU-steps are cells.

    ``objective`` is Σ p·paid share·w(t) over batch-like cells − λ·``weighted_shortfall``; ``output`` the same without
    decay and penalty, real-time work served included. ``utilization`` and ``occupied_share`` are shares of all cells,
    without and with those a real-time job holds beyond its demand. ``completed``, ``continuing`` (beyond the horizon)
    and ``unplaced`` count batch-like jobs, ``realtime_served`` real-time jobs that miss nothing.
    ``weighted_shortfall`` is Σ p·missing GPU-steps, without λ. ``swaps_used`` are GPUs added plus dropped, at the
    first step only where GPUs are inherited.
    """

    objective: float
    output: float
    utilization: float
    occupied_share: float
    completed: int
    continuing: int
    unplaced: int
    realtime_served: int
    unmet_gpu_steps: int
    weighted_shortfall: float
    swaps_used: int

    @property
    def value(self) -> float:
        """The objective by its other name."""
        return self.objective


def runs_of(instance: Instance, grid: Grid) -> dict[int, Run]:
    """How each placed batch-like job runs, by its index in ``instance.jobs``; ``grid`` is legal."""
    by_step = np.ascontiguousarray(grid.T)
    steps, gpus = np.nonzero(by_step != FREE)
    jobs = by_step[steps, gpus]
    first = np.full(len(instance.jobs), -1)
    last = np.full(len(instance.jobs), -1)
    first[jobs[::-1]] = np.arange(len(jobs))[::-1]  # the last one written stays: the first cell in order of steps
    last[jobs] = np.arange(len(jobs))
    cells = np.bincount(jobs, minlength=len(instance.jobs))
    runs = {}
    for at, job in instance.batch:
        if first[at] >= 0:
            start = int(steps[first[at]])
            size = int(cells[at]) // (int(steps[last[at]]) - start + 1)
            runs[at] = Run(start, int(gpus[first[at]]), next(mode for mode in job.modes if mode.gpus == size))
    return runs


def realtime_counts(instance: Instance, grid: Grid) -> Counts:
    """GPUs each real-time job holds, shape (real-time jobs, steps), in the order of ``instance.realtime``."""
    row = np.full(len(instance.jobs) + 1, -1)
    row[[at for at, _ in instance.realtime]] = np.arange(len(instance.realtime))
    rows = row[grid]  # a free cell reads the entry beyond the last job
    gpus, steps = np.nonzero(rows >= 0)
    flat = np.bincount(rows[gpus, steps] * instance.steps + steps, minlength=len(instance.realtime) * instance.steps)
    return flat.reshape(len(instance.realtime), instance.steps)


def figures_of(instance: Instance, grid: Grid) -> Figures:
    """The figures of ``grid``, which is legal (what is not legal has none: ask ``violations`` first)."""
    runs = runs_of(instance, grid)
    held = realtime_counts(instance, grid)
    demand = np.array([job.demand for _, job in instance.realtime], dtype=np.int64).reshape(held.shape)
    served, missing = np.minimum(held, demand).sum(axis=1), np.maximum(demand - held, 0).sum(axis=1)
    shortfall = fsum(job.priority * int(short) for (_, job), short in zip(instance.realtime, missing, strict=True))
    earned, output, batch_cells = _batch_worth(instance, runs)
    realtime_output = (job.priority * int(got) for (_, job), got in zip(instance.realtime, served, strict=True))
    all_cells = instance.gpus * instance.steps
    continuing = sum(run.end > instance.steps for run in runs.values())
    return Figures(
        objective=earned - instance.objective.realtime_penalty * shortfall,
        output=fsum([output, *realtime_output]),
        utilization=(batch_cells + int(served.sum())) / all_cells,
        occupied_share=int(np.count_nonzero(grid != FREE)) / all_cells,
        completed=len(runs) - continuing,
        continuing=continuing,
        unplaced=len(instance.batch) - len(runs),
        realtime_served=int(np.count_nonzero(missing == 0)),
        unmet_gpu_steps=int(missing.sum()),
        weighted_shortfall=shortfall,
        swaps_used=_swaps_used(instance, grid, held),
    )


def _batch_worth(instance: Instance, runs: dict[int, Run]) -> tuple[float, float, int]:
    """Σ p·paid share·w(t), the same without w, and the number of cells."""
    upto = np.concatenate([[0.0], np.cumsum(instance.weights)])
    earned, output, cells = [], [], 0
    for at, run in runs.items():
        end = min(run.end, instance.steps)
        worth = instance.jobs[at].priority * run.mode.paid_share * run.mode.gpus
        earned.append(worth * float(upto[end] - upto[run.start]))
        output.append(worth * (end - run.start))
        cells += run.mode.gpus * (end - run.start)
    return fsum(earned), fsum(output), cells


def _swaps_used(instance: Instance, grid: Grid, held: Counts) -> int:
    is_realtime = np.array([isinstance(job, RealtimeJob) for job in instance.jobs] + [False])
    stays = (grid[:, 1:] == grid[:, :-1]) & is_realtime[grid[:, 1:]]
    moved = int(held[:, 1:].sum() + held[:, :-1].sum()) - 2 * int(np.count_nonzero(stays))
    for at, job in instance.realtime:
        if job.inherited is not None:
            moved += len(job.inherited.symmetric_difference(np.flatnonzero(grid[:, 0] == at).tolist()))
    return moved


def rank_of(instance: Instance, figures: Figures) -> tuple[float, ...]:
    """What to compare grids of ``instance`` by, the greater the better.

    The objective; where real-time demand is guaranteed, first the least weighted shortfall and then the objective.
    """
    if instance.objective.realtime == GUARANTEED:
        return (-figures.weighted_shortfall, figures.objective)
    return (figures.objective,)
