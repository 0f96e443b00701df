"""Other schedulers to compare with: strict FIFO, a calendar sorted by priority, EASY backfill."""

from collections.abc import Sequence

from scheduler.domain.allocation.calendar import Calendar, lowest
from scheduler.domain.allocation.fifo import Place, earliest_place, fifo_grid, reserved, settle
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import BatchJob, Instance
from scheduler.domain.allocation.realtime_plan import opened


def priority_calendar_grid(instance: Instance) -> Grid:
    """FIFO's rule and its reservation for real-time work, with jobs in order of priority, of equal ones by arrival."""
    return fifo_grid(instance, sorted(instance.by_arrival, key=lambda at: -instance.jobs[at].priority))


def strict_fifo_grid(instance: Instance, order: Sequence[int] | None = None) -> Grid:
    """FIFO in which nobody overtakes: a job starts no earlier than the one before it in ``order`` (by arrival).

    Whoever finds no place blocks the line for as long as it might still have started: to its last start in time for
    its latest end, or to the end of the horizon.
    """
    grid, calendar = reserved(instance)
    line = 0
    for at, job in _queue(instance, order):
        place = earliest_place(calendar, job, max(line, job.arrival))
        if place is not None:
            settle(grid, calendar, at, place)
            line = place[0]
        elif job.latest_end is None:
            break
        else:
            line = max(line, job.latest_end - min(mode.steps for mode in job.modes) + 1)
    return grid


def easy_backfill_grid(instance: Instance, order: Sequence[int] | None = None) -> Grid:
    """EASY backfill under elastic real-time work: a waiting job may start now if the head of the line is not put off.

    Real-time jobs follow their demand, ramping ahead of it as the swap cap asks. Then step by step: the head of the
    line (``order``, by arrival) starts if it can; if not it is promised its earliest block, and the others of the line
    start where they can at this step beside the promise.
    """
    grid, calendar = opened(instance, [job.demand for _, job in instance.realtime])
    waiting = list(_queue(instance, order))
    for step in range(instance.steps):
        here = [pair for pair in waiting if pair[1].arrival <= step]
        if here:
            gone = _step(calendar, grid, step, here)
            waiting = [pair for pair in waiting if pair[0] not in gone]
    return grid


def _queue(instance: Instance, order: Sequence[int] | None) -> list[tuple[int, BatchJob]]:
    """The batch-like jobs that do not run yet, in ``order``."""
    queued = {at: job for at, job in instance.batch if job.running is None}
    return [(at, queued[at]) for at in (instance.by_arrival if order is None else order) if at in queued]


def _step(calendar: Calendar, grid: Grid, step: int, here: list[tuple[int, BatchJob]]) -> set[int]:
    """Starts what can start at ``step``; returns who left the line, started or without any chance left."""
    gone: set[int] = set()
    for head, (at, job) in enumerate(here):
        place = earliest_place(calendar, job, step)
        if place is None:
            gone.add(at)  # the calendar only fills up, so no later step has a place either
        elif place[0] == step:
            settle(grid, calendar, at, place)
            gone.add(at)
        else:
            return gone | _backfill(calendar, grid, step, place, here[head + 1 :])
    return gone


def _backfill(
    calendar: Calendar, grid: Grid, step: int, promised: Place, others: list[tuple[int, BatchJob]]
) -> set[int]:
    """Starts of ``others`` what can start at ``step`` and leaves the block ``promised`` to the head of the line."""
    started: set[int] = set()
    for at, job in others:
        place = _place_now(calendar, job, step, promised)
        if place is not None:
            settle(grid, calendar, at, place)
            started.add(at)
    return started


def _place_now(calendar: Calendar, job: BatchJob, step: int, promised: Place) -> Place | None:
    """The place at ``step`` where ``job`` finishes first, beside the block ``promised``; the lowest free block."""
    start, first, mode = promised
    for size in sorted(job.modes, key=lambda one: (one.steps, one.gpus)):
        if job.latest_end is not None and step + size.steps > job.latest_end:
            continue
        free = calendar.blocks(size.gpus, step, size.steps)
        if step + size.steps > start:
            low = max(0, first - size.gpus + 1)
            free &= ~(((1 << (first + mode.gpus - low)) - 1) << low)
        if free:
            return step, lowest(free), size
    return None
