"""What a month would have been on each size, and the smallest that would have been worth as much (docs/replay.md)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scheduler.domain.allocation.figures import figures_of, runs_of
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.legality import violations
from scheduler.domain.policy import ReplayPolicy
from scheduler.domain.replay.rolling import (
    REALTIME_ID,
    Planner,
    Told,
    month_instance,
    priority_of,
    rolled_month,
    waits,
)
from scheduler.domain.replay.work import ReplayWork

Progress = Callable[[int, int], None]
"""Steps behind, and steps in all; may raise to stop."""


class IllegalReplay(RuntimeError):
    """The grid that came about is refused by the verifier: a fault of Moorage, never of who asked."""


@dataclass(frozen=True, slots=True)
class SizeReplay:
    """The month on ``nodes``; hours are jobs' or GPUs', as the name says, and only known hours count.

    ``value`` = Σ priority × GPU-hours done − penalty × priority × unmet real-time GPU-hours; ``output`` the same
    without the penalty, real-time work served included. ``utilization`` and ``occupied_share`` are shares of all
    GPU-hours, None without any. GPU-hours done, left (behind the end, of jobs that began) and not started add up to
    all the work. ``waiting_hours`` sums over jobs, until they began or to the end.
    """

    nodes: int
    gpus: int
    value: float
    output: float
    utilization: float | None
    occupied_share: float | None
    unmet_gpu_hours: int
    done_gpu_hours: int
    left_gpu_hours: int
    not_started_gpu_hours: int
    waiting_hours: int
    waiting_gpu_hours: int
    longest_wait_hours: int
    jobs_that_waited: int
    completed: int
    continuing: int
    not_started: int
    too_large: int


def sizes_around(current: int, policy: ReplayPolicy) -> range:
    """The sizes that are replayed: today's, and as many below and above as there are."""
    return range(max(0, current - policy.around), current + policy.around + 1)


def replayed_sizes(
    work: ReplayWork,
    sizes: Sequence[int],
    *,
    gpus_per_node: int,
    planner: Planner,
    policy: ReplayPolicy,
    progress: Progress | None = None,
) -> tuple[SizeReplay, ...]:
    """The month on each size, in their order; IllegalReplay where the verifier refuses what came about."""
    total = len(sizes) * len(work.hours)
    replays = []
    for place, nodes in enumerate(sizes):
        told = _told(progress, place * len(work.hours), total)
        replays.append(_replayed(work, nodes, gpus_per_node, planner, policy, told))
    return tuple(replays)


def packed_nodes(sizes: Iterable[SizeReplay], *, current: int, policy: ReplayPolicy) -> int:
    """The smallest n with V(n) ≥ V(now) − tolerance × |V(now)|; ``current`` is among the sizes."""
    values = {size.nodes: Fraction(size.value) for size in sizes}
    least = value_floor(values[current], policy)
    return min(nodes for nodes, value in values.items() if value >= least)


def value_floor(value: Fraction, policy: ReplayPolicy) -> Fraction:
    """What a size has to be worth to deliver the same."""
    return value - Fraction(policy.tolerance) * abs(value)


def size_replay(work: ReplayWork, instance: Instance, grid: Grid) -> SizeReplay:
    """The figures of a legal grid of the month."""
    runs, figures = runs_of(instance, grid), figures_of(instance, grid)
    waited = waits(work, runs)
    done = left = not_started = 0
    for at, job in enumerate(work.jobs):
        if at in runs:
            here = min(runs[at].end, instance.steps) - runs[at].start
            done, left = done + job.used * here, left + job.used * (job.steps - here)
        else:
            not_started += job.gpu_steps
    sizes = {job.gpus for job in work.jobs}
    fitting = {size for size in sizes if next(instance.block_starts(size), None) is not None}
    return SizeReplay(
        nodes=len(instance.nodes),
        gpus=instance.gpus,
        value=figures.value,
        output=figures.output,
        utilization=figures.utilization,
        occupied_share=figures.occupied_share,
        unmet_gpu_hours=figures.unmet_gpu_steps,
        done_gpu_hours=done,
        left_gpu_hours=left,
        not_started_gpu_hours=not_started,
        **_waiting(work, waited),
        completed=figures.completed,
        continuing=figures.continuing,
        not_started=figures.unplaced,
        too_large=sum(job.gpus not in fitting for job in work.jobs),
    )


def _replayed(
    work: ReplayWork, nodes: int, gpus_per_node: int, planner: Planner, policy: ReplayPolicy, told: Told | None
) -> SizeReplay:
    if nodes == 0:
        return _nothing_held(work, policy)
    instance = month_instance(work, nodes=nodes, gpus_per_node=gpus_per_node, policy=policy)
    grid = rolled_month(instance, planner, policy, told)
    if found := violations(instance, grid):
        raise IllegalReplay(f"the replay on {nodes} nodes gave an illegal grid: {found[0].sentence}")
    return size_replay(work, instance, grid)


def _nothing_held(work: ReplayWork, policy: ReplayPolicy) -> SizeReplay:
    unmet = sum(work.realtime)
    penalty = policy.penalty * priority_of(REALTIME_ID, policy)
    return SizeReplay(
        nodes=0,
        gpus=0,
        value=-penalty * unmet if unmet else 0.0,
        output=0.0,
        utilization=None,
        occupied_share=None,
        unmet_gpu_hours=unmet,
        done_gpu_hours=0,
        left_gpu_hours=0,
        not_started_gpu_hours=sum(job.gpu_steps for job in work.jobs),
        **_waiting(work, waits(work, {})),
        completed=0,
        continuing=0,
        not_started=len(work.jobs),
        too_large=len(work.jobs),
    )


def _waiting(work: ReplayWork, waited: Sequence[int]) -> dict[str, int]:
    return {
        "waiting_hours": sum(waited),
        "waiting_gpu_hours": sum(job.used * hours for job, hours in zip(work.jobs, waited, strict=True)),
        "longest_wait_hours": max(waited, default=0),
        "jobs_that_waited": sum(hours > 0 for hours in waited),
    }


def _told(progress: Progress | None, before: int, total: int) -> Told | None:
    if progress is None:
        return None
    return lambda steps: progress(before + steps, total)
