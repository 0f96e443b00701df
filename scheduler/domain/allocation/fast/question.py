"""An instance as a few flat tables, the form in which the kernels read it."""

from array import array
from collections.abc import Sequence
from itertools import accumulate, chain
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
    waiting: list[BatchJob] = []
    running: list[BatchJob] = []
    realtime: list[RealtimeJob] = []
    names: tuple[list[int], list[int], list[int]] = ([], [], [])
    for at, job in enumerate(instance.jobs):
        if isinstance(job, RealtimeJob):
            realtime.append(job)
            names[2].append(at)
        elif job.running is None:
            waiting.append(job)
            names[0].append(at)
        else:
            running.append(job)
            names[1].append(at)
    unit = max([job.priority for job in instance.jobs], default=1.0)
    is_guaranteed = instance.objective.realtime == GUARANTEED
    question = Question(
        _ints([instance.gpus, instance.steps, int(instance.blocks == ALIGNED), int(is_guaranteed)]),
        _ints(instance.node_sizes),
        _held(running, instance.steps),
        _batch(waiting, instance, unit),
        _elastic(realtime, instance, unit),
    )
    return question, Names(_ints(names[0]), _ints(names[1]), _ints(names[2]))


def _held(jobs: list[BatchJob], steps: int) -> Ints:
    blocks = [job.running for job in jobs if job.running is not None]
    rows = [(block.first_gpu, block.gpus, min(block.remaining, steps)) for block in blocks]
    return _ints(list(chain(*rows))).reshape(-1, 3)


def _batch(jobs: list[BatchJob], instance: Instance, unit: float) -> Batch:
    rows: list[int] = []
    modes: list[int] = []
    shares: list[float] = []
    number = 0
    for job in jobs:
        end = NEVER if job.latest_end is None else job.latest_end
        first, number = number, number + len(job.modes)
        rows += (job.arrival, end, first, number)
        for mode in job.modes:
            modes += (mode.gpus.bit_length() - 1, mode.steps)
            shares.append(mode.paid_share * mode.gpus)
    table = _ints(rows).reshape(-1, 4)
    priorities = _shares([job.priority for job in jobs], unit)
    if number > len(jobs):
        priorities = np.repeat(priorities, table[:, MODE_TO] - table[:, MODE_FROM])
    weight_sums = np.array([*accumulate(instance.weights, initial=0.0)])
    by_arrival = table[:, ARRIVAL].argsort(kind="stable")
    return Batch(table, _ints(modes).reshape(-1, 2), priorities * np.array(shares), weight_sums, by_arrival)


def _elastic(jobs: list[RealtimeJob], instance: Instance, unit: float) -> Elastic:
    shape = (len(jobs), instance.steps)
    demand = _ints(list(chain.from_iterable([job.demand for job in jobs]))).reshape(shape)
    floor = _ints(list(chain.from_iterable([job.floor for job in jobs]))).reshape(shape)
    rows: list[int] = []
    inherited: list[int] = []
    for job in jobs:
        most, cap, first = min(instance.gpus, job.most), min(job.swap_cap, 2 * instance.gpus), len(inherited)
        inherited += sorted(job.inherited or ())
        rows += (most, cap, first, len(inherited), job.inherited is not None)
    penalty = instance.objective.realtime_penalty * _shares([job.priority for job in jobs], unit)
    return Elastic(_ints(rows).reshape(-1, 5), demand, floor, _ints(inherited), penalty)


def _shares(priorities: list[float], unit: float) -> Floats:
    shares = np.array(priorities, dtype=np.float64) / unit * GRAIN
    return np.rint(shares, out=shares) / GRAIN


def _ints(numbers: Sequence[int]) -> Ints:
    """A flat list as an array, by way of the fastest there is for a few of them."""
    return np.frombuffer(array("q", numbers), np.int64) if numbers else np.empty(0, np.int64)
