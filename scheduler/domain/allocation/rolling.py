"""Planning as one lives: a job is unknown until it arrives, what runs is never moved, and each arrival plans anew."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from scheduler.domain.allocation.figures import Run, figures_of, runs_of
from scheduler.domain.allocation.grid import FREE, Grid, empty_grid
from scheduler.domain.allocation.instance import BatchJob, Held, Instance, Job, Mode, RealtimeJob

Planner = Callable[[Instance], Grid]
"""A legal grid for an instance."""


@dataclass(frozen=True, slots=True)
class Remainder:
    """What is left to plan from a step on: ``instance`` begins there, ``jobs`` are its jobs' indices in the whole."""

    instance: Instance
    jobs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rolled:
    """What was executed, and at which steps a plan was made."""

    grid: Grid
    planned_at: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Regret:
    """Values of the grid that one would have planned knowing all, and of the one that came about."""

    clairvoyant: float
    rolling: float

    @property
    def value(self) -> float:
        """Clairvoyant − rolling; below 0 where the planner did better by knowing less."""
        return self.clairvoyant - self.rolling


def rolled(instance: Instance, planner: Planner) -> Rolled:
    """The grid that comes about when ``planner`` is asked at step 0 and at each arrival, and obeyed until the next.

    Demand of real-time jobs is known ahead, batch-like jobs are not before they arrive. The grid is legal for the
    whole instance if every grid of the planner is for its own.
    """
    grid = empty_grid(instance.gpus, instance.steps)
    begun = {at: Run(0, job.running.first_gpu, job.modes[0]) for at, job in instance.batch if job.running}
    planned_at = sorted({0, *(job.arrival for _, job in instance.batch if job.arrival < instance.steps)})
    for step, following in pairwise((*planned_at, instance.steps)):
        left = remainder(instance, grid, begun, step)
        plan = planner(left.instance)
        names = np.array([*left.jobs, FREE], dtype=np.int32)
        grid[:, step:following] = names[plan[:, : following - step]]
        begun |= _newly_begun(left, plan, begun, step, following)
    return Rolled(grid, tuple(planned_at))


def remainder(instance: Instance, grid: Grid, begun: Mapping[int, Run], step: int) -> Remainder:
    """What is left to plan at ``step``, of which ``grid`` holds the steps before and ``begun`` who has started by then.

    Finished jobs leave, running ones are held where they are, real-time jobs inherit what they had a step before, and
    whatever has not arrived is not known. Weights begin at 1 again, so batch-like priorities carry the decay until
    ``step`` and weigh against the penalty, which does not decay, as they do in the whole.
    """
    jobs: list[Job] = []
    places: list[int] = []
    weight = instance.weights[step]
    for at, job in enumerate(instance.jobs):
        if isinstance(job, RealtimeJob):
            now: Job | None = _realtime_from(job, at, grid, step)
        else:
            now = _batch_from(replace(job, priority=job.priority * weight), begun.get(at), step)
        if now is not None:
            jobs.append(now)
            places.append(at)
    return Remainder(replace(instance, steps=instance.steps - step, jobs=tuple(jobs)), tuple(places))


def regret(instance: Instance, clairvoyant: Grid, rolling: Grid) -> Regret:
    """How much less the executed grid is worth than one planned with all arrivals known."""
    return Regret(figures_of(instance, clairvoyant).value, figures_of(instance, rolling).value)


def _realtime_from(job: RealtimeJob, at: int, grid: Grid, step: int) -> RealtimeJob:
    if step == 0:
        return job
    held = frozenset(np.flatnonzero(grid[:, step - 1] == at).tolist())
    return replace(job, demand=job.demand[step:], floor=job.floor[step:], inherited=held)


def _batch_from(job: BatchJob, run: Run | None, step: int) -> BatchJob | None:
    latest_end = None if job.latest_end is None else job.latest_end - step
    if run is not None:
        remaining = run.end - step
        if remaining <= 0:
            return None
        modes = (Mode(run.mode.gpus, remaining, run.mode.paid_share),)
        held = Held(run.first_gpu, run.mode.gpus, remaining)
        return replace(job, arrival=0, modes=modes, latest_end=latest_end, running=held)
    if job.arrival > step or (latest_end is not None and latest_end <= 0):
        return None
    return replace(job, arrival=0, latest_end=latest_end)


def _newly_begun(left: Remainder, plan: Grid, begun: Mapping[int, Run], step: int, following: int) -> dict[int, Run]:
    """Who starts from ``step`` on and before ``following``, counted in steps of the whole."""
    runs = {left.jobs[at]: run for at, run in runs_of(left.instance, plan).items()}
    return {
        at: replace(run, start=step + run.start)
        for at, run in runs.items()
        if at not in begun and step + run.start < following
    }
