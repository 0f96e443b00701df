"""What stands in a grid before the first job is placed: running blocks, and real-time jobs as they were asked for."""

from collections.abc import Sequence

from scheduler.domain.allocation.calendar import Calendar, bits_of
from scheduler.domain.allocation.grid import Grid, empty_grid
from scheduler.domain.allocation.inherited import highest_under, least_held, lowest_over, running_gpus
from scheduler.domain.allocation.instance import Instance, RealtimeJob


def opened(instance: Instance, wanted: Sequence[Sequence[int]]) -> tuple[Grid, Calendar]:
    """A grid of the running blocks and the real-time jobs, and the calendar of what is left.

    ``wanted``: GPUs each real-time job would hold, one a step, in the order of ``instance.realtime``; it gets as many
    as the swap cap, the running blocks and the jobs before it leave, and never less than it must hold.
    """
    grid = empty_grid(instance.gpus, instance.steps)
    taken = [0] * instance.steps
    for at, job in instance.batch:
        if job.running is not None:
            block, held = ((1 << job.running.gpus) - 1) << job.running.first_gpu, job.running
            grid[held.first_gpu : held.first_gpu + held.gpus, : held.remaining] = at
            for step in range(min(held.remaining, instance.steps)):
                taken[step] |= block
    _place(instance, _counts(instance, wanted), grid, taken)
    return grid, Calendar(instance, taken)


def _counts(instance: Instance, wanted: Sequence[Sequence[int]]) -> list[list[int]]:
    """GPUs each real-time job gets: a legal ramp between its least and what it wants, the first in the file first."""
    least = [least_held(job) for _, job in instance.realtime]
    room = [instance.gpus - held for held in running_gpus(instance)]
    for curve in least:
        room = [left - held for left, held in zip(room, curve, strict=True)]
    counts = []
    for (_, job), wish, must in zip(instance.realtime, wanted, least, strict=True):
        cap = job.swap_cap
        most = [left + held for left, held in zip(room, must, strict=True)]
        if job.inherited is not None:
            reach = (len(job.inherited) + cap * (step + 1) for step in range(instance.steps))
            most = [min(pair) for pair in zip(most, reach, strict=True)]
        asked = lowest_over([max(pair) for pair in zip(wish, must, strict=True)], cap)
        got = [min(pair) for pair in zip(asked, highest_under(most, cap), strict=True)]
        room = [left + held - now for left, held, now in zip(room, must, got, strict=True)]
        counts.append(got)
    return counts


def _place(instance: Instance, counts: list[list[int]], grid: Grid, taken: list[int]) -> None:
    """Draws ``counts`` from the top of the range down, what came last going first; ``taken`` gets what was drawn."""
    stacks = [_Stack(at, job) for at, job in instance.realtime]
    everything = (1 << instance.gpus) - 1
    for step in range(instance.steps):
        free = everything & ~taken[step]
        for stack, count in zip(stacks, counts, strict=True):
            stack.shrink(grid, step, count[step])
            free &= ~stack.bits
        for stack, count in zip(stacks, counts, strict=True):
            free = stack.grow(step, count[step], free)
            taken[step] |= stack.bits
    for stack in stacks:
        stack.shrink(grid, instance.steps, 0)


class _Stack:
    """The GPUs of one real-time job, in the order they came, each with the step it came at."""

    def __init__(self, at: int, job: RealtimeJob) -> None:
        self.at = at
        self.held = [(gpu, 0) for gpu in sorted(job.inherited or (), reverse=True)]
        self.bits = bits_of(job.inherited or ())

    def shrink(self, grid: Grid, step: int, count: int) -> None:
        while len(self.held) > count:
            gpu, since = self.held.pop()
            grid[gpu, since:step] = self.at
            self.bits ^= 1 << gpu

    def grow(self, step: int, count: int, free: int) -> int:
        while len(self.held) < count:
            gpu = free.bit_length() - 1
            self.held.append((gpu, step))
            self.bits |= 1 << gpu
            free ^= 1 << gpu
        return free
