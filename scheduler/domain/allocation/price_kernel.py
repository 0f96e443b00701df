"""The compiled half of the price bound: what all jobs would take at given prices, and better prices."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import njit

from scheduler.domain.allocation.market import Floats, Ints, Market

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """``function`` in machine code, kept in the compiler's cache."""
    machine: Any = njit(cache=True)(function)
    return machine  # type: ignore[no-any-return]


@compiled
def best_starts(market: Market, prices: Floats, margins: Floats, starts: Ints) -> None:
    """Write each choice's best margin per GPU, pay × decay less prices over its window, and the start that has it."""
    steps = prices.size
    price_sums = np.zeros(steps + 1)
    for t in range(steps):
        price_sums[t + 1] = price_sums[t] + prices[t]
    for g in range(market.group_steps.size):
        pay, length = market.group_pay[g], market.group_steps[g]
        best, where, at = -np.inf, -1, market.group_last[g] + 1
        for c in range(market.group_from[g], market.group_from[g + 1]):
            while at > market.choice_arrival[c]:
                at -= 1
                end = min(at + length, steps)
                paid = price_sums[end] - price_sums[at]
                margin = pay * (market.weight_sums[end] - market.weight_sums[at]) - paid
                if margin >= best:
                    best, where = margin, at
            margins[c], starts[c] = best, where


@compiled
def batch_worth(market: Market, margins: Floats, starts: Ints, taken: Floats) -> tuple[float, int]:
    """Σ over the batch-like jobs of the best of nothing and their choices, and Σ of the blocks so taken.

    Adds the GPUs they take at each step to ``taken``.
    """
    steps = taken.size
    change = np.zeros(steps + 1)
    total, blocks = 0.0, 0
    for j in range(market.job_from.size - 1):
        best, chosen = 0.0, -1
        for at in range(market.job_from[j], market.job_from[j + 1]):
            c = market.choices[at]
            gain = margins[c] * market.choice_gpus[c]
            if gain > best:
                best, chosen = gain, c
        if chosen >= 0:
            total += best
            blocks += market.choice_gpus[chosen]
            change[starts[chosen]] += market.choice_gpus[chosen]
            change[min(starts[chosen] + market.choice_steps[chosen], steps)] -= market.choice_gpus[chosen]
    running = 0.0
    for t in range(steps):
        running += change[t]
        taken[t] += running
    return total, blocks


@compiled
def elastic_plan(market: Market, r: int, penalty: float, prices: Floats, plan: Ints) -> float:
    """Write real-time job r's best plan n(t) at the prices, and give what it is worth.

    max Σ_t −penalty·max(0, D − n) − price·n with floor ≤ n ≤ most and \\|n(t) − n(t − 1)\\| ≤ its swap cap. Most often
    the cap doesn't bind, and each step decides alone.
    """
    demand, floor = market.demand[r], market.floor[r]
    cap, most, before = market.swap_cap[r], market.most[r], market.held[r]
    binds = False
    for t in range(prices.size):
        plan[t] = max(demand[t], floor[t]) if penalty > prices[t] else floor[t]
        plan[t] = min(plan[t], most)
        binds = binds or (before >= 0 and abs(plan[t] - before) > cap)
        before = plan[t]
    if binds:
        _capped_plan(prices, demand, floor, most, cap, market.held[r], penalty, plan)
    worth = 0.0
    for t in range(prices.size):
        worth -= penalty * max(0, demand[t] - plan[t]) + prices[t] * plan[t]
    return worth


@compiled
def _capped_plan(
    prices: Floats, demand: Ints, floor: Ints, most: int, cap: int, held: int, penalty: float, plan: Ints
) -> None:
    """What the steps so far are worth is concave in the last n: only the interval it has and its peak are kept."""
    steps = prices.size
    low, high, peak = np.empty(steps, np.int64), np.empty(steps, np.int64), np.empty(steps, np.int64)
    worth, last = np.zeros(most + 1), np.zeros(most + 1)
    low[0] = max(floor[0], held - cap) if held >= 0 else floor[0]
    high[0] = min(most, held + cap) if held >= 0 else most
    for t in range(steps):
        if t > 0:
            low[t], high[t] = max(floor[t], low[t - 1] - cap), min(most, high[t - 1] + cap)
            _reach(last, low[t - 1], peak[t - 1], high[t - 1], cap, worth, low[t], high[t])
        peak[t] = low[t]
        for n in range(low[t], high[t] + 1):
            worth[n] -= penalty * max(0, demand[t] - n) + prices[t] * n
            if worth[n] > worth[peak[t]]:
                peak[t] = n
        worth, last = last, worth
    plan[steps - 1] = peak[steps - 1]
    for t in range(steps - 2, -1, -1):
        plan[t] = min(max(peak[t], plan[t + 1] - cap, low[t]), plan[t + 1] + cap, high[t])


@compiled
def _reach(last: Floats, below: int, peak: int, above: int, cap: int, worth: Floats, low: int, high: int) -> None:
    """worth(n) = the most that ``last``, concave on below … above, has within ``cap`` of n, for n in low … high."""
    for n in range(low, min(high, peak - cap) + 1):
        worth[n] = last[n + cap]
    for n in range(max(low, peak - cap), min(high, peak + cap) + 1):
        worth[n] = last[peak]
    for n in range(max(low, peak + cap), high + 1):
        worth[n] = last[n - cap]


@compiled
def worth_at(market: Market, stress: float, prices: Floats, spare: Floats) -> tuple[float, float]:
    """What the GPUs cost and all jobs gain at the prices: an upper bound of any plan's value; and Σ of magnitudes.

    ``stress`` multiplies every penalty. Writes capacity less what is taken, the slope of the bound in each price, to
    ``spare``.
    """
    steps = prices.size
    margins, starts = np.empty(market.choice_gpus.size), np.empty(market.choice_gpus.size, np.int64)
    taken, plan = np.zeros(steps), np.empty(steps, np.int64)
    best_starts(market, prices, margins, starts)
    total, blocks = batch_worth(market, margins, starts, taken)
    size = total + blocks * np.sum(prices)  # each block's price is a difference of sums as large as all prices
    for r in range(market.most.size):
        worth = elastic_plan(market, r, market.penalty[r] * stress, prices, plan)
        total += worth
        size += abs(worth)
        for t in range(steps):
            taken[t] += plan[t]
    for t in range(steps):
        spare[t] = market.capacity[t] - taken[t]
        total += prices[t] * market.capacity[t]
        size += prices[t] * market.capacity[t]
    return total, size


@compiled
def smoothed(slope: Floats, memory: float, smooth: Floats) -> None:
    """A running mean forwards, then backwards: prices of neighbouring steps move together."""
    running = 0.0
    for t in range(slope.size):
        running = memory * running + (1 - memory) * slope[t]
        smooth[t] = running
    running = 0.0
    for t in range(slope.size - 1, -1, -1):
        running = memory * running + (1 - memory) * smooth[t]
        smooth[t] = running


@compiled
def dearest(market: Market, stress: float) -> float:
    """A price that nobody pays: a job's whole worth per GPU, or all of a real-time job's penalties, for one step."""
    highest = 0.0
    for pay in market.group_pay:
        highest = max(highest, pay)
    for penalty in market.penalty:
        highest = max(highest, stress * penalty)
    return highest * (market.capacity.size + 1)


@compiled
def descended(market: Market, stress: float, prices: Floats, rounds: int, reach: float, memory: float) -> Floats:
    """The prices of the least bound met in ``rounds`` subgradient steps from ``prices``.

    Polyak's step towards a level that lies ``reach`` × Σ of magnitudes below the best found and comes closer whenever
    a twentieth of the rounds brings nothing (level control after Goffin and Kiwiel 1999), along a running mean of
    slopes, smoothed over the steps by ``memory``, which fades as the level comes closer.
    """
    steps = prices.size
    spare, slope, bent, way = np.empty(steps), np.empty(steps), np.empty(steps), np.empty(steps)
    value, size = worth_at(market, stress, prices, spare)
    best, best_prices, here = value, prices.copy(), prices.copy()
    gap, idle, roof = reach * size, 0, dearest(market, stress)
    slope[:] = spare
    for _ in range(rounds):
        for t in range(steps):
            slope[t] = 0.3 * slope[t] + 0.7 * spare[t]
            bent[t] = 0.0 if here[t] <= 0 and slope[t] > 0 else slope[t]
        smoothed(bent, memory, way)
        norm = np.sum(bent * way)
        if norm <= 0 or gap < 1e-8 * size:
            break
        length = (value - best + gap) / norm
        for t in range(steps):
            here[t] = min(roof, max(0.0, here[t] - length * way[t]))
        value, _ = worth_at(market, stress, here, spare)
        idle = 0 if value < best - 0.1 * gap else idle + 1
        if value < best:
            best, best_prices[:] = value, here
        if idle > rounds // 20:
            idle, gap, memory = 0, 0.6 * gap, 0.7 * memory
            here[:] = best_prices
            value, _ = worth_at(market, stress, here, spare)
            slope[:] = spare
    return best_prices
