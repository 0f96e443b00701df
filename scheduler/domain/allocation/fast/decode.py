"""From an order of jobs to a plan: one after the other takes its earliest start and the snuggest block there."""

from typing import NamedTuple

from scheduler.domain.allocation.fast.blocks import Blocks, Words, copy_words, take
from scheduler.domain.allocation.fast.compiling import inlined, linked
from scheduler.domain.allocation.fast.elastic import free_counts, plan_counts
from scheduler.domain.allocation.fast.layers import (
    BY_LENGTH,
    BY_START,
    IS_PLANNED,
    ORDER,
    PLACED,
    WANTED,
    Layers,
    cut_layers,
    place_leases,
)
from scheduler.domain.allocation.fast.question import (
    ARRIVAL,
    LATEST_END,
    LENGTH,
    LEVEL,
    MODE_FROM,
    MODE_TO,
    Batch,
    Elastic,
    Floats,
    Ints,
)
from scheduler.domain.allocation.fast.window import earliest_start, snug_block

RELEASE, CHOICE, START, MODE, GPU = 0, 1, 2, 3, 4
"""Columns of ``Sequence.jobs``: no start before, or AROUND; size or ANY; as decoded: start or UNPLACED, size, GPU."""
WORTH, MISSED = 0, 1
"""Columns of ``Sequence.worth``: value and weighted shortfall of the entries before."""
ANY = -1
AROUND = -1
UNPLACED = -1


class Sequence(NamedTuple):
    """An order to decode, and the plan it decodes to. B waiting jobs, R real-time jobs, E entries.

    ``order`` (E): waiting jobs, and B for all real-time jobs together, which are planned in ``elastic_order`` (R). A
    job in front of those leaves them as many GPUs as they want, AROUND them, or starts at its release and may not.
    ``jobs`` (B × 5), ``worth`` (E + 1 × 2). ``free`` (E + 1 or 1, H · words): the blocks that are free before each
    entry, or now. ``placed`` (· × 4): the real-time jobs' leases, ``numbers`` (4): see ``layers``.
    """

    order: Ints
    elastic_order: Ints
    jobs: Ints
    worth: Floats
    free: Words
    placed: Ints
    numbers: Ints


@inlined
def decode(
    batch: Batch, elastic: Elastic, blocks: Blocks, origin: Sequence, sequence: Sequence, layers: Layers,
    windows: Words, entry: int, until: int, hopes: Floats, least: float,
) -> int:  # fmt: skip
    """Decodes from ``entry`` on, and gives the entry from which on the plan is that of ``origin`` again.

    −1 as soon as it's certain to be illegal or worth less than ``least``. ``origin`` is decoded; up to ``entry`` and
    from ``until`` on both orders are the same. ``hopes`` (B + 1): the most each entry can add to the value.
    """
    order, entries, waiting = sequence.order, sequence.order.size, batch.jobs.shape[0]
    worth, missed = origin.worth[entry, WORTH], origin.worth[entry, MISSED]
    sequence.worth[entry, WORTH], sequence.worth[entry, MISSED] = worth, missed
    last, hope, is_front = sequence.free.shape[0] - 1, worth, entries > waiting
    for at in range(entry):
        is_front = is_front and order[at] != waiting
    for at in range(entry, entries):
        hope += hopes[order[at]]
    for at in range(entry, entries):
        place = min(at + 1, last)
        hand_on(origin if at == entry else sequence, sequence, at, at == entry)
        if order[at] == waiting:
            shortfall = place_elastic(
                elastic, blocks, layers, sequence.free[place], sequence.elastic_order, sequence.placed,
                sequence.numbers, hope - least,
            )  # fmt: skip
            if shortfall < 0:
                return -1
            missed += shortfall
            gain, is_front = -shortfall, False
        else:
            job, free = order[at], sequence.free[place]
            gain = place_waiting(batch, blocks, free, layers.reserve, sequence.jobs[job], windows, job, is_front)
        worth += gain
        sequence.worth[at + 1, WORTH], sequence.worth[at + 1, MISSED] = worth, missed
        hope += gain - hopes[order[at]]
        if hope < least:
            return -1
        if at + 1 >= until and last > 1 and is_same(origin.free[at + 1], sequence.free[at + 1]):
            worth += origin.worth[entries, WORTH] - origin.worth[at + 1, WORTH]
            missed += origin.worth[entries, MISSED] - origin.worth[at + 1, MISSED]
            sequence.worth[entries, WORTH], sequence.worth[entries, MISSED] = worth, missed
            return at + 1 if worth >= least else -1
    return entries


@inlined
def is_same(one: Words, other: Words) -> bool:
    """Whether two rows of words are equal."""
    word = 0
    while word < one.size and one[word] == other[word]:
        word += 1
    return word == one.size


@inlined
def hand_on(source: Sequence, target: Sequence, entry: int, is_first: bool) -> None:
    """What is free before an entry becomes what is free behind it, where both are kept, or where a plan begins."""
    last = target.free.shape[0] - 1
    if is_first or last > 1:
        copy_words(source.free[min(entry, last)], target.free[min(entry + 1, last)])


@inlined
def place_waiting(
    batch: Batch, blocks: Blocks, free: Words, reserves: Ints, plan: Ints, windows: Words, job: int, is_front: bool
) -> float:
    """Gives a job its most valuable size at its earliest start, and what that earns."""
    first, end = batch.jobs[job, MODE_FROM], batch.jobs[job, MODE_TO]
    if plan[CHOICE] != ANY:
        first = plan[CHOICE]
        end = first + 1
    best, start, mode, searched = 0.0, UNPLACED, UNPLACED, UNPLACED
    begin, steps = batch.jobs[job, ARRIVAL], batch.weight_sums.size - 1
    reserve = reserves[1 if is_front and plan[RELEASE] == AROUND else 0]
    if is_front:
        begin = max(begin, plan[RELEASE])
    for at in range(first, end):
        length = batch.modes[at, LENGTH]
        last = min(steps - 1, batch.jobs[job, LATEST_END] - length)
        if worth_of(batch, at, begin) <= best:
            continue
        step = earliest_start(blocks, free, reserve, batch.modes[at, LEVEL], length, begin, last, windows[0])
        searched = at
        if step >= 0:
            gain = worth_of(batch, at, step)
            if gain > best:
                best, start, mode = gain, step, at
    plan[START], plan[MODE] = start, mode
    if start < 0:
        return 0.0
    settle(batch, blocks, free, reserve, plan, windows, mode != searched)
    return best


@inlined
def settle(
    batch: Batch, blocks: Blocks, free: Words, reserve: Ints, plan: Ints, windows: Words, is_stale: bool
) -> None:
    """Takes the snuggest block for a job whose start and size stand; ``is_stale``: its window isn't read yet."""
    level, start, steps = batch.modes[plan[MODE], LEVEL], plan[START], batch.weight_sums.size - 1
    end = min(start + batch.modes[plan[MODE], LENGTH], steps)
    if is_stale:
        earliest_start(blocks, free, reserve, level, end - start, start, start, windows[0])
    plan[GPU] = snug_block(blocks, free, level, start, end, windows)
    take(blocks, free, plan[GPU], 1 << level, start, end)


@inlined
def worth_of(batch: Batch, mode: int, start: int) -> float:
    """What a waiting job earns in one of its sizes from ``start`` on."""
    if start >= batch.weight_sums.size - 1:
        return 0.0
    end = min(start + batch.modes[mode, LENGTH], batch.weight_sums.size - 1)
    return batch.rates[mode] * (batch.weight_sums[end] - batch.weight_sums[start])


@linked
def place_elastic(
    elastic: Elastic, blocks: Blocks, layers: Layers, free: Words, elastic_order: Ints, placed: Ints, numbers: Ints,
    most: float,
) -> float:  # fmt: skip
    """Plans and places all real-time jobs, and gives their weighted shortfall; −1 where a bound can't be kept.

    Or where it is certain to exceed ``most``. The longest lease first; where that loses some of what was planned, in
    the order of their starts, if that is better: in that order at once where ``numbers`` says they are planned already.
    """
    is_planned = numbers[IS_PLANNED] != 0
    if not is_planned and not _plan_all(elastic, blocks, layers, free, elastic_order, most):
        return -1.0
    copy_words(free, layers.before)
    missed, order = -1.0, BY_START if is_planned else BY_LENGTH
    for trial in range(3):
        if trial:
            copy_words(layers.before, free)
        cut_all(elastic, layers, elastic_order, numbers)
        numbers[ORDER], now = order, -1.0
        if place_leases(blocks, free, layers, placed, numbers):
            now = _shortfall_of(elastic, layers.held)
        if is_planned or trial == 2 or (trial == 0 and now >= 0 and numbers[PLACED] == numbers[WANTED]):
            return now
        if trial == 1 and (missed < 0 or 0 <= now <= missed):
            return now
        missed, order = now, BY_START - order
    return -1.0


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
