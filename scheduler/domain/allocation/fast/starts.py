"""The orders that a search starts from."""

import numpy as np

from scheduler.domain.allocation.fast.compiling import inlined, linked
from scheduler.domain.allocation.fast.question import LENGTH, LEVEL, MODE_FROM, Batch, Floats, Ints

KEYS = np.array(
    [(0.0, 0.5, 0.15), (0.0, 1.0, 0.0), (0.0, 0.15, 0.0), (1.0, 1.0, 0.0), (1.0, 0.5, -0.5), (0.5, 0.4, 0.3)]
)
"""Exponents γ, α and β of gain^γ × priority^(1 − γ) × size^α × duration^β; gains at prices, per GPU."""
KEYS_ABOVE = np.array([(1.0, 0.0, 0.0), (1.0, 0.3, 0.3), (0.75, 0.0, 0.25), (1.0, 1.0, 0.0), (1.0, 0.5, -0.5)])
"""The same above 64 GPUs, where the starts are all there is and long jobs find no room later."""


@inlined
def find_keys(batch: Batch, gains: Floats, powers: Floats, keys: Floats) -> None:
    """Writes minus the logarithm of each waiting job's key, of its first size and its gain per GPU."""
    for job in range(keys.size):
        mode = batch.jobs[job, MODE_FROM]
        size = batch.modes[mode, LEVEL] * np.log(2.0)
        worth = np.log(batch.rates[mode]) - size
        if powers[0] > 0.0:
            worth += powers[0] * (np.log(gains[job]) - worth)
        keys[job] = -(worth + powers[1] * size + powers[2] * np.log(float(batch.modes[mode, LENGTH])))


@linked
def sort_by(keys: Floats, places: Ints, order: Ints) -> None:
    """Sorts what ``order`` holds by ascending key, equal ones as they were; ``places`` (2 × n) is room for it."""
    number, side, width = order.size, 0, 1
    for at in range(number):
        places[0, at] = order[at]
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


@linked
def write_by_key(
    batch: Batch, gains: Floats, powers: Floats, key: int, keys: Floats, places: Ints, order: Ints
) -> None:
    """Writes the waiting jobs in the order of a key, or of their arrival behind the last key; ``keys`` is room."""
    if key == powers.shape[0]:
        for at in range(order.size):
            order[at] = batch.by_arrival[at]
        return
    for at in range(order.size):
        order[at] = at
    find_keys(batch, gains, powers[key], keys)
    sort_by(keys, places, order)
    keys[:] = 0.0
