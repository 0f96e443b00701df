"""Free blocks as bit sets: one row of words a step.

Up to 64 GPUs a row is one word with a bit for each free GPU, and the free blocks of a size are folded out of it.

Above, a row has one bit for each legal block of each size. The bits that stand for blocks of 2^k GPUs are *level* k;
the blocks of a level are numbered by their first GPU. Taking a block clears, at every level, the bits of all blocks
that share a GPU with it, so that asking needs no folding; aligned, a row has about two bits for each GPU.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from scheduler.domain.allocation.fast.bits import ALL, NONE, ONE, WORD
from scheduler.domain.allocation.fast.compiling import compiled, inlined, linked
from scheduler.domain.allocation.fast.question import GPUS, IS_ALIGNED, Ints, Question

Words = NDArray[Any]

BEGIN, WORDS, FIRST, NUMBER = 0, 1, 2, 3
"""Columns of ``Blocks.levels``: its first word in a row and how many, its first entry in ``first`` and how many."""
LOW, HIGH = 0, 1
"""Entries of ``Blocks.reach``: blocks that lie wholly before a GPU, blocks that begin before it."""


class Blocks(NamedTuple):
    """The legal blocks of N GPUs in L ``levels`` (L × 4), their ``first`` GPUs, and their ``reach`` (L × (N + 1) × 2).

    GPUs f to f + s meet the blocks reach[k, f, LOW] to reach[k, f + s, HIGH] of level k. ``legal`` (L): up to 64 GPUs,
    the first GPUs of each level's blocks as one word. ``width``: words in a row, in an array of one.
    """

    levels: Ints
    first: Ints
    reach: Ints
    legal: Words
    width: Ints


def blocks_for(gpus: int) -> Blocks:
    """Room for the blocks of ``gpus`` GPUs."""
    levels = gpus.bit_length()
    return Blocks(
        np.empty((levels, 4), np.int64),
        np.empty(levels * gpus, np.int64),
        np.empty((levels, gpus + 1, 2), np.int64),
        np.empty(levels, np.uint64),
        np.ones(1, np.int64),
    )


@inlined
def block_starts(nodes: Ints, size: int, is_aligned: bool, starts: Ints) -> int:
    """Writes the first GPUs that a block of ``size`` may have to ``starts``, ascending, and gives their number."""
    number, first = 0, 0
    for at in range(nodes.size):
        node = nodes[at]
        if size <= node:
            step = size if is_aligned else 1
            for gpu in range(first, first + node - size + 1, step):
                starts[number] = gpu
                number += 1
        elif size % node == 0 and at + size // node <= nodes.size:
            fits = True
            for other in range(at, at + size // node):
                fits = fits and nodes[other] == node
            if fits:
                starts[number] = first
                number += 1
        first += node
    return number


@compiled
def find_blocks(question: Question, blocks: Blocks) -> None:
    """Writes the legal blocks of all sizes that are not larger than the fleet."""
    words, entries = 0, 0
    for level in range(blocks.levels.shape[0]):
        row, size = blocks.levels[level], 1 << level
        starts = blocks.first[entries:]
        number = block_starts(question.nodes, size, question.shape[IS_ALIGNED] != 0, starts)
        row[BEGIN], row[WORDS], row[FIRST], row[NUMBER] = words, (number + WORD - 1) // WORD, entries, number
        words, entries = words + row[WORDS], entries + number
        find_reach(starts, number, size, blocks.reach[level])
        blocks.legal[level] = NONE
        if question.shape[GPUS] <= WORD:
            for at in range(number):
                blocks.legal[level] |= ONE << np.uint64(starts[at])
    if question.shape[GPUS] > WORD:
        blocks.width[0] = words


@inlined
def find_reach(starts: Ints, number: int, size: int, reach: Ints) -> None:
    """Writes how many blocks lie wholly before each GPU, and how many begin before it."""
    before, begun = 0, 0
    for gpu in range(reach.shape[0]):
        while before < number and starts[before] + size <= gpu:
            before += 1
        while begun < number and starts[begun] < gpu:
            begun += 1
        reach[gpu, LOW], reach[gpu, HIGH] = before, begun


@inlined
def all_free(blocks: Blocks, free: Words) -> None:
    """Sets the bits of all blocks at every step of ``free`` (H · words)."""
    width = blocks.width[0]
    for level in range(1 if width == 1 else blocks.levels.shape[0]):
        for at in range(blocks.levels[level, WORDS]):
            bits = min(WORD, blocks.levels[level, NUMBER] - at * WORD)
            mask = ALL >> np.uint64(WORD - bits)
            for word in range(blocks.levels[level, BEGIN] + at, free.size, width):
                free[word] = mask


@inlined
def copy_words(source: Words, target: Words) -> None:
    """``target`` becomes ``source``, as long as it."""
    for word in range(source.size):
        target[word] = source[word]


@inlined
def take(blocks: Blocks, free: Words, first: int, gpus: int, start: int, end: int) -> None:
    """Takes ``gpus`` GPUs from ``first`` on out of the free blocks of the steps ``start`` to ``end``."""
    if blocks.width[0] == 1:
        kept = ~((ALL >> np.uint64(WORD - gpus)) << np.uint64(first))
        for step in range(start, end):
            free[step] &= kept
    else:
        _take_from_levels(blocks, free, int(first), int(gpus), int(start), int(end))  # not compiled for each constant


@linked
def _take_from_levels(blocks: Blocks, free: Words, first: int, gpus: int, start: int, end: int) -> None:
    width = blocks.width[0]
    for level in range(blocks.levels.shape[0]):
        low, high = blocks.reach[level, first, LOW], blocks.reach[level, first + gpus, HIGH] - 1
        if low > high:
            continue
        for at in range(low >> 6, (high >> 6) + 1):
            taken = ALL
            if at == low >> 6:
                taken &= ALL << np.uint64(low & 63)
            if at == high >> 6:
                taken &= ALL >> np.uint64(63 - (high & 63))
            word = blocks.levels[level, BEGIN] + at
            for step in range(start, end):
                free[step * width + word] &= ~taken


@inlined
def has_bit(words: Words, at: int) -> bool:
    """Whether bit ``at`` of a row of words is set."""
    return (words[at >> 6] >> np.uint64(at & 63)) & ONE != NONE
