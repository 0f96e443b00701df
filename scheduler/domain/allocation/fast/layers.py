"""Which GPUs the real-time jobs hold: their plans cut into layers, and each layer put on one GPU.

Layer l of a job holds one GPU wherever its plan is at least l, in *leases* of steps without a break. The leases of a
plan n begin and end |n(t) − n(t − 1)| times at step t, so the swap cap holds by construction; what it leaves is spent
where a lease has to change its GPU, and a lease that can't be placed is cut.
"""

from typing import NamedTuple

import numpy as np

from scheduler.domain.allocation.fast.bits import NONE, leading_zeros
from scheduler.domain.allocation.fast.blocks import WORDS, Blocks, Words, has_bit, take
from scheduler.domain.allocation.fast.compiling import inlined, linked
from scheduler.domain.allocation.fast.question import (
    INHERITED_FROM,
    INHERITED_TO,
    IS_BOUND,
    MOST,
    SWAP_CAP,
    Elastic,
    Floats,
    Ints,
)

BY_LENGTH, BY_START = 0, 1
WANTED, PLACED, ORDER, IS_PLANNED = 0, 1, 2, 3
"""Entries of ``numbers``: how many leases are; BY_LENGTH or BY_START, the order in which they are placed; and whether
the counts to place stand already."""
JOB, GPU, BEGIN, END = 0, 1, 2, 3
"""Columns of a lease; GPU −1: any."""
PLENTY = 2**40


class Layers(NamedTuple):
    """Room to place the real-time jobs in: leases ``wanted`` (· × 4), their ``order`` and ``buckets`` to sort them.

    ``open_at``: starts of the open leases while a plan is cut. ``spare`` (R × (H + 1)): swaps left at each step.
    ``held``, ``counts``, ``least`` (R × H): GPUs held in fact, as planned, at least. ``room`` (H): GPUs left by others;
    ``reserve`` (2 × H): GPUs to leave to the real-time jobs, none and as many as they hold where they come first.
    ``band`` (3 × H) and ``costs`` (2 × ·): of the dynamic programme. ``before`` (H · words): the blocks free before.
    """

    wanted: Ints
    order: Ints
    buckets: Ints
    open_at: Ints
    spare: Ints
    held: Ints
    counts: Ints
    least: Ints
    room: Ints
    reserve: Ints
    band: Ints
    costs: Floats
    before: Words


def lease_limit(elastic: Elastic) -> int:
    """Leases can't begin more often than GPUs can be added."""
    steps = elastic.demand.shape[1]
    return 1 + sum([row[MOST] + steps * min(row[MOST], row[SWAP_CAP]) for row in elastic.jobs.tolist()])


def layers_for(elastic: Elastic, gpus: int, limit: int, words: int) -> Layers:
    """Room for the real-time jobs of a question, and ``limit`` leases."""
    rows, steps = elastic.demand.shape
    most = max(elastic.jobs[:, MOST].tolist(), default=0)
    return Layers(
        wanted=np.empty((limit, 4), np.int64),
        order=np.empty(limit, np.int64),
        buckets=np.empty(steps + 2, np.int64),
        open_at=np.empty(gpus + 1, np.int64),
        spare=np.empty((rows, steps + 1), np.int64),
        held=np.empty((rows, steps), np.int64),
        counts=np.empty((rows, steps), np.int64),
        least=np.empty((rows, steps), np.int64),
        room=np.empty(steps, np.int64),
        reserve=np.zeros((2, steps), np.int64),
        band=np.empty((3, steps), np.int64),
        costs=np.empty((2, most + 1)),
        before=np.empty(steps * words, np.uint64),
    )


@inlined
def cut_layers(elastic: Elastic, row: int, layers: Layers, number: int) -> int:
    """Adds the leases of one job's plan to the ``number`` wanted so far, and gives their number then.

    First opened, last closed; inherited GPUs carry the lowest layers.
    """
    counts, spare = layers.counts[row], layers.spare[row]
    steps, cap = counts.size, elastic.jobs[row, SWAP_CAP]
    last_inherited = elastic.jobs[row, INHERITED_TO] - 1
    inherited, before = elastic.jobs[row, INHERITED_TO] - elastic.jobs[row, INHERITED_FROM], 0
    for step in range(steps + 1):
        now = counts[step] if step < steps else 0
        if step > 0:
            spare[step] = cap - abs(now - before)
        while before < now:
            layers.open_at[before] = step
            before += 1
        while before > now:
            before -= 1
            begun, lease = layers.open_at[before], layers.wanted[number]
            lease[JOB], lease[GPU], lease[BEGIN], lease[END] = row, -1, begun, step
            if begun == 0 and before < inherited:
                lease[GPU] = elastic.inherited[last_inherited - before]
            number += 1
    spare[0] = cap - abs(counts[0] - inherited) if elastic.jobs[row, IS_BOUND] else PLENTY
    spare[steps] = PLENTY
    return number


@inlined
def sort_leases(layers: Layers, number: int, order: int) -> None:
    """Longest first, or in the order of their starts; leases on an inherited GPU before all others.

    Among equals the one cut last comes first: of one job that is the lowest layer.
    """
    buckets, steps = layers.buckets, layers.buckets.size - 2
    for at in range(buckets.size):
        buckets[at] = 0
    for at in range(number):
        buckets[_bucket(layers.wanted[at], steps, order) + 1] += 1
    for at in range(1, steps + 2):
        buckets[at] += buckets[at - 1]
    for at in range(number - 1, -1, -1):
        bucket = _bucket(layers.wanted[at], steps, order)
        layers.order[buckets[bucket]] = at
        buckets[bucket] += 1


@inlined
def _bucket(lease: Ints, steps: int, order: int) -> int:
    if lease[GPU] >= 0:
        return 0
    if order == BY_START:
        return 1 + lease[BEGIN]
    return 1 + steps - (lease[END] - lease[BEGIN])


@inlined
def place_leases(blocks: Blocks, free: Words, layers: Layers, placed: Ints, numbers: Ints) -> bool:
    """Puts the leases wanted on GPUs, from the top of the range; False where an inherited GPU can't be held.

    A lease that fits nowhere as a whole is put down in pieces.
    """
    sort_leases(layers, numbers[WANTED], numbers[ORDER])
    numbers[PLACED] = 0
    for row in range(layers.held.shape[0]):
        for step in range(layers.held.shape[1]):
            layers.held[row, step] = 0
    for at in range(numbers[WANTED]):
        wanted = layers.wanted[layers.order[at]]
        row, gpu, start, end, is_paid = wanted[JOB], wanted[GPU], wanted[BEGIN], wanted[END], True
        if gpu >= 0:
            upto = _kept(blocks, free, layers.spare[row], gpu, end)
            if upto < 0:
                return False
            is_paid = False
        else:
            gpu = _highest_free(blocks, free, start, end)
            upto = end if gpu >= 0 else start
        if upto > start:
            _hold(blocks, free, layers.held, placed, numbers, row, gpu, start, upto)
        if upto < end:
            _place_pieces(blocks, free, layers.spare[row], layers.held, placed, numbers, row, upto, end, is_paid)
    return True


@inlined
def _kept(blocks: Blocks, free: Words, spare: Ints, gpu: int, end: int) -> int:
    """Until when an inherited GPU is held: to ``end``, or till it has to be let go; −1 where no swap is left for it."""
    upto, width = 0, blocks.width[0]
    while upto < end and has_bit(free, upto * width * 64 + gpu):
        upto += 1
    if upto < end:
        while upto >= 0 and spare[upto] < 1:
            upto -= 1
        if upto >= 0:
            spare[upto] -= 1
    return upto


@inlined
def _hold(
    blocks: Blocks, free: Words, held: Ints, placed: Ints, numbers: Ints, row: int, gpu: int, start: int, end: int
) -> None:
    take(blocks, free, gpu, 1, start, end)
    lease = placed[numbers[PLACED]]
    lease[JOB], lease[GPU], lease[BEGIN], lease[END] = row, gpu, start, end
    numbers[PLACED] += 1
    for step in range(start, end):
        held[row, step] += 1


@inlined
def _highest_free(blocks: Blocks, free: Words, start: int, end: int) -> int:
    """The highest GPU that is free from ``start`` to ``end``; −1 for none."""
    width = blocks.width[0]
    for word in range(blocks.levels[0, WORDS] - 1, -1, -1):
        left, step = free[start * width + word], start + 1
        while left != NONE and step < end:
            left &= free[step * width + word]
            step += 1
        if left != NONE:
            return word * 64 + 63 - leading_zeros(left)
    return -1


@inlined
def _longest_free(blocks: Blocks, free: Words, start: int, end: int) -> tuple[int, int]:
    """The GPU that is free from ``start`` on for the most steps up to ``end``, and the first step at which it isn't."""
    best, gpu, width = start, -1, blocks.width[0]
    for word in range(blocks.levels[0, WORDS] - 1, -1, -1):
        left, step = free[start * width + word], start + 1
        while left != NONE and step < end:
            further = left & free[step * width + word]
            if further == NONE:
                break
            left = further
            step += 1
        if left != NONE and step > best:
            best, gpu = step, word * 64 + 63 - leading_zeros(left)
    return gpu, best


@linked
def _place_pieces(
    blocks: Blocks, free: Words, spare: Ints, held: Ints, placed: Ints, numbers: Ints,
    row: int, start: int, end: int, is_paid: bool,
) -> None:  # fmt: skip
    """Places what can be of a lease; its end, and if so its start, is paid for, other changes take spare swaps."""
    step = start
    while step < end:
        cost = 0 if is_paid else 1
        gpu, upto = -1, step
        if spare[step] >= cost:
            gpu, upto = _longest_free(blocks, free, step, end)
        if gpu >= 0 and upto < end:
            while upto > step and spare[upto] < 1:
                upto -= 1
        if gpu < 0 or upto <= step:
            spare[step] += 1 - cost
            step, is_paid = step + 1, False
            continue
        spare[step] -= cost
        _hold(blocks, free, held, placed, numbers, row, gpu, step, upto)
        if upto == end:
            return
        spare[upto] -= 1
        step, is_paid = upto, False
    spare[end] += 1
