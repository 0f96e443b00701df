"""The constraints on a batch-like job (2, 3 and 5 of those in docs/allocator.md), each written from its sentence."""

from functools import lru_cache

import numpy as np

from scheduler.domain.allocation.instance import ALIGNED, BatchJob, Instance
from scheduler.domain.allocation.violation import Cells, Fault, Numbers


def held(instance: Instance, job: BatchJob, cells: Cells) -> Fault | None:
    """A running job holds its block from the first step on for what remains, and nothing else."""
    if job.running is None:
        return None
    first, size = job.running.first_gpu, job.running.gpus
    steps = min(job.running.remaining, instance.steps)
    due = np.arange(steps * size)
    due_steps, due_gpus = due // size, first + due % size
    if np.array_equal(cells.steps, due_steps) and np.array_equal(cells.gpus, due_gpus):
        return None
    has = set(zip(cells.steps.tolist(), cells.gpus.tolist(), strict=True))
    must = set(zip(due_steps.tolist(), due_gpus.tolist(), strict=True))
    step, gpu = min(has ^ must)
    says = "held without being due" if (step, gpu) in has else "not held"
    return Fault(
        f"is running on GPUs {first:,} to {first + size - 1:,} for {steps:,} steps more, and this is {says}", step, gpu
    )


def without_a_break(_: Instance, __: BatchJob, cells: Cells) -> Fault | None:
    """Once started it holds something at every step to its last."""
    gaps = np.flatnonzero(np.diff(cells.steps) > 1)
    if not len(gaps):
        return None
    return Fault("started before, goes on later and holds nothing", int(cells.steps[gaps[0]]) + 1)


def same_block(_: Instance, __: BatchJob, cells: Cells) -> Fault | None:
    """It holds the GPUs of its first step at every step of its run."""
    block = cells.block
    steps = cells.held_steps
    stands_still = np.array_equal(cells.gpus, np.tile(block, len(steps)))
    if stands_still and np.array_equal(cells.steps, np.repeat(steps, len(block))):
        return None
    for step in steps.tolist():
        changed = np.setxor1d(cells.at(step), block, assume_unique=True)
        if len(changed):
            return Fault("holds other GPUs than at its start", step, int(changed[0]))
    return None


def contiguous(_: Instance, __: BatchJob, cells: Cells) -> Fault | None:
    """Its GPUs are neighbours."""
    holes = np.flatnonzero(np.diff(cells.block) > 1)
    if not len(holes):
        return None
    return Fault("leaves a hole in its block", cells.start, int(cells.block[holes[0]]) + 1)


def power_of_two(_: Instance, __: BatchJob, cells: Cells) -> Fault | None:
    """A block is 1, 2, 4, 8 … GPUs."""
    size = len(cells.block)
    if bin(size).count("1") == 1:
        return None
    return Fault(f"holds {size:,} GPUs, which is no power of two", cells.start, cells.first_gpu)


def one_of_its_sizes(_: Instance, job: BatchJob, cells: Cells) -> Fault | None:
    """It holds as many GPUs as one of its sizes."""
    sizes = [mode.gpus for mode in job.modes]
    if len(cells.block) in sizes:
        return None
    named = " or ".join(f"{size:,}" for size in sizes)
    return Fault(f"holds {len(cells.block):,} GPUs instead of {named}", cells.start, cells.first_gpu)


def duration(instance: Instance, job: BatchJob, cells: Cells) -> Fault | None:
    """It runs for the duration of its size, or to the end of the horizon."""
    due = _due_steps(job, cells)
    if due is None:
        return None
    due = min(due, instance.steps - cells.start)
    runs = len(cells.held_steps)
    return None if runs == due else Fault(f"starts and runs for {runs:,} steps instead of {due:,}", cells.start)


def aligned(instance: Instance, _: BatchJob, cells: Cells) -> Fault | None:
    """Where blocks are aligned, its first GPU is a multiple of its size, counted from the start of its node."""
    size, first = len(cells.block), cells.first_gpu
    node_first, node = _node_of(instance, first)[1:]
    if instance.blocks != ALIGNED or size > node or (first - node_first) % size == 0:
        return None
    return Fault(f"holds a block of {size:,} that does not start at a multiple of its size", cells.start, first)


def within_nodes(instance: Instance, _: BatchJob, cells: Cells) -> Fault | None:
    """A block up to a node's size lies inside one node, a larger one on whole neighbouring nodes of one size."""
    size, first = len(cells.block), cells.first_gpu
    at, node_first, node = _node_of(instance, first)
    if first + size <= node_first + node:
        return None
    count = size // node
    whole_nodes = first == node_first and count * node == size
    if whole_nodes and instance.nodes[at : at + count] == (node,) * count:
        return None
    return Fault(f"holds a block of {size:,} that cuts across nodes", cells.start, first)


def arrival(_: Instance, job: BatchJob, cells: Cells) -> Fault | None:
    """It starts no earlier than it arrives."""
    if cells.start >= job.arrival:
        return None
    return Fault(f"starts before it arrives at step {job.arrival:,}", cells.start, cells.first_gpu)


def latest_end(_: Instance, job: BatchJob, cells: Cells) -> Fault | None:
    """It ends by its latest end, the part beyond the horizon included."""
    due = _due_steps(job, cells)
    if job.latest_end is None or due is None or cells.start + due <= job.latest_end:
        return None
    return Fault(f"starts too late to end by step {job.latest_end:,}", cells.start, cells.first_gpu)


def _due_steps(job: BatchJob, cells: Cells) -> int | None:
    """Steps that the size it runs in takes; None for a size it does not have."""
    size = len(cells.block)
    return next((mode.steps for mode in job.modes if mode.gpus == size), None)


def _node_of(instance: Instance, gpu: int) -> tuple[int, int, int]:
    """Which node ``gpu`` stands in, its first GPU and its size."""
    if not instance.nodes:
        return 0, 0, instance.gpus
    ends = _ends(instance.nodes)
    at = int(np.searchsorted(ends, gpu, side="right"))
    return at, int(ends[at]) - instance.nodes[at], instance.nodes[at]


@lru_cache(maxsize=4)
def _ends(nodes: tuple[int, ...]) -> Numbers:
    """The GPU after the last one of each node; asked for by every job of a grid."""
    return np.cumsum(nodes)
