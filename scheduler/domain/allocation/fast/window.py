"""Where a block of some size is free for a number of steps: the earliest start, and which of the blocks to take."""

import numpy as np

from scheduler.domain.allocation.fast.bits import ALL, NONE, ONE, count, lowest
from scheduler.domain.allocation.fast.blocks import BEGIN, FIRST, LOW, NUMBER, WORDS, Blocks, Words, has_bit
from scheduler.domain.allocation.fast.compiling import compiled, inlined
from scheduler.domain.allocation.fast.question import Ints


@inlined
def folded(blocks: Blocks, gpus: np.uint64, level: int) -> np.uint64:
    """The first GPUs of the blocks of 2^level that lie within ``gpus``, one word."""
    for doubling in range(level):
        gpus &= gpus >> np.uint64(1 << doubling)
    return gpus & blocks.legal[level]


@inlined
def earliest_start(
    blocks: Blocks, free: Words, reserve: Ints, level: int, length: int, start: int, last: int, window: Words
) -> int:
    """The first step from ``start`` to ``last`` with a free block of 2^level for ``length`` steps; −1 for none.

    Up to 64 GPUs, as many as ``reserve`` (H) says have to stay free beside it. The window is read from its end
    backwards: where nothing is left, no window over that step can do, and the next one begins behind it. ``window`` is
    left with what is free throughout: GPUs in one word, or the level's blocks.
    """
    if level >= blocks.levels.shape[0] or blocks.levels[level, WORDS] == 0:
        return -1
    if blocks.width[0] > 1:
        return _earliest_of_many(blocks, free, reserve.size, level, length, start, last, window)
    size = 1 << level
    while start <= last:
        step = min(start + length, reserve.size)
        left, some = ALL, ALL
        while some != NONE and step > start:
            step -= 1
            left &= free[step]
            some = folded(blocks, left, level) if count(free[step]) >= size + reserve[step] else NONE
        if some != NONE:
            window[0] = left
            return start
        start = step + 1
    return -1


@compiled
def _earliest_of_many(
    blocks: Blocks, free: Words, steps: int, level: int, length: int, start: int, last: int, window: Words
) -> int:
    begin, words, width = blocks.levels[level, BEGIN], blocks.levels[level, WORDS], blocks.width[0]
    while start <= last:
        step = min(start + length, steps) - 1
        some = NONE
        for at in range(words):
            window[at] = free[step * width + begin + at]
            some |= window[at]
        while some != NONE and step > start:
            step -= 1
            some = NONE
            for at in range(words):
                window[at] &= free[step * width + begin + at]
                some |= window[at]
        if some != NONE:
            return start
        start = step + 1
    return -1


@inlined
def lowest_block(blocks: Blocks, level: int, window: Words) -> int:
    """The first GPU of the lowest block in ``window``, which has one."""
    if blocks.width[0] == 1:
        return lowest(folded(blocks, window[0], level))
    at = 0
    while window[at] == NONE:
        at += 1
    return blocks.first[blocks.levels[level, FIRST] + at * 64 + lowest(window[at])]


@inlined
def snug_block(blocks: Blocks, free: Words, level: int, start: int, end: int, windows: Words) -> int:
    """The first GPU of the block to take among those in ``windows[0]``: buddy best fit.

    The lowest whose next larger block isn't free as well; where there is none the same is asked of the larger blocks,
    and the lowest part of the one found is taken. So large blocks stay whole as long as they can.
    """
    if blocks.width[0] > 1:
        return _snug_of_many(blocks, free, level, start, end, windows)
    here = folded(blocks, windows[0, 0], level)
    while level + 1 < blocks.levels.shape[0]:
        above = folded(blocks, windows[0, 0], level + 1)
        apart = here & ~(above | above << np.uint64(1 << level))
        if apart != NONE:
            return lowest(apart)
        here = above
        level += 1
    return lowest(here)


@compiled
def _snug_of_many(blocks: Blocks, free: Words, level: int, start: int, end: int, windows: Words) -> int:
    number, side, top = 0, 0, blocks.levels.shape[0] - 1
    for at in range(blocks.levels[level, WORDS]):
        number += count(windows[0, at])
    while number > 1 and level < top:
        larger = _free_throughout(blocks, free, level + 1, start, end, windows[1 - side])
        if 2 * larger < number:
            return _lowest_apart(blocks, level, windows[side], windows[1 - side])
        side, number = 1 - side, larger
        level += 1
    return lowest_block(blocks, level, windows[side])


@inlined
def _free_throughout(blocks: Blocks, free: Words, level: int, start: int, end: int, window: Words) -> int:
    """Writes the blocks of a level that are free from ``start`` to ``end`` to ``window``, and gives their number."""
    begin, width, number = blocks.levels[level, BEGIN], blocks.width[0], 0
    for at in range(blocks.levels[level, WORDS]):
        left, step = free[start * width + begin + at], start + 1
        while left != NONE and step < end:
            left &= free[step * width + begin + at]
            step += 1
        window[at] = left
        number += count(left)
    return number


@inlined
def _lowest_apart(blocks: Blocks, level: int, window: Words, above: Words) -> int:
    """The lowest block in ``window`` that is no part of a larger one in ``above``."""
    for at in range(blocks.levels[level, WORDS]):
        left = window[at]
        while left != NONE:
            first = blocks.first[blocks.levels[level, FIRST] + at * 64 + lowest(left)]
            parent = blocks.reach[level + 1, first, LOW]
            is_inside = parent < blocks.levels[level + 1, NUMBER]
            is_inside = is_inside and blocks.first[blocks.levels[level + 1, FIRST] + parent] <= first
            if not is_inside or not has_bit(above, parent):
                return first
            left &= left - ONE
    return lowest_block(blocks, level, window)
