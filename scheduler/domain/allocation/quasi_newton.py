"""Prices of long horizons: adaptive steps into the right region, then quasi-Newton steps along the bound's bends.

The bound is a sum over so many jobs that it bends almost smoothly, so that what slopes have told of its curvature pays
as it does for smooth functions (Lewis and Overton 2013); plain subgradient steps creep.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scheduler.domain.allocation.market import Floats, Market
from scheduler.domain.allocation.price_kernel import dearest, smoothed, worth_at

PAIRS = 12
"""Steps remembered, each with the change of slope it brought."""
TRIALS = 12
"""Lengths tried along one direction."""
SINKS, BENDS = 1e-4, 0.9
"""Weak Wolfe conditions: shares of the slope by which the bound has to fall, and the slope to flatten."""
REACH, REACH_AT_LAST = 0.1, 1e-4
"""Length of an adaptive step as a share of the mean price, at first and at last."""
FIRST_REACH = 0.05
"""Length of the first quasi-Newton step as a share of the prices' norm, before any curvature is known."""
SLOPE_MEMORY, SIZE_MEMORY = 0.9, 0.99

Pair = tuple[Floats, Floats]


@dataclass
class Descent:
    """Where a descent has been: the least bound met, and its prices; ``evaluations`` are those still allowed."""

    market: Market
    stress: float
    prices: Floats
    evaluations: int
    least: float = np.inf
    roof: float = field(init=False)

    def __post_init__(self) -> None:
        self.roof = dearest(self.market, self.stress)

    def at(self, prices: Floats) -> tuple[float, Floats]:
        """The bound and its slope at ``prices``."""
        self.evaluations -= 1
        slope = np.empty(prices.size)
        value, _ = worth_at(self.market, self.stress, prices, slope)
        if value < self.least:
            self.least, self.prices = value, prices
        return value, slope

    def moved(self, prices: Floats, way: Floats) -> Floats:
        """``prices`` after a move, none below 0 or beyond what anybody would pay."""
        return np.clip(prices + way, 0.0, self.roof)


def adapted(descent: Descent, rounds: int, memory: float, reach: float = REACH) -> None:
    """Steps of each price in proportion to its slope's mean over its root mean square (Adam, Kingma and Ba 2015).

    Slopes are smoothed over the steps by ``memory``, which fades with the rounds, as the steps become shorter from
    ``reach``, a share of the mean price, on.
    """
    here = descent.prices
    mean, square, way = np.zeros(here.size), np.zeros(here.size), np.empty(here.size)
    longest = reach * float(here.mean())
    for done in range(rounds):
        share = done / rounds
        _, slope = descent.at(here)
        smoothed(np.where(_is_free(here, slope), slope, 0.0), memory * (1 - share), way)
        mean = SLOPE_MEMORY * mean + (1 - SLOPE_MEMORY) * way
        square = SIZE_MEMORY * square + (1 - SIZE_MEMORY) * way**2
        likely = mean / (1 - SLOPE_MEMORY ** (done + 1))
        usual = np.sqrt(square / (1 - SIZE_MEMORY ** (done + 1)))
        step = longest * (REACH_AT_LAST / REACH) ** share
        here = descent.moved(here, -step * likely / np.maximum(usual, 1e-12))


def bent(descent: Descent) -> None:
    """Limited-memory quasi-Newton steps (L-BFGS, Nocedal 1980) until the evaluations are used up or nothing falls."""
    here = descent.prices
    value, slope = descent.at(here)
    pairs: deque[Pair] = deque(maxlen=PAIRS)
    while descent.evaluations > 0:
        way = _downhill(here, slope, pairs)
        if float(slope @ way) >= 0:
            pairs.clear()
            way = _downhill(here, slope, pairs)
        if float(slope @ way) >= 0:
            return
        there, its_value, its_slope = _along(descent, here, value, slope, way)
        if its_value >= value:
            if not pairs:
                return
            pairs.clear()
            continue
        step, change = there - here, its_slope - slope
        if float(step @ change) > 1e-12 * float(np.linalg.norm(step) * np.linalg.norm(change)):
            pairs.append((step, change))
        here, value, slope = there, its_value, its_slope


def _is_free(prices: Floats, slope: Floats) -> NDArray[np.bool_]:
    """Where a price may move: not where it is 0 and would fall."""
    return (prices > 0) | (slope <= 0)


def _downhill(here: Floats, slope: Floats, pairs: deque[Pair]) -> Floats:
    """The quasi-Newton direction; prices that are 0 and would fall stay."""
    free = _is_free(here, slope)
    way = np.where(free, slope, 0.0)
    if pairs:
        way = _through_pairs(way, pairs)
    else:
        way = way * (FIRST_REACH * np.linalg.norm(here) / max(float(np.linalg.norm(way)), 1e-300))
    return np.where(free, -way, 0.0)


def _through_pairs(way: Floats, pairs: deque[Pair]) -> Floats:
    """The inverse of the remembered curvature times ``way``, in two loops over the pairs."""
    shares = []
    for step, change in reversed(pairs):
        shares.append(float(step @ way) / float(step @ change))
        way = way - shares[-1] * change
    step, change = pairs[-1]
    way = way * (float(step @ change) / float(change @ change))
    for (step, change), share in zip(pairs, reversed(shares), strict=True):
        way = way + (share - float(change @ way) / float(step @ change)) * step
    return way


def _along(descent: Descent, here: Floats, value: float, slope: Floats, way: Floats) -> tuple[Floats, float, Floats]:
    """The last point tried along a direction: one that satisfies the weak Wolfe conditions if such is found soon."""
    falls = float(slope @ way)
    there, its_value, its_slope = here, value, slope
    lengths = _Lengths()
    for length in lengths.tried():
        if descent.evaluations <= 0:
            break
        there = descent.moved(here, length * way)
        its_value, its_slope = descent.at(there)
        if its_value > value + SINKS * length * falls:
            lengths.is_too_long = True
        elif float(its_slope @ way) < BENDS * falls:
            lengths.is_too_long = False
        else:
            break
    return there, its_value, its_slope


@dataclass
class _Lengths:
    """Lengths by bisection: doubled until one is too long, then halfway between."""

    is_too_long: bool = False

    def tried(self) -> Iterator[float]:
        low, high, length = 0.0, np.inf, 1.0
        for _ in range(TRIALS):
            yield length
            low, high = (low, length) if self.is_too_long else (length, high)
            length = (low + high) / 2 if high < np.inf else 2 * low
