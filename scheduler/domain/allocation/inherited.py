"""What the first step inherits, and whether every floor can be met on top of it."""

from collections.abc import Sequence
from itertools import accumulate

from scheduler.domain.allocation.instance import Instance, RealtimeJob
from scheduler.domain.allocation.scenario_fields import IllegalScenario


def lowest_over(values: Sequence[int], cap: int) -> list[int]:
    """The lowest curve that is nowhere below ``values`` and moves by at most ``cap`` between two steps."""
    forward = list(accumulate(values, lambda before, value: max(before - cap, value)))
    return list(accumulate(reversed(forward), lambda after, value: max(after - cap, value)))[::-1]


def highest_under(values: Sequence[int], cap: int) -> list[int]:
    """The highest curve that is nowhere above ``values`` and moves by at most ``cap`` between two steps."""
    return [-value for value in lowest_over([-value for value in values], cap)]


def least_held(job: RealtimeJob) -> list[int]:
    """GPUs a real-time job cannot but hold, one a step: its floor, the ramp to and from it, what it may not drop yet.

    Each such curve keeps the swap cap itself, so all jobs may hold their least at once wherever the GPUs suffice.
    """
    inherited = len(job.inherited or ())
    kept = (max(0, inherited - job.swap_cap * (step + 1)) for step in range(len(job.floor)))
    return lowest_over([max(pair) for pair in zip(job.floor, kept, strict=True)], job.swap_cap)


def running_gpus(instance: Instance) -> list[int]:
    """GPUs in the blocks of running jobs, one a step."""
    changes = [0] * (instance.steps + 1)
    for _, job in instance.batch:
        if job.running is not None:
            changes[0] += job.running.gpus
            changes[min(job.running.remaining, instance.steps)] -= job.running.gpus
    return list(accumulate(changes))[:-1]


def check_inherited(instance: Instance) -> None:
    """Raises IllegalScenario where running jobs share a GPU, or a floor cannot be met.

    What passes has at least one legal grid: the running blocks, and every real-time job at its least.
    """
    _check_apart(instance)
    for _, job in instance.realtime:
        _check_reach(job)
    if any(any(job.floor) for _, job in instance.realtime):
        _check_room(instance)


def _check_apart(instance: Instance) -> None:
    blocks = sorted((job.running.first_gpu, job.running.gpus, job.id) for _, job in instance.batch if job.running)
    singles = [(gpu, 1, job.id) for _, job in instance.realtime for gpu in job.inherited or ()]
    taken_to, holder = 0, ""
    for first, gpus, name in sorted([*blocks, *singles]):
        if first < taken_to:
            raise IllegalScenario(f'Job "{name}": "running" holds GPU {first:,}, which job "{holder}" holds as well.')
        taken_to, holder = first + gpus, name


def _check_reach(job: RealtimeJob) -> None:
    if job.inherited is None:
        return
    for step, floor in enumerate(job.floor):
        reached = len(job.inherited) + job.swap_cap * (step + 1)
        if floor > reached:
            raise IllegalScenario(
                f'Job "{job.id}": "floor" asks for {floor:,} GPUs at step {step:,}, and from the '
                f"{len(job.inherited):,} it holds a swap cap of {job.swap_cap:,} reaches no more than {reached:,}."
            )


def _check_room(instance: Instance) -> None:
    held = running_gpus(instance)
    for _, job in instance.realtime:
        for step, least in enumerate(least_held(job)):
            held[step] += least
            if held[step] > instance.gpus:
                raise IllegalScenario(
                    f'Job "{job.id}": "floor" and what is running need {held[step]:,} GPUs at step {step:,}, '
                    f"and there are {instance.gpus:,}."
                )
