"""Brute force on tiny instances, from the constraints alone: what is legal, what a grid is worth, what is the best.

Reads the plain fields of an instance and shares no line with the product.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import BatchJob, Instance, RealtimeJob

Sets = tuple[frozenset[int], ...]
Rank = tuple[float, ...]
NOTHING = frozenset[int]()


def weight(instance: Instance, step: int) -> float:
    half_life = instance.objective.half_life_steps
    return 1.0 if half_life is None else 0.5 ** (step / half_life)


def block_is_allowed(instance: Instance, first: int, size: int) -> bool:
    """Whether a new block may lie on GPUs first … first + size − 1."""
    node_of = [
        (node, place) for node, length in enumerate(instance.nodes or (instance.gpus,)) for place in range(length)
    ]
    gpus = list(range(first, first + size))
    if first < 0 or gpus[-1] >= instance.gpus:
        return False
    nodes = sorted({node_of[gpu][0] for gpu in gpus})
    lengths = {(instance.nodes or (instance.gpus,))[node] for node in nodes}
    if len(nodes) == 1:
        return instance.blocks == "contiguous" or node_of[first][1] % size == 0
    return len(lengths) == 1 and size > min(lengths) and len(nodes) * min(lengths) == size


def placements(instance: Instance, job: BatchJob) -> Iterator[tuple[int, int, int, int, float]]:
    """Every (start, steps within the horizon, first GPU, GPUs, paid share) a batch-like job may have."""
    horizon = instance.steps
    if job.running is not None:
        mode = job.modes[0]
        yield 0, min(job.running.remaining, horizon), job.running.first_gpu, job.running.gpus, mode.paid_share
        return
    for mode, start, first in product(job.modes, range(job.arrival, horizon), range(instance.gpus)):
        in_time = job.latest_end is None or start + mode.steps <= job.latest_end
        if in_time and block_is_allowed(instance, first, mode.gpus):
            yield start, min(mode.steps, horizon - start), first, mode.gpus, mode.paid_share


def cells_of(start: int, steps: int, first: int, gpus: int) -> set[tuple[int, int]]:
    return {(gpu, step) for gpu in range(first, first + gpus) for step in range(start, start + steps)}


def realtime_is_legal(instance: Instance, job: RealtimeJob, sets: Sets) -> bool:
    most = min(instance.gpus, max([0, *job.demand, *job.floor, len(job.inherited or ())]))
    before = [job.inherited, *sets]
    return all(
        len(now) <= most and len(now) >= floor and (last is None or len(now ^ last) <= job.swap_cap)
        for last, now, floor in zip(before, sets, job.floor, strict=False)
    )


def is_legal(instance: Instance, grid: Any) -> bool:
    """Whether a grid of job indices, −1 where free, is legal."""
    cells: dict[int, set[tuple[int, int]]] = {at: set() for at in range(len(instance.jobs))}
    for gpu, step in product(range(instance.gpus), range(instance.steps)):
        if (at := int(grid[gpu][step])) != -1:
            if at not in cells:
                return False
            cells[at].add((gpu, step))
    for at, job in enumerate(instance.jobs):
        if isinstance(job, RealtimeJob):
            sets = tuple(frozenset(gpu for gpu, step in cells[at] if step == now) for now in range(instance.steps))
            if not realtime_is_legal(instance, job, sets):
                return False
        elif (cells[at] or job.running is not None) and not any(
            cells[at] == cells_of(*place[:4]) for place in placements(instance, job)
        ):
            return False
    return True


def optimum(instance: Instance) -> tuple[Rank, Grid] | None:
    """The best rank (objective; guaranteed: −weighted shortfall, objective) and a grid of it; None if none is legal."""
    realtime = [(at, job) for at, job in enumerate(instance.jobs) if isinstance(job, RealtimeJob)]
    penalty, guaranteed = instance.objective.realtime_penalty, instance.objective.realtime == "guaranteed"

    @cache
    def least_shortfall(free: Sets) -> tuple[float, tuple[Sets, ...]] | None:
        return _least_shortfall(instance, tuple(job for _, job in realtime), free)

    best: tuple[Rank, Grid] | None = None
    for value, batch_cells in _batch_plans(instance):
        if best is not None and not guaranteed and value <= best[0][-1]:
            continue
        taken = {cell for cells in batch_cells.values() for cell in cells}
        free = tuple(
            frozenset(gpu for gpu in range(instance.gpus) if (gpu, step) not in taken) for step in range(instance.steps)
        )
        if (found := least_shortfall(free)) is None:
            continue
        worth = value - penalty * found[0]
        rank = (-found[0], worth) if guaranteed else (worth,)
        if best is None or rank > best[0]:
            best = rank, _grid(instance, batch_cells, [at for at, _ in realtime], found[1])
    return best


def _batch_plans(instance: Instance) -> Iterator[tuple[float, dict[int, set[tuple[int, int]]]]]:
    """Every set of placements of the batch-like jobs that share no cell, with Σ p·share·w(t)."""
    jobs = [(at, job) for at, job in enumerate(instance.jobs) if isinstance(job, BatchJob)]
    options = []
    for _, job in jobs:
        mine: list[tuple[float, set[tuple[int, int]]]] = [] if job.running is not None else [(0.0, set())]
        for start, steps, first, gpus, share in placements(instance, job):
            worth = sum(job.priority * share * gpus * weight(instance, step) for step in range(start, start + steps))
            mine.append((worth, cells_of(start, steps, first, gpus)))
        options.append(sorted(mine, key=lambda option: -option[0]))

    def extend(done: int, value: float, taken: set[tuple[int, int]], plan: dict[int, set[tuple[int, int]]]) -> Any:
        if done == len(jobs):
            yield value, dict(plan)
            return
        for worth, cells in options[done]:
            if not taken & cells:
                yield from extend(done + 1, value + worth, taken | cells, plan | {jobs[done][0]: cells})

    yield from extend(0, 0.0, set(), {})


def _least_shortfall(
    instance: Instance, jobs: tuple[RealtimeJob, ...], free: Sets
) -> tuple[float, tuple[Sets, ...]] | None:
    """Least Σ p·missing GPUs on the free GPUs of each step, and the sets of each step; None if nothing is legal."""
    states: dict[Sets, tuple[float, tuple[Sets, ...]]] = {}
    for step in range(instance.steps):
        reached: dict[Sets, tuple[float, tuple[Sets, ...]]] = {}
        for sets in _shares(free[step], len(jobs)):
            costs = 0.0
            for job, held in zip(jobs, sets, strict=True):
                costs += job.priority * max(0, job.demand[step] - len(held))
            if step == 0:
                if all(_may(instance, job, step, job.inherited, held) for job, held in zip(jobs, sets, strict=True)):
                    reached[sets] = costs, (sets,)
                continue
            for before, (cost, way) in states.items():
                moves = zip(jobs, before, sets, strict=True)
                cheaper = sets not in reached or cost + costs < reached[sets][0]
                if cheaper and all(_may(instance, job, step, last, held) for job, last, held in moves):
                    reached[sets] = cost + costs, (*way, sets)
        states = reached
    return min(states.values(), key=lambda state: state[0], default=None)


def _may(instance: Instance, job: RealtimeJob, step: int, before: frozenset[int] | None, now: frozenset[int]) -> bool:
    most = min(instance.gpus, max([0, *job.demand, *job.floor, len(job.inherited or ())]))
    return job.floor[step] <= len(now) <= most and (before is None or len(now ^ before) <= job.swap_cap)


def _shares(free: frozenset[int], jobs: int) -> Iterator[Sets]:
    """Every way to give each of so many jobs some of the free GPUs."""
    if jobs == 0:
        yield ()
        return
    for size in range(len(free) + 1):
        for held in combinations(sorted(free), size):
            for rest in _shares(free - set(held), jobs - 1):
                yield (frozenset(held), *rest)


def _grid(
    instance: Instance, batch: dict[int, set[tuple[int, int]]], realtime: list[int], way: tuple[Sets, ...]
) -> Grid:
    grid = np.full((instance.gpus, instance.steps), -1, dtype=np.int32)
    for at, cells in batch.items():
        for gpu, step in cells:
            grid[gpu, step] = at
    for step, sets in enumerate(way):
        for at, held in zip(realtime, sets, strict=True):
            for gpu in held:
                grid[gpu, step] = at
    return grid
