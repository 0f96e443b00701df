"""An instance as a few flat tables, the form in which the kernels read it."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler.domain.allocation.instance import ALIGNED, GUARANTEED, BatchJob, Instance, RealtimeJob

Ints = NDArray[Any]
Floats = NDArray[Any]
"""Arrays of whole numbers and of numbers, 64 bits each; their entries count as ``int`` and ``float``."""

GPUS, STEPS, IS_ALIGNED, IS_GUARANTEED = 0, 1, 2, 3
"""Entries of ``Question.shape``."""
ARRIVAL, LATEST_END, MODE_FROM, MODE_TO = 0, 1, 2, 3
"""Columns of ``Batch.jobs``."""
LEVEL, LENGTH = 0, 1
"""Columns of ``Batch.modes``: the block is of 2^level GPUs."""
MOST, SWAP_CAP, INHERITED_FROM, INHERITED_TO, IS_BOUND = 0, 1, 2, 3, 4
"""Columns of ``Elastic.jobs``; bound: the swap cap holds for the first step too."""

NEVER = 2**40
"""A step that no plan reaches: the latest end of a job that has none."""
GRAIN = 2.0**40
"""Priorities are whole multiples of 1 ÷ this of the greatest one, so that no common factor changes a comparison."""


class Batch(NamedTuple):
    """B waiting batch-like jobs (B × 4) and their M sizes (M × 2).

    ``rates`` (M): what a block of that size earns at w = 1, in units of the greatest priority. ``weight_sums``
    (H + 1): Σ w before each step. ``by_arrival`` (B): the jobs in FIFO's order.
    """

    jobs: Ints
    modes: Ints
    rates: Floats
    weight_sums: Floats
    by_arrival: Ints


class Elastic(NamedTuple):
    """R real-time jobs (R × 5): ``demand`` and ``floor`` (R × H), the GPUs ``inherited``, λ·p as ``penalty`` (R)."""

    jobs: Ints
    demand: Ints
    floor: Ints
    inherited: Ints
    penalty: Floats


class Question(NamedTuple):
    """``shape`` of it all; the sizes of the ``nodes``; ``held`` (·, 3): the running blocks.

    A running block is its first GPU, its GPUs, and its steps within the horizon.
    """

    shape: Ints
    nodes: Ints
    held: Ints
    batch: Batch
    elastic: Elastic


class Names(NamedTuple):
    """The place in ``Instance.jobs`` of each waiting, running and real-time job."""

    waiting: Ints
    running: Ints
    realtime: Ints


def question_of(instance: Instance) -> tuple[Question, Names]:
    """``instance`` as tables, and the names of their rows."""
    waiting = [(at, job) for at, job in instance.batch if job.running is None]
    running = [(at, job) for at, job in instance.batch if job.running is not None]
    realtime = instance.realtime
    names = Names(_ints([at for at, _ in waiting]), _ints([at for at, _ in running]), _ints([at for at, _ in realtime]))
    unit = max((job.priority for job in instance.jobs), default=1.0)
    is_guaranteed = instance.objective.realtime == GUARANTEED
    question = Question(
        _ints([instance.gpus, instance.steps, instance.blocks == ALIGNED, is_guaranteed]),
        _ints(instance.node_sizes),
        _held([job for _, job in running], instance.steps),
        _batch([job for _, job in waiting], instance, unit),
        _elastic([job for _, job in realtime], instance, unit),
    )
    return question, names


def _held(jobs: list[BatchJob], steps: int) -> Ints:
    blocks = [job.running for job in jobs if job.running is not None]
    rows = [(block.first_gpu, block.gpus, min(block.remaining, steps)) for block in blocks]
    return _ints(rows).reshape(-1, 3)


def _batch(jobs: list[BatchJob], instance: Instance, unit: float) -> Batch:
    rows, modes, shares, number = [], [], [], 0
    for job in jobs:
        end = NEVER if job.latest_end is None else job.latest_end
        rows.append((job.arrival, end, number, number + len(job.modes)))
        number += len(job.modes)
        for mode in job.modes:
            modes.append((mode.gpus.bit_length() - 1, mode.steps))
            shares.append(mode.paid_share * mode.gpus)
    table = _ints(rows).reshape(-1, 4)
    priorities = _shares([job.priority for job in jobs], unit)
    if number > len(jobs):
        priorities = np.repeat(priorities, table[:, MODE_TO] - table[:, MODE_FROM])
    weight_sums = np.zeros(instance.steps + 1)
    np.cumsum(instance.weights, out=weight_sums[1:])
    by_arrival = np.argsort(table[:, ARRIVAL], kind="stable")
    return Batch(table, _ints(modes).reshape(-1, 2), priorities * np.array(shares), weight_sums, by_arrival)


def _elastic(jobs: list[RealtimeJob], instance: Instance, unit: float) -> Elastic:
    shape = (len(jobs), instance.steps)
    demand = np.fromiter(chain.from_iterable([job.demand for job in jobs]), np.int64).reshape(shape)
    floor = np.fromiter(chain.from_iterable([job.floor for job in jobs]), np.int64).reshape(shape)
    inherited = [sorted(job.inherited or ()) for job in jobs]
    rows, number = [], 0
    for job, held in zip(jobs, inherited, strict=True):
        most, cap = min(instance.gpus, job.most), min(job.swap_cap, 2 * instance.gpus)
        rows.append((most, cap, number, number + len(held), job.inherited is not None))
        number += len(held)
    penalty = instance.objective.realtime_penalty * _shares([job.priority for job in jobs], unit)
    return Elastic(_ints(rows).reshape(-1, 5), demand, floor, _ints(list(chain(*inherited))), penalty)


def _shares(priorities: list[float], unit: float) -> Floats:
    return np.rint(np.array(priorities, dtype=np.float64) / unit * GRAIN) / GRAIN


def _ints(rows: Sequence[int] | Sequence[tuple[int, ...]]) -> Ints:
    return np.array(rows, dtype=np.int64)
