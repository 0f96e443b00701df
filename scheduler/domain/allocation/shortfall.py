"""Why a real-time job has less than it wants: at which steps, and what kept it from having one GPU more."""

import numpy as np
from numpy.typing import NDArray

from scheduler.domain.allocation.clock import listed, steps_label
from scheduler.domain.allocation.grid import FREE, Grid
from scheduler.domain.allocation.instance import Instance, RealtimeJob
from scheduler.domain.allocation.reason import Lack, Lacking, Reason, Why

NAMED = 4
"""So many jobs that hold the GPUs are named; the rest are counted."""

Cells = NDArray[np.bool_]


def realtime_reason(instance: Instance, grid: Grid, at: int, job: RealtimeJob) -> Reason:
    """How well a real-time job is served, and where it is not, why."""
    mine: Cells = grid == at
    short = np.maximum(np.asarray(job.demand) - mine.sum(axis=0), 0)
    missing = int(short.sum())
    if not missing:
        told = "Has all the GPUs it wants at every step." if any(job.demand) else "Wants no GPU at any step."
        return Reason(job.id, Why.SERVED, told)
    steps: dict[Lack, list[int]] = {}
    for step in np.flatnonzero(short):
        steps.setdefault(_lack(grid, mine, job, int(step)), []).append(int(step))
    parts = tuple(_lacking(instance, grid, at, lack, found) for lack, found in sorted(steps.items()))
    causes = "; ".join(_told(instance, job, part) for part in parts)
    told = f"Lacks {missing} GPU-step{'s' if missing > 1 else ''} of what it wants: {causes}."
    return Reason(job.id, Why.SHORT, told, lacking=parts)


def _lack(grid: Grid, mine: Cells, job: RealtimeJob, step: int) -> Lack:
    if mine[:, step].all():
        return Lack.FLEET
    free = np.flatnonzero(grid[:, step] == FREE)
    if not len(free):
        return Lack.TAKEN
    return Lack.SPARED if any(_may_add(mine, job, int(gpu), step) for gpu in free) else Lack.CAPPED


def _may_add(mine: Cells, job: RealtimeJob, gpu: int, step: int) -> bool:
    """Whether this one GPU more at this one step keeps the changes from and to the steps beside it within the cap."""
    changes = []
    if step > 0:
        changes.append((mine[:, step] != mine[:, step - 1], bool(mine[gpu, step - 1])))
    elif job.inherited is not None:
        held = np.isin(np.arange(len(mine)), list(job.inherited))
        changes.append((mine[:, 0] != held, bool(held[gpu])))
    if step + 1 < mine.shape[1]:
        changes.append((mine[:, step] != mine[:, step + 1], bool(mine[gpu, step + 1])))
    return all(int(changed.sum()) + (-1 if beside else 1) <= job.swap_cap for changed, beside in changes)


def _lacking(instance: Instance, grid: Grid, at: int, lack: Lack, steps: list[int]) -> Lacking:
    if lack is not Lack.TAKEN:
        return Lacking(lack, tuple(steps))
    jobs, cells = np.unique(grid[:, steps], return_counts=True)
    held = sorted((-int(count), int(job)) for job, count in zip(jobs, cells, strict=True) if job != at)
    return Lacking(lack, tuple(steps), tuple(instance.jobs[job].id for _, job in held))


def _told(instance: Instance, job: RealtimeJob, part: Lacking) -> str:
    when = steps_label(part.steps, instance.step_minutes)
    if part.lack is Lack.TAKEN:
        return f"{when} no GPU is free, the others are held by {listed(list(part.holders), NAMED)}"
    if part.lack is Lack.CAPPED:
        cap = f"{job.swap_cap} GPU{'' if job.swap_cap == 1 else 's'}"
        return f"{when} one more would break its swap cap of {cap} from step to step"
    if part.lack is Lack.FLEET:
        return f"{when} it has all {instance.gpus} GPUs there are"
    return f"{when} a GPU stands free that it could have, which this plan leaves"
