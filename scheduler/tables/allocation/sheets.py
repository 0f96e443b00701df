"""The allocator's tables as files: the modes, a plan's jobs, its blocks, the prices."""

from decimal import Decimal
from itertools import pairwise

import numpy as np

from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.domain.allocation.clock import step_label
from scheduler.domain.allocation.instance import BatchJob
from scheduler.services.compared_plans import ComparedPlans, Plan
from scheduler.tables.allocation.jobs import by_start, job_lines

About = tuple[tuple[str, str], ...]

MODES = (
    Column("mode", "mode", Kind.TEXT),
    Column("value", "value", Kind.MONEY, term="allocation_value"),
    Column("value_over_fifo", "over FIFO", Kind.MONEY),
    Column("utilization_share", "utilization", Kind.SHARE, term="utilization"),
    Column("occupied_share", "held", Kind.SHARE),
    Column("output", "output", Kind.MONEY),
    Column("bound", "bound", Kind.MONEY, term="bound"),
    Column("gap_share", "gap", Kind.SHARE, term="gap"),
    Column("proved", "proved best", Kind.YES_NO),
    Column("completed", "completed", Kind.COUNT),
    Column("continuing", "going on", Kind.COUNT),
    Column("unplaced", "not placed", Kind.COUNT),
    Column("unmet_gpu_steps", "unmet", Kind.COUNT, "GPU-steps", term="unmet_demand"),
    Column("swaps_used", "swaps used", Kind.COUNT),
    Column("latency_ms", "latency", Kind.MONEY, "ms"),
)

JOBS = (
    Column("job", "job", Kind.TEXT),
    Column("type", "type", Kind.TEXT),
    Column("priority", "priority", Kind.MONEY),
    Column("sizes", "size", Kind.TEXT),
    Column("arrival_step", "arrives", Kind.COUNT, "step"),
    Column("start_step", "starts", Kind.COUNT, "step"),
    Column("end_step", "ends", Kind.COUNT, "step"),
    Column("first_gpu", "first GPU", Kind.COUNT),
    Column("gpus", "GPUs", Kind.COUNT),
    Column("wait_steps", "waits", Kind.COUNT, "steps"),
    Column("earns", "earns", Kind.MONEY, term="allocation_value"),
    Column("costs", "costs", Kind.MONEY, term="step_price"),
    Column("unmet_gpu_steps", "unmet", Kind.COUNT, "GPU-steps", term="unmet_demand"),
    Column("reason", "why not sooner", Kind.TEXT),
)

BLOCKS = (
    Column("first_gpu", "first GPU", Kind.COUNT),
    Column("gpus", "GPUs", Kind.COUNT),
    Column("start_step", "from", Kind.COUNT, "step"),
    Column("end_step", "to", Kind.COUNT, "step"),
    Column("starts", "from", Kind.TEXT),
    Column("ends", "to", Kind.TEXT),
    Column("job", "job", Kind.TEXT),
    Column("type", "type", Kind.TEXT),
)

PRICES = (
    Column("step", "step", Kind.COUNT),
    Column("starts", "starts", Kind.TEXT),
    Column("price", "price of a GPU", Kind.MONEY, term="step_price"),
)


def modes_sheet(found: ComparedPlans, about: About = ()) -> Sheet:
    """One row for each mode."""
    return Sheet("modes", "Modes", MODES, tuple(_mode(plan, found.by_mode["fifo"]) for plan in found.plans), about)


def jobs_sheet(found: ComparedPlans, plan: Plan, about: About = ()) -> Sheet:
    """One row for each job of a plan, as they start."""
    rows = tuple(
        (
            line.id, line.type, _exact(line.priority), line.size, line.arrival, line.start, line.end, line.first_gpu,
            line.gpus, line.waits, _exact(line.earns), _exact(line.costs), line.lacks, line.reason or None,
        )
        for line in by_start(job_lines(found, plan))
    )  # fmt: skip
    return Sheet("jobs", "Jobs", JOBS, rows, about)


def blocks_sheet(plan: Plan, about: About = ()) -> Sheet:
    """One row for each rectangle of one job in the grid, from the first GPU on; nobody's cells are left out."""
    instance, clock = plan.instance, plan.instance.step_minutes
    rows = []
    for first, gpus, start, end, at in _rectangles(plan):
        job = instance.jobs[at]
        kind = job.type if isinstance(job, BatchJob) else "realtime"
        rows.append((first, gpus, start, end, step_label(start, clock), step_label(end, clock), job.id, kind))
    return Sheet("grid", "Grid", BLOCKS, tuple(rows), about)


def prices_sheet(found: ComparedPlans, about: About = ()) -> Sheet:
    """One row for each step."""
    clock = found.instance.step_minutes
    rows = tuple((step, step_label(step, clock), _exact(price)) for step, price in enumerate(found.prices))
    return Sheet("prices", "Prices", PRICES, rows, about)


def _mode(plan: Plan, fifo: Plan) -> tuple[object, ...]:
    figures = plan.figures
    return (
        plan.mode, _exact(figures.value), _exact(figures.value - fifo.figures.value), _exact(figures.utilization),
        _exact(figures.occupied_share), _exact(figures.output), _exact(plan.bound), _exact(plan.gap_share),
        plan.proved, figures.completed, figures.continuing, figures.unplaced, figures.unmet_gpu_steps,
        figures.swaps_used, _exact(plan.latency_ms),
    )  # fmt: skip


def _exact(value: float | None) -> Decimal | None:
    return None if value is None else Decimal(repr(float(value)))


def _rectangles(plan: Plan) -> list[tuple[int, int, int, int, int]]:
    """(first GPU, GPUs, start, end, job): runs of a job on a GPU, equal ones on neighbours in one."""
    open_at: dict[tuple[int, int, int], tuple[int, int]] = {}
    found = []
    for gpu, line in enumerate(plan.grid):
        edges = [0, *(int(at) + 1 for at in np.flatnonzero(np.diff(line))), len(line)]
        runs = {(start, end, int(line[start])) for start, end in pairwise(edges) if line[start] >= 0}
        found += [(first, count, *run) for run, (first, count) in open_at.items() if run not in runs]
        open_at = {run: (open_at[run][0], open_at[run][1] + 1) if run in open_at else (gpu, 1) for run in runs}
    found += [(first, count, *run) for run, (first, count) in open_at.items()]
    return sorted(found)
