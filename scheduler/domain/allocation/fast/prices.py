"""What each waiting job would gain if every step's GPUs had a price: an order in which long jobs count what they block.

Lagrange's relaxation of the fleet's size, as in the price bound; a few rounds are enough to order jobs, not to prove.
"""

from typing import NamedTuple

import numpy as np

from scheduler.domain.allocation.fast.compiling import compiled, inlined
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
from scheduler.domain.allocation.fast.starts import sort_by

BEGINNING, FADING = 0.05, 0.9
"""Shares: of the bound, the first step's aim below it; of each aim, the next one's."""
MOST_OF = 0.7
"""The share of a round in the running mean of slopes."""
STEPS_ALONE = 24
"""Steps up to which prices move each by itself; over longer horizons neighbours move together."""
LEAST = 1e-9
"""What counts as the gain of a job that gains nothing."""


class Market(NamedTuple):
    """Room to find prices in: ``modes`` (M) in groups that ``first`` (M) begins, and who ``owns`` each (M).

    A group has one length, one pay per GPU and one latest end, its jobs the latest arrival first. ``gains`` and
    ``starts`` (M): the most a mode gains per GPU, and where. ``room`` (H): GPUs for sale; ``taken`` (H + 1).
    ``prices`` (5 × (H + 1)): now, their sums, the slope, the least bound's, and the way to go.
    """

    modes: Ints
    first: Ints
    owns: Ints
    gains: Floats
    starts: Ints
    room: Ints
    taken: Ints
    prices: Floats


def market_for(batch: Batch) -> Market:
    """Room for the prices of a question."""
    number, steps = batch.modes.shape[0], batch.weight_sums.size - 1
    return Market(
        np.empty(number, np.int64), np.empty(number, np.int64), np.empty(number, np.int64), np.empty(number),
        np.empty(number, np.int64), np.empty(steps, np.int64), np.empty(steps + 1, np.int64), np.zeros((5, steps + 1)),
    )  # fmt: skip


@inlined
def open_market(batch: Batch, market: Market, places: Ints) -> None:
    """Groups the sizes; ``places`` (2 × M) is room to sort in."""
    modes, keys = market.modes, market.gains
    for job in range(batch.jobs.shape[0]):
        for mode in range(batch.jobs[job, MODE_FROM], batch.jobs[job, MODE_TO]):
            modes[mode], market.owns[mode] = mode, job
    for by in range(4):
        for mode in range(modes.size):
            keys[mode] = _sorted_by(batch, market, by, mode)
        sort_by(keys, places, modes)
    for place in range(modes.size):
        market.first[place] = place == 0
        for by in range(1, 4):
            one, other = modes[max(0, place - 1)], modes[place]
            market.first[place] |= _sorted_by(batch, market, by, one) != _sorted_by(batch, market, by, other)


@inlined
def _sorted_by(batch: Batch, market: Market, by: int, mode: int) -> float:
    """What sizes are sorted by, the last first: the later arrival of the same latest end, pay per GPU and length."""
    if by == 3:
        return float(batch.modes[mode, LENGTH])
    if by == 2:
        return batch.rates[mode] / (1 << batch.modes[mode, LEVEL])
    if by == 1:
        return float(batch.jobs[market.owns[mode], LATEST_END])
    return -float(batch.jobs[market.owns[mode], ARRIVAL])


@inlined
def copy_row(source: Floats, target: Floats) -> None:
    """``target`` becomes ``source``, as long as it."""
    for at in range(source.size):
        target[at] = source[at]


@compiled
def find_gains(batch: Batch, elastic: Elastic, market: Market, rounds: int, gains: Floats) -> None:
    """Writes the most each waiting job gains per GPU at the prices of the least bound met in ``rounds`` rounds.

    Polyak's step, along a running mean of slopes that is smoothed over the steps, towards a level that comes closer.
    """
    prices, best = market.prices[0], market.prices[3]
    least, aim, memory = np.inf, 0.0, max(0.0, 1 - STEPS_ALONE / market.room.size)
    for turn in range(rounds + 1):
        value = _bound_at(batch, elastic, market)
        if turn == 0:
            aim = BEGINNING * abs(value)
        if value < least:
            least = value
            copy_row(prices, best)
        norm = _find_way(market, memory)
        if turn == rounds or norm <= 0.0:
            break
        for step in range(market.room.size):
            prices[step] = max(0.0, prices[step] + (value - least + aim) / norm * market.prices[4, step])
        aim, memory = aim * FADING, memory * FADING
    copy_row(best, prices)
    _bound_at(batch, elastic, market)
    _copy_gains(batch, market, gains)


@inlined
def _copy_gains(batch: Batch, market: Market, gains: Floats) -> None:
    """Writes the most each job gains per GPU in any of its sizes, and a little where it gains nothing."""
    for job in range(batch.jobs.shape[0]):
        gains[job] = LEAST
        for mode in range(batch.jobs[job, MODE_FROM], batch.jobs[job, MODE_TO]):
            gains[job] = max(gains[job], market.gains[mode])


@inlined
def _find_way(market: Market, memory: float) -> float:
    """Writes which way to change the prices, and gives its product with the slope: none where all is sold or free."""
    prices, slope, way, running, norm = market.prices[0], market.prices[2], market.prices[4], 0.0, 0.0
    for step in range(market.room.size):
        slope[step] += MOST_OF * (market.taken[step] - market.room[step] - slope[step])
        if prices[step] > 0.0 or slope[step] > 0.0:
            running += (1 - memory) * slope[step]
        way[step] = running
        running *= memory
    running = 0.0
    for step in range(market.room.size - 1, -1, -1):
        running += (1 - memory) * way[step]
        way[step] = running
        running *= memory
        if prices[step] > 0.0 or slope[step] > 0.0:
            norm += slope[step] * way[step]
    return norm


@inlined
def _bound_at(batch: Batch, elastic: Elastic, market: Market) -> float:
    """The bound at the prices; writes what is wanted at each step to ``taken``."""
    prices, taken, value = market.prices[0], market.taken, 0.0
    for step in range(taken.size):
        taken[step] = 0
    _find_best(batch, market)
    for job in range(batch.jobs.shape[0]):
        value += _chosen(batch, market, job)
    for step in range(1, taken.size):
        taken[step] += taken[step - 1]
    for row in range(elastic.jobs.shape[0]):
        for step in range(market.room.size):
            gpus, wanted = elastic.floor[row, step], elastic.demand[row, step]
            if elastic.penalty[row] > prices[step]:
                gpus = max(gpus, wanted)
            taken[step] += gpus
            value -= elastic.penalty[row] * max(0, wanted - gpus) + prices[step] * gpus
    for step in range(market.room.size):
        value += prices[step] * market.room[step]
    return value


@inlined
def _chosen(batch: Batch, market: Market, job: int) -> float:
    """What a job gains in its best size; its GPUs are added to ``taken`` where it starts, and taken off at its end."""
    most, chosen = 0.0, -1
    for mode in range(batch.jobs[job, MODE_FROM], batch.jobs[job, MODE_TO]):
        gain = market.gains[mode] * (1 << batch.modes[mode, LEVEL])
        if gain > most:
            most, chosen = gain, mode
    if chosen >= 0:
        gpus, start = 1 << batch.modes[chosen, LEVEL], market.starts[chosen]
        market.taken[start] += gpus
        market.taken[min(start + batch.modes[chosen, LENGTH], market.room.size)] -= gpus
    return most


@inlined
def _find_best(batch: Batch, market: Market) -> None:
    """Writes the most each mode gains per GPU, and from which start on: one sweep over the steps for each group."""
    prices, sums, weights, steps = market.prices[0], market.prices[1], batch.weight_sums, market.room.size
    for step in range(steps):
        sums[step + 1] = sums[step] + prices[step]
    best, where, at = 0.0, 0, 0
    for place in range(market.modes.size):
        mode = market.modes[place]
        job, length = market.owns[mode], batch.modes[mode, LENGTH]
        if market.first[place]:
            best, where, at = -np.inf, 0, min(steps, batch.jobs[job, LATEST_END] - length + 1)
        pay = batch.rates[mode] / (1 << batch.modes[mode, LEVEL])
        while at > batch.jobs[job, ARRIVAL]:
            at -= 1
            end = min(at + length, steps)
            gain = pay * (weights[end] - weights[at]) - (sums[end] - sums[at])
            if gain >= best:
                best, where = gain, at
        market.gains[mode], market.starts[mode] = best, where
