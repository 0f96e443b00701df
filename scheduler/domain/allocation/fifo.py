"""First in, first out: a fixed reservation for real-time work, and every other job in order of arrival."""

from collections.abc import Sequence

from scheduler.domain.allocation.calendar import Calendar
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import BatchJob, Instance, Mode
from scheduler.domain.allocation.realtime_plan import opened

Place = tuple[int, int, Mode]
"""Start, first GPU, mode."""


def fifo_grid(instance: Instance, order: Sequence[int] | None = None) -> Grid:
    """Each real-time job at its day's maximum all day, from the top of the range down; then one job after another.

    ``order``: indices of the batch-like jobs as they are placed (by arrival unless given; whom it leaves out is not
    placed, running ones stand already). Each takes its earliest legal start and the lowest free block there, a moldable
    one the size that finishes first, of such the smallest. Inherited real-time GPUs are kept, and added to as the swap
    cap allows.
    """
    grid, calendar = reserved(instance)
    for at in instance.by_arrival if order is None else order:
        job = instance.jobs[at]
        if isinstance(job, BatchJob) and job.running is None:
            place = earliest_place(calendar, job, job.arrival)
            if place is not None:
                settle(grid, calendar, at, place)
    return grid


def reserved(instance: Instance) -> tuple[Grid, Calendar]:
    """A grid in which real-time jobs hold their maximum all day, and the calendar of what is left."""
    return opened(instance, [[job.most] * instance.steps for _, job in instance.realtime])


def earliest_place(calendar: Calendar, job: BatchJob, start: int) -> Place | None:
    """Where ``job`` finishes first, started at ``start`` at the earliest; None where it has no place."""
    places: list[Place] = []
    for mode in job.modes:
        found = calendar.earliest(mode, start, job.latest_end)
        if found is not None:
            places.append((*found, mode))
    return min(places, key=lambda place: (place[0] + place[2].steps, place[2].gpus), default=None)


def settle(grid: Grid, calendar: Calendar, at: int, place: Place) -> None:
    """Places job ``at`` in grid and calendar."""
    start, first, mode = place
    end = min(start + mode.steps, calendar.steps)
    grid[first : first + mode.gpus, start:end] = at
    calendar.take(first, mode.gpus, range(start, end))
