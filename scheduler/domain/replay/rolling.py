"""A month lived through on one size: planned anew on each arrival, a moving window ahead, without foresight."""

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scheduler.domain.allocation.figures import Run, runs_of
from scheduler.domain.allocation.grid import FREE, Grid, empty_grid
from scheduler.domain.allocation.instance import BatchJob, Held, Instance, Job, Mode, Objective, RealtimeJob
from scheduler.domain.policy import ReplayPolicy
from scheduler.domain.replay.work import OTHER_TYPE, TYPES, ReplayJob, ReplayWork

Planner = Callable[[Instance], Grid]
"""A legal grid for an instance."""

Told = Callable[[int], None]
"""Is told how many steps are behind; may raise to stop."""

REALTIME_ID = "serving"


def month_instance(work: ReplayWork, *, nodes: int, gpus_per_node: int, policy: ReplayPolicy) -> Instance:
    """The month on so many nodes as the allocator knows it: every job, and serving where any was needed.

    A block that rounding made larger earns no more than the GPUs that were recorded; there is no decay.
    """
    jobs: list[Job] = [_batch_job(job, policy) for job in work.jobs]
    if any(work.realtime):
        jobs.append(_realtime_job(work, policy))
    gpus = nodes * gpus_per_node
    objective = Objective(half_life_steps=None, realtime_penalty=policy.penalty)
    return Instance(gpus, len(work.hours), tuple(jobs), objective, nodes=(gpus_per_node,) * nodes)


def rolled_month(instance: Instance, planner: Planner, policy: ReplayPolicy, told: Told | None = None) -> Grid:
    """The grid that comes about: ``planner`` is asked at step 0, at each arrival and once half a window is behind.

    It knows the jobs that have arrived and real-time demand within the window, nothing else; what runs stays where it
    is. The grid is legal for the whole month if every grid of the planner is for its own window.
    """
    course = _Course(instance, policy)
    step = 0
    while step < instance.steps:
        course.take_in(step)
        following = course.following(step)
        course.live(step, following, planner)
        step = following
        if told is not None:
            told(step)
    return course.grid


@dataclass
class _Course:
    """Where a month stands: what was executed, who has begun, and who waits."""

    instance: Instance
    policy: ReplayPolicy
    grid: Grid = field(init=False)
    begun: dict[int, Run] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.grid = empty_grid(self.instance.gpus, self.instance.steps)
        sizes = {job.modes[0].gpus for _, job in self.instance.batch}
        fitting = {size for size in sizes if next(self.instance.block_starts(size), None) is not None}
        fits = [(job.arrival, at) for at, job in self.instance.batch if job.modes[0].gpus in fitting]
        self.to_come = sorted(fits, reverse=True)
        self.arrivals = sorted({arrival for arrival, _ in fits})
        self.arrived = {at: replace(job, arrival=0) for at, job in self.instance.batch}

    def take_in(self, step: int) -> None:
        """Who has arrived by a step waits; who has ended by it is gone."""
        while self.to_come and self.to_come[-1][0] <= step:
            self.waiting.append(self.to_come.pop()[1])
        self.begun = {at: run for at, run in self.begun.items() if run.end > step}

    def following(self, step: int) -> int:
        """The step of the next plan: the next arrival, at most half a window on, so that each plan is seen half."""
        window = self.policy.window_steps
        later = bisect_right(self.arrivals, step)
        arrival = self.arrivals[later] if later < len(self.arrivals) else self.instance.steps
        half = self.instance.steps if step + window >= self.instance.steps else step + max(1, window // 2)
        return min(arrival, half, self.instance.steps)

    def live(self, step: int, following: int, planner: Planner) -> None:
        """Plan at a step, and do as planned until the following one."""
        part, places = self._part(step)
        plan = planner(part)
        names = np.array([*places, FREE], dtype=np.int32)
        self.grid[:, step:following] = names[plan[:, : following - step]]
        for here, run in runs_of(part, plan).items():
            at, start = places[here], step + run.start
            if at not in self.begun and start < following:
                self.begun[at] = replace(run, start=start)
        self.waiting = [at for at in self.waiting if at not in self.begun]

    def _part(self, step: int) -> tuple[Instance, list[int]]:
        """The window from a step on, and its jobs' places in the month."""
        steps = min(self.policy.window_steps, self.instance.steps - step)
        places = [*self.begun, *self._told_of(steps)]
        jobs: list[Job] = [self._batch_from(at, step) for at in places]
        for at, job in self.instance.realtime:
            places.append(at)
            jobs.append(self._realtime_from(job, at, step, steps))
        return replace(self.instance, steps=steps, jobs=tuple(jobs)), places

    def _told_of(self, steps: int) -> list[int]:
        """Who of the waiting a plan is told of, in order of arrival: the worthiest first, as many as may matter."""
        room = self.policy.asked_share * self.instance.gpus * steps
        chosen = []
        for at in sorted(self.waiting, key=lambda one: (-self.arrived[one].priority, one)):
            if room <= 0:
                break
            chosen.append(at)
            mode = self.arrived[at].modes[0]
            room -= mode.gpus * min(mode.steps, steps)
        return sorted(chosen)

    def _batch_from(self, at: int, step: int) -> BatchJob:
        job, run = self.arrived[at], self.begun.get(at)
        if run is None:
            return job
        left = run.end - step
        mode = Mode(run.mode.gpus, left, run.mode.paid_share)
        return replace(job, modes=(mode,), running=Held(run.first_gpu, run.mode.gpus, left))

    def _realtime_from(self, job: RealtimeJob, at: int, step: int, steps: int) -> RealtimeJob:
        demand, floor = job.demand[step : step + steps], job.floor[step : step + steps]
        if step == 0:
            return replace(job, demand=demand, floor=floor)
        held = frozenset(np.flatnonzero(self.grid[:, step - 1] == at).tolist())
        return replace(job, demand=demand, floor=floor, inherited=held)


def _batch_job(job: ReplayJob, policy: ReplayPolicy) -> BatchJob:
    return BatchJob(
        id=job.id,
        type=TYPES.get(job.workload, OTHER_TYPE),
        priority=priority_of(job.workload, policy),
        arrival=job.arrival,
        modes=(Mode(job.gpus, job.steps, job.used / job.gpus),),
    )


def _realtime_job(work: ReplayWork, policy: ReplayPolicy) -> RealtimeJob:
    return RealtimeJob(
        id=REALTIME_ID,
        priority=priority_of(REALTIME_ID, policy),
        demand=work.realtime,
        swap_cap=max(1, work.swap_cap),
        floor=(0,) * len(work.realtime),
    )


def priority_of(workload: str, policy: ReplayPolicy) -> float:
    """What a GPU-hour of a workload is worth."""
    told: Mapping[str, float] = dict(policy.priorities)
    return told.get(workload, policy.other_priority)


def waits(work: ReplayWork, runs: Mapping[int, Run]) -> Sequence[int]:
    """Hours each job waited, in the order of ``work.jobs``: until it began, or to the end where it never did."""
    steps = len(work.hours)
    return [(runs[at].start if at in runs else steps) - job.arrival for at, job in enumerate(work.jobs)]
