"""The orders that a search starts from."""

import numpy as np

from scheduler.domain.allocation.fast.compiling import inlined
from scheduler.domain.allocation.fast.question import LENGTH, LEVEL, MODE_FROM, Batch, Floats, Ints

KEYS = np.array([(0.5, 0.15), (0.3, 0.1), (1.0, 0.0), (0.15, 0.0), (0.75, 0.0), (0.0, 0.0)])
"""Exponents α and β of priority × size^α × duration^β."""
KEYS_ABOVE = np.array([(0.3, 1.0), (0.3, 1.5), (0.3, 0.6), (0.5, 0.15), (1.0, 0.0), (0.0, 0.0)])
"""The same above 64 GPUs, where the starts are all there is and long jobs find no room later."""


@inlined
def find_keys(batch: Batch, size_power: float, length_power: float, keys: Floats) -> None:
    """Writes minus the logarithm of priority × size^α × duration^β of each waiting job's first size."""
    for job in range(keys.size):
        mode = batch.jobs[job, MODE_FROM]
        size = batch.modes[mode, LEVEL] * np.log(2.0)
        priority = np.log(batch.rates[mode]) - size
        keys[job] = -(priority + size_power * size + length_power * np.log(float(batch.modes[mode, LENGTH])))


@inlined
def sort_by(keys: Floats, places: Ints, order: Ints) -> None:
    """Writes 0 … n − 1 by ascending key, equal ones as they were, to ``order``; ``places`` (2 × n) is room for it."""
    number, side, width = keys.size, 0, 1
    for at in range(number):
        places[0, at] = at
    while width < number:
        place, other = places[side], places[1 - side]
        for begin in range(0, number, 2 * width):
            left, middle = begin, min(begin + width, number)
            right, end = middle, min(begin + 2 * width, number)
            for at in range(begin, end):
                if right >= end or (left < middle and keys[place[left]] <= keys[place[right]]):
                    other[at] = place[left]
                    left += 1
                else:
                    other[at] = place[right]
                    right += 1
        side, width = 1 - side, 2 * width
    for at in range(number):
        order[at] = places[side, at]
