"""The real-time jobs of an order: their plans, and the way to place these that misses least."""

import numpy as np

from scheduler.domain.allocation.fast.blocks import Blocks, Words, copy_words
from scheduler.domain.allocation.fast.compiling import inlined, linked
from scheduler.domain.allocation.fast.elastic import free_counts, plan_counts
from scheduler.domain.allocation.fast.layers import (
    BY_LENGTH,
    BY_START,
    IS_PLANNED,
    ORDER,
    WANTED,
    Layers,
    cut_layers,
    place_leases,
)
from scheduler.domain.allocation.fast.question import Elastic, Ints

BRIDGED, BRIDGE = 2, 6
"""A way to place leases beside BY_LENGTH and BY_START, and the longest time of less demand that it holds through."""
SAME = 1e-12
"""Values that differ by less differ by rounding."""


@linked
def place_elastic(
    elastic: Elastic, blocks: Blocks, layers: Layers, free: Words, elastic_order: Ints, placed: Ints, numbers: Ints,
    most: float,
) -> float:  # fmt: skip
    """Plans and places all real-time jobs, and gives their weighted shortfall; −1 where a bound can't be kept.

    Or where it is certain to exceed ``most``. Where ``numbers`` says that they are planned already, the leases are
    placed in the order of their starts.
    """
    if numbers[IS_PLANNED] != 0:
        return _placed_by(BY_START, elastic, blocks, layers, free, elastic_order, placed, numbers)
    if not _plan_all(elastic, blocks, layers, free, elastic_order, most):
        return -1.0
    return _best_placed(elastic, blocks, layers, free, elastic_order, placed, numbers)


@inlined
def _best_placed(
    elastic: Elastic, blocks: Blocks, layers: Layers, free: Words, elastic_order: Ints, placed: Ints, numbers: Ints
) -> float:
    """The longest lease first; where that loses some of what was planned, in the order of their starts.

    Where that loses some, too, with short times of less demand held through; and the best of the three.
    """
    planned, missed, best = _shortfall_of(elastic, layers.counts), np.inf, -1
    copy_words(free, layers.before)
    for way in range(BRIDGED + 1):
        if way == BRIDGED:
            _bridge_all(elastic, layers)
        copy_words(layers.before, free)
        now = _placed_by(way, elastic, blocks, layers, free, elastic_order, placed, numbers)
        if 0 <= now <= planned + SAME:
            return now
        if 0 <= now < missed:
            missed, best = now, way
    if best == BRIDGED:
        return missed
    copy_words(layers.before, free)
    if best < 0 or not _plan_all(elastic, blocks, layers, free, elastic_order, np.inf):
        return -1.0
    return _placed_by(best, elastic, blocks, layers, free, elastic_order, placed, numbers)


@linked
def _placed_by(
    way: int, elastic: Elastic, blocks: Blocks, layers: Layers, free: Words, elastic_order: Ints, placed: Ints,
    numbers: Ints,
) -> float:  # fmt: skip
    """Places the counts planned, and gives the weighted shortfall then; −1 where a bound can't be kept."""
    cut_all(elastic, layers, elastic_order, numbers)
    numbers[ORDER] = BY_START if way == BY_START else BY_LENGTH
    if not place_leases(blocks, free, layers, placed, numbers):
        return -1.0
    return _shortfall_of(elastic, layers.held)


@inlined
def _bridge_all(elastic: Elastic, layers: Layers) -> None:
    """Lets real-time jobs hold through a short time of less demand what they hold around it, as far as GPUs are left.

    Fewer leases then begin and end, and none has to find a GPU again under a swap cap.
    """
    for row in range(elastic.jobs.shape[0]):
        counts = layers.counts[row]
        for step in range(1, counts.size):
            if counts[step] < counts[step - 1]:
                _bridge(counts, layers.room, step)


@inlined
def _bridge(counts: Ints, room: Ints, begin: int) -> None:
    high, end, last = counts[begin] + room[begin], begin + 1, min(counts.size, begin + BRIDGE + 1)
    while end < last and counts[end] <= counts[begin]:
        high = min(high, counts[end] + room[end])
        end += 1
    if end < last:
        level = min(counts[begin - 1], counts[end], high)
        for step in range(begin, end):
            raised = max(0, level - counts[step])
            room[step] -= raised
            counts[step] += raised


@inlined
def _shortfall_of(elastic: Elastic, counts: Ints) -> float:
    """Σ λ·p·max(0, D − n) where the real-time jobs hold so many GPUs (R × H); −1 where a floor isn't kept."""
    missed = 0.0
    for row in range(elastic.jobs.shape[0]):
        short, lacking = 0, 0
        for step in range(elastic.demand.shape[1]):
            lacking += max(0, elastic.floor[row, step] - counts[row, step])
            short += max(0, elastic.demand[row, step] - counts[row, step])
        if lacking > 0:
            return -1.0
        missed += elastic.penalty[row] * short
    return missed


@inlined
def open_room(blocks: Blocks, free: Words, layers: Layers) -> None:
    """Writes the GPUs that are free when every real-time job holds its least to the room."""
    free_counts(blocks, free, layers.room)
    for row in range(layers.least.shape[0]):
        for step in range(layers.room.size):
            layers.room[step] -= layers.least[row, step]


@inlined
def _plan_all(elastic: Elastic, blocks: Blocks, layers: Layers, free: Words, elastic_order: Ints, most: float) -> bool:
    """Plans the real-time jobs in their order, each leaving what those behind it can't do without.

    False where a bound can't be kept or they miss more than ``most``.
    """
    open_room(blocks, free, layers)
    for at in range(elastic_order.size):
        row = elastic_order[at]
        for step in range(layers.room.size):
            layers.room[step] += layers.least[row, step]
        counts = layers.counts[row]
        if not plan_counts(elastic, layers.least, row, layers.room, layers.band, layers.costs, counts):
            return False
        for step in range(layers.room.size):
            layers.room[step] -= counts[step]
    return _shortfall_of(elastic, layers.counts) <= most


@inlined
def cut_all(elastic: Elastic, layers: Layers, elastic_order: Ints, numbers: Ints) -> None:
    """Cuts the counts of all real-time jobs into the leases wanted."""
    number = 0
    for at in range(elastic_order.size - 1, -1, -1):
        number = cut_layers(elastic, elastic_order[at], layers, number)
    numbers[WANTED] = number
