"""An instance as a market of GPUs, one price a step: the arrays that the price bound works on.

A *choice* is one size of one batch-like job; choices that differ only in their blocks and arrivals share a *group*
(same steps, same pay per cell, same last start), so that one sweep over the steps serves them all.
"""

from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler.domain.allocation.instance import BatchJob, Instance, Mode, RealtimeJob

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Market(NamedTuple):
    """What is for sale and who may buy, H steps, G groups, C choices, B batch-like jobs, R real-time jobs.

    ``capacity`` (H): GPUs that running jobs leave. ``weight_sums`` (H + 1): Σ w before each step. The choices of group
    g are ``group_from[g]`` to ``group_from[g + 1]``, latest arrival first; those of job j are
    ``choices[job_from[j]:job_from[j + 1]]``. ``held`` < 0: the first step is free.
    """

    capacity: Floats
    weight_sums: Floats
    group_steps: Ints
    group_pay: Floats
    group_last: Ints
    group_from: Ints
    choice_arrival: Ints
    choice_gpus: Ints
    choice_steps: Ints
    job_from: Ints
    choices: Ints
    demand: Ints
    floor: Ints
    most: Ints
    swap_cap: Ints
    held: Ints
    penalty: Floats


def market_of(instance: Instance) -> tuple[Market, float]:
    """The instance as arrays, and the value that its running jobs earn whatever is planned."""
    weight_sums = np.concatenate(([0.0], np.cumsum(instance.weights)))
    capacity, constant = np.full(instance.steps, float(instance.gpus)), 0.0
    free: list[BatchJob] = []
    for _, job in instance.batch:
        if job.running is None:
            free.append(job)
        else:
            end = min(job.running.remaining, instance.steps)
            capacity[:end] -= job.running.gpus
            constant += job.priority * job.modes[0].paid_share * job.running.gpus * weight_sums[end]
    return Market(capacity, weight_sums, *_choices(instance, free), *_elastic(instance)), float(constant)


def _choices(instance: Instance, jobs: list[BatchJob]) -> tuple[Ints, Floats, Ints, Ints, Ints, Ints, Ints, Ints, Ints]:
    offered = {size: any(True for _ in instance.block_starts(size)) for job in jobs for size in _sizes(job)}
    rows: list[tuple[int, float, int, int, int, int]] = []
    for at, job in enumerate(jobs):
        for mode in job.modes:
            last = last_start(instance, job, mode)
            if offered[mode.gpus] and last >= job.arrival:
                rows.append((mode.steps, job.priority * mode.paid_share, last, -job.arrival, at, mode.gpus))
    rows.sort()
    groups = [(key, len(list(same))) for key, same in groupby(rows, key=lambda row: row[:3])]
    table = np.array([key for key, _ in groups], dtype=np.float64).reshape(-1, 3)
    columns = np.array(rows, dtype=np.float64).reshape(-1, 6)
    owner = columns[:, 4].astype(np.int64)
    return (
        table[:, 0].astype(np.int64),
        table[:, 1].copy(),
        table[:, 2].astype(np.int64),
        _offsets([count for _, count in groups]),
        (-columns[:, 3]).astype(np.int64),
        columns[:, 5].astype(np.int64),
        columns[:, 0].astype(np.int64),
        _offsets(np.bincount(owner, minlength=len(jobs)).tolist()),
        np.argsort(owner, kind="stable"),
    )


def last_start(instance: Instance, job: BatchJob, mode: Mode) -> int:
    """The last step at which the job may start in this mode; below its arrival when there is none."""
    return instance.steps - 1 if job.latest_end is None else min(instance.steps - 1, job.latest_end - mode.steps)


def _sizes(job: BatchJob) -> list[int]:
    return [mode.gpus for mode in job.modes]


def _offsets(counts: list[int]) -> Ints:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(np.array(counts, dtype=np.int64))))


def _elastic(instance: Instance) -> tuple[Ints, Ints, Ints, Ints, Ints, Floats]:
    jobs: list[RealtimeJob] = [job for _, job in instance.realtime]
    shape = (len(jobs), instance.steps)
    held = [-1 if job.inherited is None else len(job.inherited) for job in jobs]
    return (
        np.array([job.demand for job in jobs], dtype=np.int64).reshape(shape),
        np.array([job.floor for job in jobs], dtype=np.int64).reshape(shape),
        np.array([min(instance.gpus, job.most) for job in jobs], dtype=np.int64),
        np.array([job.swap_cap for job in jobs], dtype=np.int64),
        np.array(held, dtype=np.int64),
        np.array([instance.objective.realtime_penalty * job.priority for job in jobs], dtype=np.float64),
    )
