"""A small generator of random numbers, so that a seed gives the same plan wherever it runs (Marsaglia's xorshift64)."""

import numpy as np

from scheduler.domain.allocation.fast.blocks import Words
from scheduler.domain.allocation.fast.compiling import inlined


@inlined
def seed_chance(state: Words, seed: int) -> None:
    """Sets the state of the generator for ``seed``, any whole number from 0 on."""
    state[0] = np.uint64(0x9E3779B97F4A7C15) ^ (np.uint64(seed) << np.uint64(1))
    for _ in range(16):
        drawn(state, 2)


@inlined
def drawn(state: Words, number: int) -> int:
    """A random whole number from 0 to ``number`` − 1, of up to 2³¹."""
    word = state[0]
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    state[0] = word
    return int(word >> np.uint64(33)) * number >> 31
