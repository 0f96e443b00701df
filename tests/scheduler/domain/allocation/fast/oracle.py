"""A second decoder, in whole numbers of any length as bit sets, that shares no code with the product's kernels."""

from scheduler.domain.allocation.grid import FREE, Grid
from scheduler.domain.allocation.instance import BatchJob, Instance, RealtimeJob


def free_sets(instance: Instance, grid: Grid, without: set[int]) -> list[int]:
    """The GPUs free at each step of ``grid``, as bit sets, when the jobs of ``without`` are taken out."""
    free = []
    for step in range(instance.steps):
        column = grid[:, step].tolist()
        free.append(sum(1 << gpu for gpu, job in enumerate(column) if job == FREE or job in without))
    return free


def starts_open_to(instance: Instance, grid: Grid, at: int) -> set[int]:
    """The steps at which job ``at`` could start in ``grid`` with itself taken out: whole windows, block by block."""
    job = instance.jobs[at]
    assert isinstance(job, BatchJob)
    free = free_sets(instance, grid, {at})
    found = set()
    for mode in job.modes:
        last = instance.steps - 1 if job.latest_end is None else min(instance.steps - 1, job.latest_end - mode.steps)
        for start in range(job.arrival, last + 1):
            window = -1
            for step in range(start, min(start + mode.steps, instance.steps)):
                window &= free[step]
            block = (1 << mode.gpus) - 1
            if any(window >> first & block == block for first in instance.block_starts(mode.gpus)):
                found.add(start)
    return found


def missing_steps(instance: Instance, grid: Grid) -> int:
    """GPU-steps of demand that ``grid`` leaves unserved."""
    return sum(
        max(0, wanted - grid[:, step].tolist().count(at))
        for at, job in enumerate(instance.jobs)
        if isinstance(job, RealtimeJob)
        for step, wanted in enumerate(job.demand)
    )
