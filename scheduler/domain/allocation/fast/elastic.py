"""How many GPUs each real-time job holds at each step: a one-dimensional dynamic programme under its swap cap."""

from scheduler.domain.allocation.fast.bits import count
from scheduler.domain.allocation.fast.blocks import WORDS, Blocks, Words
from scheduler.domain.allocation.fast.compiling import inlined
from scheduler.domain.allocation.fast.question import (
    INHERITED_FROM,
    INHERITED_TO,
    IS_BOUND,
    MOST,
    SWAP_CAP,
    Elastic,
    Floats,
    Ints,
)

TIE = 1e-7
"""What holding one GPU for one step costs a plan, in shares of its penalty: only to hold as few as do."""
LOWEST, HIGHEST, BEST = 0, 1, 2
"""Rows of a band (3 × H): the least and most GPUs that can lead on, and the best number."""


@inlined
def find_least(elastic: Elastic, least: Ints) -> None:
    """Writes the fewest GPUs (R × H) each real-time job can hold: its floor, ramps, what it can't drop yet."""
    jobs, steps = elastic.jobs, elastic.demand.shape[1]
    for row in range(jobs.shape[0]):
        cap, before = jobs[row, SWAP_CAP], 0
        if jobs[row, IS_BOUND]:
            before = jobs[row, INHERITED_TO] - jobs[row, INHERITED_FROM]
        for step in range(steps):
            least[row, step] = max(elastic.floor[row, step], before - cap)
            before = least[row, step]
        for step in range(steps - 2, -1, -1):
            least[row, step] = max(least[row, step], least[row, step + 1] - cap)


@inlined
def free_counts(blocks: Blocks, free: Words, counts: Ints) -> None:
    """Writes the number of free GPUs at each step to ``counts``."""
    width, words = blocks.width[0], blocks.levels[0, WORDS]
    for step in range(counts.size):
        gpus = 0
        for word in range(step * width, step * width + words):
            gpus += count(free[word])
        counts[step] = gpus


@inlined
def plan_counts(elastic: Elastic, least: Ints, row: int, spare: Ints, band: Ints, costs: Floats, counts: Ints) -> bool:
    """Writes real-time job ``row``'s best numbers of GPUs to ``counts``; False where none keeps to the bounds.

    Minimizes Σ λ·p·max(0, D − n) with least ≤ n ≤ min(most, spare) and at most its swap cap between two steps.
    """
    jobs = elastic.jobs
    binds, cap, before = False, jobs[row, SWAP_CAP], jobs[row, INHERITED_TO] - jobs[row, INHERITED_FROM]
    for step in range(counts.size):
        low, high = least[row, step], min(jobs[row, MOST], spare[step])
        if low > high:
            return False
        band[LOWEST, step], band[HIGHEST, step] = low, high
        counts[step] = min(max(elastic.demand[row, step], low), high)
        if step > 0 or jobs[row, IS_BOUND]:
            binds = binds or abs(counts[step] - before) > cap
        before = counts[step]
    if not binds:
        return True
    return _best_successors(elastic, row, band, costs) and _followed(elastic, row, band, counts)


@inlined
def _best_successors(elastic: Elastic, row: int, band: Ints, costs: Floats) -> bool:
    """Narrows the band from the last step backwards, and notes the best number of each step.

    What the steps from t on cost is convex in n(t), so that the best successor of n is the nearest to the best of all.
    """
    cap, low, high, best = elastic.jobs[row, SWAP_CAP], band[LOWEST], band[HIGHEST], band[BEST]
    steps = elastic.demand.shape[1]
    for step in range(steps - 1, -1, -1):
        demand, is_last = elastic.demand[row, step], step == steps - 1
        cost, after = costs[step & 1], costs[1 - (step & 1)]
        if not is_last:
            low[step] = max(low[step], low[step + 1] - cap)
            high[step] = min(high[step], high[step + 1] + cap)
        if low[step] > high[step]:
            return False
        best[step] = low[step]
        for held in range(low[step], high[step] + 1):
            cost[held] = TIE * held + max(0, demand - held)
            if not is_last:
                successor = min(max(best[step + 1], held - cap, low[step + 1]), held + cap, high[step + 1])
                cost[held] += after[successor]
            if cost[held] < cost[best[step]]:
                best[step] = held
    return True


@inlined
def _followed(elastic: Elastic, row: int, band: Ints, counts: Ints) -> bool:
    cap, is_bound = elastic.jobs[row, SWAP_CAP], elastic.jobs[row, IS_BOUND] != 0
    before = elastic.jobs[row, INHERITED_TO] - elastic.jobs[row, INHERITED_FROM]
    for step in range(counts.size):
        least, most = band[LOWEST, step], band[HIGHEST, step]
        if is_bound:
            least, most = max(least, before - cap), min(most, before + cap)
        if least > most:
            return False
        counts[step] = min(max(band[BEST, step], least), most)
        before, is_bound = counts[step], True
    return True
