"""Each job of a plan in one line: what it wants, what it gets, and why not sooner."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reservations.domain import notation
from scheduler.domain.allocation.clock import span_label, step_label
from scheduler.domain.allocation.instance import BatchJob, Instance, RealtimeJob
from scheduler.domain.allocation.reasons import earned, reasons_of
from scheduler.services.compared_plans import ComparedPlans, Plan
from scheduler.tables.allocation.words import TYPES, number

REASONED_CELLS = 50_000
"""Up to so many GPUs × steps a page says who is in the way: beyond, finding out takes longer than one waits."""


@dataclass(frozen=True, slots=True)
class JobLine:
    """One job in one plan; steps and numbers as they are, None where there are none. ``told`` is for a drawing."""

    at: int
    id: str
    kind: str
    priority: float
    size: str
    arrival: int | None
    start: int | None
    end: int | None
    first_gpu: int | None
    gpus: int | None
    earns: float | None
    costs: float | None
    lacks: int | None
    reason: str
    told: str

    @property
    def type(self) -> str:
        """Its type as it is read."""
        return TYPES[self.kind]

    @property
    def waits(self) -> int | None:
        """Steps from its arrival to its start."""
        return None if self.start is None or self.arrival is None else self.start - self.arrival


def job_lines(
    found: ComparedPlans, plan: Plan, jobs: Sequence[int] | None = None, *, reasoned: bool = True
) -> list[JobLine]:
    """The lines of these jobs, of all of them unless given; without reasons where nobody reads them."""
    upto = np.concatenate([[0.0], np.cumsum(found.prices)])
    wanted = tuple(range(len(plan.instance.jobs)) if jobs is None else jobs)
    told = [""] * len(wanted)
    if reasoned and plan.grid.size <= REASONED_CELLS:
        told = [reason.sentence for reason in reasons_of(plan.instance, plan.grid, wanted)]
    return [_line(plan, at, upto, reason) for at, reason in zip(wanted, told, strict=True)]


def _line(plan: Plan, at: int, upto: np.ndarray, reason: str) -> JobLine:  # type: ignore[type-arg]
    job = plan.instance.jobs[at]
    return _batch(plan, at, job, upto, reason) if isinstance(job, BatchJob) else _realtime(plan, at, job, reason)


def by_start(lines: Sequence[JobLine]) -> list[JobLine]:
    """As they start, those that never do last."""
    return sorted(lines, key=lambda line: (line.start is None, line.start or 0, line.at))


def starts(plan: Plan) -> dict[int, int]:
    """The first step of each job that runs, by its index."""
    gpus, steps = np.nonzero(plan.grid >= 0)
    first = np.full(len(plan.instance.jobs), plan.instance.steps)
    np.minimum.at(first, plan.grid[gpus, steps], steps)
    return {at: int(step) for at, step in enumerate(first) if step < plan.instance.steps}


def _batch(plan: Plan, at: int, job: BatchJob, upto: np.ndarray, reason: str) -> JobLine:  # type: ignore[type-arg]
    instance = plan.instance
    size = " or ".join(f"{mode.gpus} × {duration(mode.steps, instance)}" for mode in job.modes)
    placed = plan.runs.get(at)
    named = f"{job.id}, {TYPES[job.type]}, priority {job.priority:g}"
    if placed is None:
        told = f"{named}: not placed"
        return JobLine(
            at, job.id, job.type, job.priority, size, job.arrival, *(None,) * 7, reason, told
        )  # fmt: skip
    end = placed.start + placed.mode.steps
    held = min(end, instance.steps)
    last = placed.first_gpu + placed.mode.gpus - 1
    block = f"GPU {last}" if placed.mode.gpus == 1 else f"GPUs {placed.first_gpu}–{last}"
    span = span_label(placed.start, held, instance.step_minutes)
    so = ", running before" if job.running else ", goes on after the horizon" if end > instance.steps else ""
    earns = earned(instance, job, placed)
    costs = placed.mode.gpus * float(upto[held] - upto[placed.start])
    return JobLine(
        at, job.id, job.type, job.priority, size, job.arrival, placed.start, held, placed.first_gpu, placed.mode.gpus,
        earns, costs, None, reason, f"{named}: {block}, {span}{so}; earns {number(earns)}",
    )  # fmt: skip


def _realtime(plan: Plan, at: int, job: RealtimeJob, reason: str) -> JobLine:
    held = (plan.grid == at).sum(axis=0)
    demand = np.asarray(job.demand)
    lacks, spare = int(np.maximum(demand - held, 0).sum()), int(np.maximum(held - demand, 0).sum())
    most, steps = int(demand.max(initial=0)), np.flatnonzero(held)
    size = f"up to {most}, {job.swap_cap} at a time"
    said = f"lacks {lacks} GPU-step{'' if lacks == 1 else 's'}" if lacks else "lacks none"
    beyond = f", holds {spare} more than it wants" if spare else ""
    told = f"{job.id}, real-time, priority {job.priority:g}: wants {int(demand.sum())} GPU-steps, {said}{beyond}"
    start, end = (int(steps[0]), int(steps[-1]) + 1) if len(steps) else (None, None)
    gpus = int(held.max(initial=0)) or None
    return JobLine(
        at, job.id, "realtime", job.priority, size, None, start, end, None, gpus, None, None, lacks, reason, told
    )


def duration(steps: int, instance: Instance) -> str:
    """``9 h`` where a step is an hour, else ``9 steps``."""
    if instance.step_minutes == 60:
        return f"{steps}{notation.THIN}h"
    return f"{steps} step{'' if steps == 1 else 's'}"


def step_text(step: int | None, instance: Instance) -> str:
    """A step as time from the first, a dash where there is none."""
    return notation.UNKNOWN if step is None else step_label(step, instance.step_minutes)
