"""The constraints on a real-time job (2 and 4 of those in docs/allocator.md), each written from its sentence."""

import numpy as np

from scheduler.domain.allocation.instance import Instance, RealtimeJob
from scheduler.domain.allocation.violation import Cells, Fault, Numbers


def at_most(instance: Instance, job: RealtimeJob, cells: Cells) -> Fault | None:
    """It holds no more than the largest of its demand, its floor and what it inherits."""
    inherited = 0 if job.inherited is None else len(job.inherited)
    most = max([*job.demand, *job.floor, inherited])
    over = np.flatnonzero(_counts(instance, cells) > most)
    if not len(over):
        return None
    step = int(over[0])
    return Fault(f"holds {len(cells.at(step)):,} GPUs and may hold {most:,}", step, int(cells.at(step)[-1]))


def floor(instance: Instance, job: RealtimeJob, cells: Cells) -> Fault | None:
    """It holds its floor at every step."""
    counts = _counts(instance, cells)
    under = np.flatnonzero(counts < np.array(job.floor))
    if not len(under):
        return None
    step = int(under[0])
    return Fault(f"holds {int(counts[step]):,} GPUs, below its floor of {job.floor[step]:,}", step)


def swaps(instance: Instance, job: RealtimeJob, cells: Cells) -> Fault | None:
    """Between two steps it adds and drops no more GPUs than its swap cap, counted one by one."""
    counts = _counts(instance, cells)
    place = cells.steps.astype(np.int64) * instance.gpus + cells.gpus  # ascending, so staying on is a neighbour below
    stays = np.isin(place, place + instance.gpus, assume_unique=True)
    kept = np.bincount(cells.steps[stays], minlength=instance.steps)
    changes = counts[1:] + counts[:-1] - 2 * kept[1:]
    over = np.flatnonzero(changes > job.swap_cap)
    if not len(over):
        return None
    step = int(over[0]) + 1
    gpu = int(np.setxor1d(cells.at(step), cells.at(step - 1), assume_unique=True)[0])
    return Fault(f"adds and drops {int(changes[step - 1]):,} GPUs, above its swap cap of {job.swap_cap:,}", step, gpu)


def first_swaps(_: Instance, job: RealtimeJob, cells: Cells) -> Fault | None:
    """At the first step it adds to and drops from what it inherits no more GPUs than its swap cap."""
    if job.inherited is None:
        return None
    changed = job.inherited ^ set(cells.at(0).tolist())
    if len(changed) <= job.swap_cap:
        return None
    what = f"adds to and drops from what it inherits {len(changed):,} GPUs, above its swap cap of {job.swap_cap:,}"
    return Fault(what, 0, min(changed))


def _counts(instance: Instance, cells: Cells) -> Numbers:
    """GPUs held, one a step."""
    return np.bincount(cells.steps, minlength=instance.steps)
