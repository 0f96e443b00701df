"""How the prices of a market are found: a level that fits the decay, then descent within a fixed budget."""

import numpy as np

from scheduler.domain.allocation.market import Floats, Ints, Market
from scheduler.domain.allocation.price_kernel import descended, elastic_plan, worth_at
from scheduler.domain.allocation.quasi_newton import Descent, adapted, bent

MUCH = 500_000
"""Elementary operations in one evaluation of the bound from which on the descent begins without swap caps."""
WORK = 40_000_000
"""Elementary operations of one descent under swap caps: a tenth to a fifth of a second."""
LOOSE_WORK = 160_000_000
"""Elementary operations of the descent without them, two nanoseconds each."""
ADAPTIVE, QUASI_NEWTON = 150, 350
"""Evaluations of each kind of step, at most."""
LONG = 336
"""Steps above which a second run of adaptive steps, each by itself and shorter, ends the descent."""
LAST, LAST_WORK, LAST_REACH = 200, 320_000_000, 0.03
"""Its evaluations at most, its elementary operations, and its first step as a share of the mean price."""
STEPS_ALONE = 24
"""Steps up to which prices move each by itself; over longer horizons neighbours move together."""


def bounded(market: Market, stress: float, prices: Floats) -> tuple[float, float]:
    """The bound at ``prices`` with every penalty times ``stress``, and Σ of the magnitudes that it adds up."""
    value, size = worth_at(market, stress, prices, np.empty(prices.size))
    return float(value), float(size)


def undisturbed_plans(market: Market) -> tuple[Ints, bool]:
    """n(t) of each real-time job as if it were alone, shape (R, H), and whether they fit beside each other."""
    plans = np.zeros(market.demand.shape, dtype=np.int64)
    free = np.zeros(market.capacity.size)
    for r in range(len(plans)):
        elastic_plan(market, r, market.penalty[r], free, plans[r])
    return plans, bool((plans.sum(axis=0) <= market.capacity).all())


def good_prices(market: Market, stress: float, rounds: int | None) -> Floats:
    """Prices at which the bound is small, found in ``rounds`` evaluations or as many as a fixed effort affords."""
    steps = market.capacity.size
    memory = max(0.0, 1 - STEPS_ALONE / steps)
    # Plans under swap caps cost ten times as much as without, and without them the prices are nearly the same.
    loose = market._replace(swap_cap=np.full_like(market.swap_cap, np.iinfo(np.int32).max))
    sweep = market.group_steps.size * steps + market.choice_gpus.size + market.demand.size
    capped = sweep + 3 * int(market.most.sum()) * steps
    prices = _level_prices(loose, stress)
    if capped <= MUCH:
        return descended(market, stress, prices, rounds or _affordable(WORK, capped, 1000), 0.02, memory)
    most = ADAPTIVE + QUASI_NEWTON
    descent = Descent(loose, stress, prices, rounds or _affordable(LOOSE_WORK, sweep, most))
    adapted(descent, descent.evaluations * ADAPTIVE // most, memory)
    bent(descent)
    descent = Descent(market, stress, descent.prices, rounds or _affordable(WORK, capped, most))
    bent(descent)
    if steps > LONG and rounds is None:
        adapted(descent, _affordable(LAST_WORK, capped, LAST), 0.0, LAST_REACH)
    return descent.prices


def _affordable(effort: int, work: int, most: int) -> int:
    return min(most, max(30, effort // max(1, work)))


def _level_prices(market: Market, stress: float) -> Floats:
    """Prices that fall like the decay, at the height where the bound is least (convex in the height)."""
    shape = np.diff(market.weight_sums)
    spare = np.empty(shape.size)
    low, high = 0.0, float(max(market.group_pay.max(initial=0.0), stress * market.penalty.max(initial=0.0), 1e-300))
    for _ in range(12):
        third = (high - low) / 3
        left, _ = worth_at(market, stress, (low + third) * shape, spare)
        right, _ = worth_at(market, stress, (high - third) * shape, spare)
        low, high = (low, high - third) if left <= right else (low + third, high)
    return (low + high) / 2 * shape
