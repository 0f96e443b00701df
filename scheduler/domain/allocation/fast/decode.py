"""From an order of jobs to a plan: one after the other takes its earliest start and the snuggest block there."""

from typing import NamedTuple

from scheduler.domain.allocation.fast.blocks import Blocks, Words, copy_words, take
from scheduler.domain.allocation.fast.compiling import inlined
from scheduler.domain.allocation.fast.layers import Layers
from scheduler.domain.allocation.fast.placing import place_elastic
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
