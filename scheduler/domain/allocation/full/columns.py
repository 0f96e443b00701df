"""What a batch-like job may do, its size and first step, without saying on which GPUs."""

from dataclasses import dataclass

import numpy as np

from scheduler.domain.allocation.instance import BatchJob, Instance
from scheduler.domain.allocation.market import last_start


@dataclass(frozen=True, slots=True)
class Column:
    """Job ``job`` (its index in the instance) on ``gpus`` from ``start`` to ``end`` (at most the horizon), worth so."""

    job: int
    gpus: int
    start: int
    end: int
    worth: float


def columns_of(instance: Instance) -> list[Column]:
    """Every column of every job that does not run yet, by job, size and start."""
    sums = np.concatenate(([0.0], np.cumsum(instance.weights))).tolist()
    offered = {mode.gpus: _has_place(instance, mode.gpus) for _, job in instance.batch for mode in job.modes}
    found = []
    for at, job in instance.batch:
        if job.running is not None:
            continue
        for mode in job.modes:
            if not offered[mode.gpus]:
                continue
            pay = job.priority * mode.paid_share * mode.gpus
            for start in range(job.arrival, last_start(instance, job, mode) + 1):
                end = min(start + mode.steps, instance.steps)
                found.append(Column(at, mode.gpus, start, end, pay * (sums[end] - sums[start])))
    return found


def running_worth(instance: Instance, job: BatchJob) -> float:
    """What a running job earns whatever is planned; 0 for one that does not run."""
    if job.running is None:
        return 0.0
    pay = job.priority * job.modes[0].paid_share * job.running.gpus
    return pay * sum(instance.weights[: job.running.remaining])


def _has_place(instance: Instance, size: int) -> bool:
    return any(True for _ in instance.block_starts(size))
