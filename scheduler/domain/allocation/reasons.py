"""Why not sooner: for every job of a grid one sentence, true of that grid and checkable from it alone."""

from scheduler.domain.allocation.clock import listed, span_label, step_label
from scheduler.domain.allocation.figures import Run
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import BatchJob, Instance
from scheduler.domain.allocation.reason import Blocker, Reason, Why
from scheduler.domain.allocation.room import Held, Option, Room, last_start
from scheduler.domain.allocation.shortfall import realtime_reason

NAMED = 5
"""So many jobs in the way are named; the rest are counted."""


def reasons_of(instance: Instance, grid: Grid, jobs: tuple[int, ...] | None = None) -> tuple[Reason, ...]:
    """The reasons of these jobs, of all of them unless given: by their index, in that order.

    Of a batch-like job that starts after its arrival, or not at all, the sentence says which jobs hold a cell of every
    block it could have had sooner (a set of which none is to spare), or that a block was free and what starting there
    would have earned; of a real-time job, at which steps it lacks GPUs and why.
    """
    held = Held.of(instance, grid)
    return tuple(_reason(held, at) for at in (range(len(instance.jobs)) if jobs is None else jobs))


def reason_of(instance: Instance, grid: Grid, at: int) -> Reason:
    """The reason of the job at one index."""
    return _reason(Held.of(instance, grid), at)


def _reason(held: Held, at: int) -> Reason:
    job = held.instance.jobs[at]
    if not isinstance(job, BatchJob):
        return realtime_reason(held.instance, held.grid, at, job)
    if job.running:
        return Reason(job.id, Why.INHERITED, "Was running already and keeps its block.")
    run = held.runs.get(at)
    if run is None:
        return _never_possible(held.instance, job) or _sooner(held, at, job, None)
    if run.start == job.arrival:
        return Reason(job.id, Why.AT_ONCE, "Starts as soon as it arrives.")
    return _sooner(held, at, job, run)


def earned(instance: Instance, job: BatchJob, option: Option | Run) -> float:
    """p · paid share · Σ w(t) over its cells within the horizon: what a start counts in the value."""
    end = min(option.start + option.mode.steps, instance.steps)
    weight = sum(instance.weights[option.start : end])
    return job.priority * option.mode.paid_share * option.mode.gpus * weight


def _never_possible(instance: Instance, job: BatchJob) -> Reason | None:
    clock = instance.step_minutes
    if job.arrival >= instance.steps:
        told = f"Arrives at {step_label(job.arrival, clock)}, when the horizon is over."
        return Reason(job.id, Why.NEVER_HERE, told)
    timely = [mode for mode in job.modes if last_start(instance, job, mode) >= job.arrival]
    if not timely:
        shortest = min(mode.steps for mode in job.modes)
        arrives, ends = step_label(job.arrival, clock), step_label(job.latest_end or 0, clock)
        told = f"Needs {_steps(shortest)} from its arrival at {arrives}, too long to end by {ends}."
        return Reason(job.id, Why.TOO_LATE, told)
    if not any(next(iter(instance.block_starts(mode.gpus)), None) is not None for mode in timely):
        told = f"No node, and no run of equal nodes, holds a block of {_gpus([mode.gpus for mode in timely])}."
        return Reason(job.id, Why.NO_BLOCK, told)
    return None


def _sooner(held: Held, at: int, job: BatchJob, placed: Run | None) -> Reason:
    instance = held.instance
    room = Room(held, at, job, instance.steps if placed is None else placed.start)
    if free := room.free():
        return Reason(job.id, Why.LEFT, _left(instance, job, free, placed))
    first, end = room.starts
    if first == end:
        return _not_before(instance, job, placed)
    spans = room.steps_in_the_way(chosen := room.in_the_way())
    blockers = tuple(Blocker(one, instance.jobs[one].id, *spans[one]) for one in chosen)
    clock = instance.step_minutes
    named = listed([f"{one.id} ({span_label(one.start, one.end, clock)})" for one in blockers], NAMED)
    block = f"no block of {_gpus([mode.gpus for mode in job.modes])} stays free long enough"
    when = f"From {step_label(first, clock)} on" if placed is None else f"Before {step_label(placed.start, clock)}"
    told = f"{when} {block}: {named} {'is' if len(blockers) == 1 else 'are'} in the way."
    return Reason(job.id, Why.BLOCKED, told, blockers)


def _not_before(instance: Instance, job: BatchJob, placed: Run | None) -> Reason:
    """No size could have started sooner and still ended in time: only a start that a run cut off explains."""
    start = placed.start if placed else job.arrival
    told = f"Could not have started before {step_label(start, instance.step_minutes)} and ended in time."
    return Reason(job.id, Why.TOO_LATE, told)


def _left(instance: Instance, job: BatchJob, free: list[Option], placed: Run | None) -> str:
    """What the best free start would have been worth, beside what the plan does."""
    best = max(free, key=lambda option: (earned(instance, job, option), -option.start))
    worth, clock = earned(instance, job, best), instance.step_minutes
    told = f"A block of {_gpus([best.mode.gpus])} stands free for it at {step_label(best.start, clock)}"
    if placed is None:
        return f"{told} and would earn {_number(worth)}: this plan leaves it out."
    now = earned(instance, job, placed)
    if abs(worth - now) <= 1e-9 * max(1.0, abs(now)):
        return f"{told}, which earns the same {_number(now)}."
    there, here = _apart(worth, now)
    if worth < now:
        return f"{told}, but that would earn {there} and this start earns {here}."
    return f"{told} and would earn {there} instead of {here}: this plan does not use it."


def _apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers with as many decimals as it takes to tell them apart."""
    for places in range(1, 12):
        if round(one, places) != round(other, places):
            return f"{one:.{places}f}", f"{other:.{places}f}"
    return repr(one), repr(other)


def _number(value: float) -> str:
    return f"{value:.1f}" if abs(value) >= 0.05 else f"{value:.2g}"


def _steps(count: int) -> str:
    return f"{count} step{'s' if count > 1 else ''}"


def _gpus(sizes: list[int]) -> str:
    """``4 GPUs``, ``2 or 4 GPUs``."""
    words = [str(size) for size in sorted(set(sizes))]
    text = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return f"{text} GPU{'' if words == ['1'] else 's'}"
