"""The master: which batch-like job starts when in which size, and how many GPUs each real-time job holds, by counts.

One binary per column, one whole number n(t) per real-time job and step, capacity per step: no GPU has a name, which
costs nothing in the relaxation's strength and leaves it without symmetry. Every legal plan is a solution, so its
optimum bounds them; a solution is a plan if it can be packed.
"""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from scheduler.domain.allocation.figures import realtime_counts, runs_of
from scheduler.domain.allocation.full.columns import Column, columns_of, running_worth
from scheduler.domain.allocation.full.conflict import Conflict
from scheduler.domain.allocation.full.model import Floats, Model
from scheduler.domain.allocation.full.rounded import rounded_rows
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import Held, Instance, RealtimeJob

MOST_TERMS = 1_000_000
"""Of all rounded rows; a master that would have more is too large to profit from them."""


@dataclass(frozen=True)
class Master:
    """The model, its columns (variable k is column k), ``held[r][t]`` and ``missed[r][t]`` the variables of n and u.

    ``constant`` is what running jobs are worth, which the model leaves out. What cuts brought along: a variable
    ``any_of[y]`` is 1 where all of one of its lists of columns add up to 1, and ``above[z]`` = (u, c) where u > c.
    """

    model: Model
    columns: list[Column]
    held: list[list[int]]
    missed: list[list[int]]
    constant: float
    any_of: dict[int, list[list[int]]] = field(default_factory=dict)
    above: dict[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class Schedule:
    """A solution of the master: chosen columns, and the GPUs each real-time job needs for what it doesn't miss."""

    columns: tuple[Column, ...]
    needs: tuple[tuple[int, ...], ...]


def master_of(instance: Instance) -> Master:
    """The master of an instance, without cuts."""
    columns = columns_of(instance)
    running = sum(running_worth(instance, job) for _, job in instance.batch)
    model = Model()
    for column in columns:
        model.variable(column.worth)
    _once_each(model, columns)
    held, missed = _elastic(model, instance)
    _capacity(model, instance, columns, held, missed)
    return Master(model, columns, held, missed, running)


def schedule_of(master: Master, instance: Instance, x: Floats) -> Schedule:
    """What a solution means."""
    chosen = tuple(column for column, on in zip(master.columns, x[: len(master.columns)], strict=True) if on > 0.5)
    needs = tuple(
        tuple(max(floor, wanted - round(x[u])) for floor, wanted, u in zip(job.floor, job.demand, short, strict=True))
        for (_, job), short in zip(instance.realtime, master.missed, strict=True)
    )
    return Schedule(chosen, needs)


def forbid(master: Master, instance: Instance, conflict: Conflict) -> None:
    """Add the cut that a conflict implies: not all of its columns, unless real-time misses more than it did.

    A column that is at least as large as a part of the conflict and covers its steps is in the way as much, of
    whichever job it is: the cut counts the parts that anybody plays.
    """
    terms: dict[int, float] = {}
    for part in conflict.columns:
        players = _players(master, conflict, part)
        if len(players) == 1:
            terms.update(dict.fromkeys(players[0], 1.0))
        else:
            terms[_any_of(master, players)] = 1.0
    for (_, job), needs, short in zip(instance.realtime, conflict.needs, master.missed, strict=False):
        for step in range(conflict.begin, conflict.end):
            if needs[step] > job.floor[step]:
                terms[_more_than(master, short[step], job.demand[step] - needs[step])] = -1.0
    master.model.row(terms, high=len(conflict.columns) - 1.0)


def _players(master: Master, conflict: Conflict, part: Column) -> list[list[int]]:
    """The columns that can play a part of the conflict, a list for each job; nobody plays two parts."""
    others = [other for other in conflict.columns if other != part]
    mine: dict[int, list[int]] = {}
    for at, column in enumerate(master.columns):
        if _plays(column, part) and (column.job == part.job or not any(_plays(column, other) for other in others)):
            mine.setdefault(column.job, []).append(at)
    return list(mine.values())


def _plays(column: Column, part: Column) -> bool:
    return column.gpus >= part.gpus and column.start <= part.start and column.end >= part.end


def _any_of(master: Master, lists: list[list[int]]) -> int:
    """A variable that is 1 where the columns of one of the lists add up to 1."""
    anybody = master.model.variable(whole=False)
    for columns in lists:
        master.model.row({anybody: 1.0} | dict.fromkeys(columns, -1.0), low=0.0)
    master.any_of[anybody] = lists
    return anybody


def _more_than(master: Master, variable: int, count: int) -> int:
    """A variable that is 1 or more only where ``variable`` is above ``count``."""
    if count == 0:
        return variable
    is_above = master.model.variable()
    master.model.row({variable: 1.0, is_above: -(count + 1.0)}, low=0.0)
    master.above[is_above] = variable, count
    return is_above


def solution_of(master: Master, instance: Instance, grid: Grid) -> Floats:
    """A legal grid as a solution of the master."""
    x = np.zeros(len(master.model.worth))
    places = {(column.job, column.gpus, column.start): at for at, column in enumerate(master.columns)}
    for index, run in runs_of(instance, grid).items():
        if (at := places.get((index, run.mode.gpus, run.start))) is not None:
            x[at] = 1.0
    for (_, job), mine, short, held in zip(
        instance.realtime, master.held, master.missed, realtime_counts(instance, grid), strict=True
    ):
        x[mine] = held
        x[short] = np.maximum(np.array(job.demand) - held, 0)
    return completed(master, x)


def completed(master: Master, x: Floats) -> Floats:
    """A solution with the least values that the variables brought along by cuts may have beside it."""
    x = np.concatenate((x, np.zeros(len(master.model.worth) - x.size)))
    for anybody, lists in master.any_of.items():
        x[anybody] = max(x[columns].sum() for columns in lists)
    for is_above, (variable, count) in master.above.items():
        x[is_above] = x[variable] > count + 0.5
    return x


def _once_each(model: Model, columns: list[Column]) -> None:
    mine: dict[int, dict[int, float]] = {}
    for at, column in enumerate(columns):
        mine.setdefault(column.job, {})[at] = 1.0
    for terms in mine.values():
        model.row(terms, high=1.0)


def _elastic(model: Model, instance: Instance) -> tuple[list[list[int]], list[list[int]]]:
    held, missed = [], []
    for _, job in instance.realtime:
        most = min(instance.gpus, job.most)
        penalty = instance.objective.realtime_penalty * job.priority
        mine = [model.variable(low=floor, high=most) for floor in job.floor]
        short = [model.variable(-penalty, high=demand) for demand in job.demand]
        for n, u, demand in zip(mine, short, job.demand, strict=True):
            model.row({n: 1.0, u: 1.0}, low=demand)
        _swap_cap(model, job, mine)
        held.append(mine)
        missed.append(short)
    return held, missed


def _swap_cap(model: Model, job: RealtimeJob, mine: list[int]) -> None:
    if job.inherited is not None:
        had = len(job.inherited)
        model.row({mine[0]: 1.0}, low=had - job.swap_cap, high=had + job.swap_cap)
    for before, now in pairwise(mine):
        model.row({now: 1.0, before: -1.0}, low=-job.swap_cap, high=job.swap_cap)


def _capacity(
    model: Model, instance: Instance, columns: list[Column], held: list[list[int]], missed: list[list[int]]
) -> None:
    """A row per step for all GPUs, and some for the blocks of a size where these are fewer than the GPUs allow."""
    covering: list[list[int]] = [[] for _ in range(instance.steps)]
    for at, column in enumerate(columns):
        for step in range(column.start, column.end):
            covering[step].append(at)
    running = [job.running for _, job in instance.batch if job.running is not None]
    sizes = sorted({column.gpus for column in columns})
    is_modest = len(sizes) * sum(map(len, covering)) <= MOST_TERMS
    for step, here in enumerate(covering):
        taken = frozenset(gpu for held_now in running if step < held_now.remaining for gpu in gpus_of(held_now))
        free = instance.gpus - len(taken)
        terms = {at: float(columns[at].gpus) for at in here} | {row[step]: 1.0 for row in held}
        model.row(terms, high=free)
        for size in sizes:
            places = most_blocks(instance, size, taken)
            if places * size < free:
                large = {at: columns[at].gpus / size for at in here if columns[at].gpus >= size}
                model.row(large, high=places)
        if not is_modest:
            continue
        for rounded, high in rounded_rows(instance, columns, here, [row[step] for row in missed], free, step):
            model.row(rounded, high=high)


def gpus_of(held: Held) -> range:
    """The GPUs of a running job."""
    return range(held.first_gpu, held.first_gpu + held.gpus)


def most_blocks(instance: Instance, size: int, taken: frozenset[int]) -> int:
    """How many blocks of ``size`` fit beside each other, none on the GPUs ``taken``.

    A larger block holds size ÷ ``size`` of them, wherever it may lie. Taking the lowest that fits is the most that can
    be had of intervals of one length.
    """
    count, after = 0, 0
    for first in instance.block_starts(size):
        if first >= after and taken.isdisjoint(range(first, first + size)):
            count, after = count + 1, first + size
    return count
