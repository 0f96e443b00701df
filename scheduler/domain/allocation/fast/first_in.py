"""FIFO's plan, decoded by the kernels: what fast mode never falls below."""

import numpy as np

from scheduler.domain.allocation.fast.blocks import Blocks, Words, take
from scheduler.domain.allocation.fast.compiling import inlined
from scheduler.domain.allocation.fast.decode import (
    GPU,
    MISSED,
    MODE,
    START,
    UNPLACED,
    WORTH,
    Sequence,
    worth_of,
)
from scheduler.domain.allocation.fast.layers import IS_PLANNED, Layers
from scheduler.domain.allocation.fast.placing import open_room, place_elastic
from scheduler.domain.allocation.fast.question import (
    ARRIVAL,
    INHERITED_FROM,
    INHERITED_TO,
    IS_BOUND,
    LATEST_END,
    LENGTH,
    LEVEL,
    MODE_FROM,
    MODE_TO,
    MOST,
    SWAP_CAP,
    Batch,
    Elastic,
    Ints,
)
from scheduler.domain.allocation.fast.window import earliest_start, lowest_block


@inlined
def decode_fifo(
    batch: Batch, elastic: Elastic, blocks: Blocks, sequence: Sequence, layers: Layers, windows: Words
) -> None:
    """Real-time jobs at their most all day, then the waiting jobs in order of arrival, each as early as it can end.

    Decodes into the one snapshot of ``sequence``, whose order stays unused; its worth stays as it is where a floor or
    an inherited GPU can't be kept that way.
    """
    free, last = sequence.free[0], sequence.order.size
    open_room(blocks, free, layers)
    for row in range(elastic.jobs.shape[0]):
        reserve(elastic, layers, row)
    sequence.numbers[IS_PLANNED] = 1
    missed = place_elastic(
        elastic, blocks, layers, free, sequence.elastic_order, sequence.placed, sequence.numbers, np.inf
    )
    if missed < 0:
        return
    worth = -missed
    for at in range(batch.by_arrival.size):
        job = batch.by_arrival[at]
        worth += place_first_ended(batch, blocks, free, layers.reserve[0], sequence.jobs[job], windows, job)
    sequence.worth[last, WORTH], sequence.worth[last, MISSED] = worth, missed


@inlined
def reserve(elastic: Elastic, layers: Layers, row: int) -> None:
    """Plans the most a real-time job can hold, and takes it from the room."""
    counts, least, room, jobs = layers.counts[row], layers.least[row], layers.room, elastic.jobs
    cap, reach = jobs[row, SWAP_CAP], jobs[row, INHERITED_TO] - jobs[row, INHERITED_FROM]
    for step in range(counts.size):
        reach += cap
        counts[step] = min(jobs[row, MOST], room[step] + least[step])
        if jobs[row, IS_BOUND]:
            counts[step] = min(counts[step], reach)
        if step > 0:
            counts[step] = min(counts[step], counts[step - 1] + cap)
    for step in range(counts.size - 2, -1, -1):
        counts[step] = min(counts[step], counts[step + 1] + cap)
    for step in range(counts.size):
        room[step] += least[step] - counts[step]


@inlined
def place_first_ended(
    batch: Batch, blocks: Blocks, free: Words, reserve: Ints, plan: Ints, windows: Words, job: int
) -> float:
    """Gives a job the size that ends first, of such the smallest, at its earliest start in the lowest block."""
    best, start, mode, steps = 0, UNPLACED, UNPLACED, batch.weight_sums.size - 1
    for at in range(batch.jobs[job, MODE_FROM], batch.jobs[job, MODE_TO]):
        level, length = batch.modes[at, LEVEL], batch.modes[at, LENGTH]
        last = min(steps - 1, batch.jobs[job, LATEST_END] - length)
        step = earliest_start(blocks, free, reserve, level, length, batch.jobs[job, ARRIVAL], last, windows[0])
        if step >= 0 and (start < 0 or step + length < best):
            best, start, mode = step + length, step, at
            plan[GPU] = lowest_block(blocks, level, windows[0])
    plan[START], plan[MODE] = start, mode
    if start < 0:
        return 0.0
    take(blocks, free, plan[GPU], 1 << batch.modes[mode, LEVEL], start, min(best, steps))
    return worth_of(batch, mode, start)
