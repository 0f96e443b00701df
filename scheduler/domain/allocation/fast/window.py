"""Where a block of some size is free for a number of steps: the earliest start, and which of the blocks to take."""

import numpy as np

from scheduler.domain.allocation.fast.bits import ALL, NONE, ONE, WORD, count, lowest
from scheduler.domain.allocation.fast.blocks import BEGIN, FIRST, HIGH, LOW, WORDS, Blocks, Words
from scheduler.domain.allocation.fast.compiling import compiled, inlined
from scheduler.domain.allocation.fast.question import Ints

TIGHT, TIGHT_WORDS = 48, 8
"""Steps before and behind a block in which gaps are compared, and words of blocks that are: 64 blocks each."""


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
            _keep_apart(blocks, level, windows[side], windows[1 - side])
            gpu = _tightest(blocks, free, level, start, end, windows[side], windows[2:])
            return gpu if gpu >= 0 else lowest_block(blocks, level + 1, windows[1 - side])
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
def _keep_apart(blocks: Blocks, level: int, window: Words, above: Words) -> None:
    """Takes the blocks that are parts of the larger ones in ``above`` out of ``window``."""
    for at in range(blocks.levels[level + 1, WORDS]):
        left = above[at]
        while left != NONE:
            first = blocks.first[blocks.levels[level + 1, FIRST] + at * WORD + lowest(left)]
            for part in range(blocks.reach[level, first, HIGH], blocks.reach[level, first + (2 << level), LOW]):
                window[part >> 6] &= ~(ONE << np.uint64(part & 63))
            left &= left - ONE


@inlined
def _tightest(blocks: Blocks, free: Words, level: int, start: int, end: int, window: Words, sides: Words) -> int:
    """The first GPU of the block in ``window`` that leaves the shortest gap before and behind it; −1 for none.

    Of the blocks that are taken both before and behind within TIGHT steps the one whose longer gap is shortest; without
    such, the one whose shorter gap is; the lowest of equals. The ends of the horizon count as taken.
    """
    begin, width, words, entry = blocks.levels[level, BEGIN], blocks.width[0], blocks.levels[level, WORDS], -1
    low = 0
    while low < words and window[low] == NONE:
        low += 1
    high = min(words, low + TIGHT_WORDS)
    for at in range(low, high):
        sides[0, at] = sides[1, at] = window[at]
    for gap in range(TIGHT):
        before, behind = (start - 1 - gap) * width + begin, (end + gap) * width + begin
        for at in range(low, high):
            sides[0, at] &= free[before + at] if start > gap else NONE
            sides[1, at] &= free[behind + at] if behind < free.size else NONE
            closed = window[at] & ~(sides[0, at] | sides[1, at])
            if closed != NONE:
                return blocks.first[blocks.levels[level, FIRST] + at * WORD + lowest(closed)]
            if entry < 0 and window[at] & ~(sides[0, at] & sides[1, at]) != NONE:
                entry = at * WORD + lowest(window[at] & ~(sides[0, at] & sides[1, at]))
    if entry < 0 and low < words:
        entry = low * WORD + lowest(window[low])
    return blocks.first[blocks.levels[level, FIRST] + entry] if entry >= 0 else -1
