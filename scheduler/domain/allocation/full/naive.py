"""The literal model, a binary for every GPU, job and step: what full mode is measured against, and not used by it."""

from collections.abc import Callable
from dataclasses import dataclass

from scheduler.domain.allocation.figures import figures_of
from scheduler.domain.allocation.full.columns import Column, columns_of, running_worth
from scheduler.domain.allocation.full.guaranteed import counted_grid
from scheduler.domain.allocation.full.highs import solved
from scheduler.domain.allocation.full.model import Floats, Model
from scheduler.domain.allocation.full.plan import PROVED, FullPlan
from scheduler.domain.allocation.grid import FREE, Grid
from scheduler.domain.allocation.instance import BatchJob, Instance, RealtimeJob

Cell = tuple[int, int, int]


@dataclass(frozen=True)
class Literal:
    """The model and its variables x[GPU, job, step]; cells of running jobs have none."""

    model: Model
    cells: dict[Cell, int]


def naive_plan(instance: Instance, *, left: Callable[[], float]) -> FullPlan | None:
    """The best plan HiGHS finds in the literal model, without a start; None where it finds none in time.

    Real-time demand is weighed by λ, guaranteed or not.
    """
    literal = literal_of(instance)
    answer = solved(literal.model, left=left)
    if answer.x is None:
        return None
    grid = _grid(instance, literal, answer.x)
    bound = answer.bound + sum(running_worth(instance, job) for _, job in instance.batch)
    return FullPlan(grid, bound, bound - figures_of(instance, grid).value <= PROVED * abs(bound))


def literal_of(instance: Instance) -> Literal:
    """The model with every cell's variables, starts, blocks, swaps and shortfalls."""
    model = Model()
    taken = counted_grid(instance, [[0] * instance.steps for _ in instance.realtime]) != FREE
    cells = {
        (gpu, at, step): model.variable()
        for at, job in enumerate(instance.jobs)
        if isinstance(job, RealtimeJob) or job.running is None
        for gpu in range(instance.gpus)
        for step in range(instance.steps)
        if not taken[gpu, step]
    }
    literal = Literal(model, cells)
    sharing: dict[tuple[int, int], dict[int, float]] = {}
    for (gpu, _, step), x in cells.items():
        sharing.setdefault((gpu, step), {})[x] = 1.0
    for terms in sharing.values():
        model.row(terms, high=1.0)
    columns = columns_of(instance)
    for at, job in instance.batch:
        if job.running is None:
            _batch(literal, instance, at, job, [column for column in columns if column.job == at])
    for at, elastic in instance.realtime:
        _elastic(literal, instance, at, elastic)
    return literal


def _batch(literal: Literal, instance: Instance, at: int, job: BatchJob, columns: list[Column]) -> None:
    """One start in one size on one block of it; as many cells at each step as that has, all inside the block."""
    model = literal.model
    starts = {model.variable(column.worth): column for column in columns}
    blocks = {model.variable(): (mode.gpus, first) for mode in job.modes for first in instance.block_starts(mode.gpus)}
    if starts:
        model.row(dict.fromkeys(starts, 1.0), high=1.0)
    for mode in job.modes:
        chosen = {y: 1.0 for y, column in starts.items() if column.gpus == mode.gpus}
        on = {z: -1.0 for z, (size, _) in blocks.items() if size == mode.gpus}
        model.row(chosen | on, low=0.0, high=0.0)
    for step in range(instance.steps):
        mine = {literal.cells[cell]: 1.0 for gpu in range(instance.gpus) if (cell := (gpu, at, step)) in literal.cells}
        active = {y: -float(one.gpus) for y, one in starts.items() if one.start <= step < one.end}
        model.row(mine | active, low=0.0, high=0.0)
    for (gpu, owner, _), x in literal.cells.items():
        if owner == at:
            around = {z: -1.0 for z, (size, first) in blocks.items() if first <= gpu < first + size}
            model.row({x: 1.0} | around, high=0.0)


def _elastic(literal: Literal, instance: Instance, at: int, job: RealtimeJob) -> None:
    """The shortfall of each step, the floor, the most, and adds plus drops by GPU within the swap cap."""
    model, cells = literal.model, literal.cells
    penalty = instance.objective.realtime_penalty * job.priority
    for step in range(instance.steps):
        mine = {gpu: cells[gpu, at, step] for gpu in range(instance.gpus) if (gpu, at, step) in cells}
        short = model.variable(-penalty, high=job.demand[step])
        held = dict.fromkeys(mine.values(), 1.0)
        model.row(held | {short: 1.0}, low=job.demand[step])
        model.row(held, low=job.floor[step], high=min(job.most, instance.gpus))
        if step == 0 and job.inherited is None:
            continue
        changes = {}
        for gpu, x in mine.items():
            changed = model.variable(whole=False)
            changes[changed] = 1.0
            before = cells.get((gpu, at, step - 1))
            had = 1.0 if step == 0 and gpu in (job.inherited or ()) else 0.0
            less = {before: 1.0} if before is not None else {}
            model.row({changed: 1.0, x: -1.0} | less, low=-had)
            model.row({changed: 1.0, x: 1.0} | {old: -1.0 for old in less}, low=had)
        model.row(changes, high=job.swap_cap)


def _grid(instance: Instance, literal: Literal, x: Floats) -> Grid:
    grid = counted_grid(instance, [[0] * instance.steps for _ in instance.realtime])
    for (gpu, at, step), variable in literal.cells.items():
        if x[variable] > 0.5:
            grid[gpu, step] = at
    return grid
