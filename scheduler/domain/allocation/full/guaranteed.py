"""The least weighted shortfall that any plan can have, and a plan that has it."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from scheduler.domain.allocation.full.highs import solved
from scheduler.domain.allocation.full.master import Master, master_of
from scheduler.domain.allocation.grid import FREE, Grid, empty_grid
from scheduler.domain.allocation.instance import Instance

TOLERANCE = 1e-7


@dataclass(frozen=True)
class Served:
    """A legal grid of what runs and real-time jobs alone, its weighted shortfall, and whether that is the least."""

    grid: Grid
    shortfall: float
    is_least: bool


def best_served(instance: Instance, left: Callable[[], float]) -> Served | None:
    """The plan of least weighted shortfall that is found in time; None if none is.

    Batch-like jobs that don't run yet can always be left out, and what runs only ever leaves GPUs to be had, so that
    any counts within the swap caps and the free GPUs can be packed: the least of the counts is the least of all plans.
    """
    waiting = {at for at, job in instance.batch if job.running is None}
    alone = replace(instance, jobs=tuple(job for at, job in enumerate(instance.jobs) if at not in waiting))
    master = master_of(alone)
    answer = solved(master.model, left=left)
    if answer.x is None:
        return None
    counts = [[round(answer.x[n]) for n in row] for row in master.held]
    missed = (
        job.priority * max(0, wanted - held)
        for (_, job), row in zip(instance.realtime, counts, strict=True)
        for wanted, held in zip(job.demand, row, strict=True)
    )
    return Served(counted_grid(instance, counts), sum(missed), answer.is_closed)


def with_limit(master: Master, instance: Instance, served: Served) -> Master:
    """The master without the solutions that miss more, weighted, than was found possible.

    Where that is the least there is, the penalty is the same for all that are left, and becomes part of the constant.
    """
    terms = {u: job.priority for (_, job), row in zip(instance.realtime, master.missed, strict=True) for u in row}
    master.model.row(terms, high=served.shortfall + TOLERANCE * max(1.0, served.shortfall))
    if not served.is_least:
        return master
    for u in terms:
        master.model.worth[u] = 0.0
    return replace(master, constant=master.constant - instance.objective.realtime_penalty * served.shortfall)


def counted_grid(instance: Instance, counts: list[list[int]]) -> Grid:
    """The grid of running and real-time jobs in which each of the latter holds so many GPUs at each step."""
    grid = empty_grid(instance.gpus, instance.steps)
    for at, job in instance.batch:
        if job.running is not None:
            first = job.running.first_gpu
            grid[first : first + job.running.gpus, : job.running.remaining] = at
    held = [set(job.inherited or ()) for _, job in instance.realtime]
    for step in range(instance.steps):
        for mine, row in zip(held, counts, strict=True):
            while len(mine) > row[step]:
                mine.remove(max(mine))
        for mine, row in zip(held, counts, strict=True):
            free = (gpu for gpu in range(instance.gpus) if grid[gpu, step] == FREE)
            spare = [gpu for gpu in free if not any(gpu in others for others in held)]
            mine.update(spare[: row[step] - len(mine)])
        for (at, _), mine in zip(instance.realtime, held, strict=True):
            grid[sorted(mine), step] = at
    return grid
