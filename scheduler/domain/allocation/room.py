"""Where in a grid a batch-like job could stand if its own cells were free, and which jobs are in the way."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scheduler.domain.allocation.figures import Run, runs_of
from scheduler.domain.allocation.grid import FREE, Grid
from scheduler.domain.allocation.instance import BatchJob, Instance, Mode

Taken = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Option:
    """One start of a job in one of its sizes on one block."""

    start: int
    first_gpu: int
    mode: Mode


@dataclass(frozen=True, slots=True)
class _Choices:
    """All starts × blocks of one size; ``firsts`` and ``starts`` ascending."""

    mode: Mode
    firsts: NDArray[np.intp]
    starts: NDArray[np.intp]

    def taken(self, cells: Taken) -> Taken:
        """Shape (blocks, starts): whether any of these cells lies in the block from the start to the end."""
        gpus, steps = cells.shape
        down = np.zeros((gpus + 1, steps), dtype=np.int64)
        np.cumsum(cells, axis=0, out=down[1:])
        along = np.zeros((len(self.firsts), steps + 1), dtype=np.int64)
        np.cumsum(down[self.firsts + self.mode.gpus] - down[self.firsts], axis=1, out=along[:, 1:])
        ends = np.minimum(self.starts + self.mode.steps, steps)
        taken: Taken = along[:, ends] > along[:, self.starts]
        return taken

    def crossed_by(self, run: Run) -> Taken:
        """Shape (blocks, starts): the same for the rectangle of a run."""
        beside = (self.firsts < run.first_gpu + run.mode.gpus) & (self.firsts + self.mode.gpus > run.first_gpu)
        during = (self.starts < run.end) & (self.starts + self.mode.steps > run.start)
        crossed: Taken = beside[:, None] & during[None, :]
        return crossed


@dataclass(frozen=True)
class Held:
    """What a legal grid holds, looked at once for all jobs: which cells are taken, and each block as a rectangle."""

    instance: Instance
    grid: Grid
    runs: Mapping[int, Run]

    @classmethod
    def of(cls, instance: Instance, grid: Grid) -> "Held":
        """The holdings of a legal grid."""
        return cls(instance, grid, runs_of(instance, grid))


class Room:
    """The starts before ``until`` of one job of an instance, on the cells that no other job holds in a grid."""

    def __init__(self, held: Held, at: int, job: BatchJob, until: int) -> None:
        self._held = held
        self._others = (held.grid != FREE) & (held.grid != at)
        self._choices = [
            _Choices(mode, firsts, np.arange(job.arrival, min(until, last_start(held.instance, job, mode) + 1)))
            for mode in job.modes
            if len(firsts := np.fromiter(held.instance.block_starts(mode.gpus), dtype=np.intp))
        ]

    @property
    def starts(self) -> tuple[int, int]:
        """The earliest start there is, and the step after the last; both 0 where there is none."""
        found = [choices.starts for choices in self._choices if len(choices.starts)]
        return (int(min(s[0] for s in found)), int(max(s[-1] for s in found)) + 1) if found else (0, 0)

    def free(self) -> list[Option]:
        """The options of which every cell is free, for each size and start the lowest block."""
        found = []
        for choices in self._choices:
            free = ~choices.taken(self._others)
            for place in np.flatnonzero(free.any(axis=0)):
                first = int(choices.firsts[int(free[:, place].argmax())])
                found.append(Option(int(choices.starts[place]), first, choices.mode))
        return found

    def in_the_way(self) -> list[int]:
        """Jobs of which at least one holds a cell of every option, none of them to spare; most obstructive first.

        Greedy cover, then every job that the rest make up for is left out again. Right only where nothing is free.
        """
        first, _ = self.starts
        jobs = np.unique(self._held.grid[:, first : self._last][self._others[:, first : self._last]])
        reach = np.array([self._obstructed(int(job)) for job in jobs], dtype=np.float32)
        left = np.ones(reach.shape[1], dtype=np.float32)
        chosen: list[int] = []
        while left.any():
            best = int((reach @ left).argmax())
            chosen.append(best)
            left *= 1 - reach[best]
        times = reach[chosen].sum(axis=0)
        for place in chosen[::-1]:
            if (times[reach[place] > 0] > 1).all():
                times -= reach[place]
                chosen.remove(place)
        return [int(jobs[place]) for place in chosen]

    def steps_in_the_way(self, jobs: Iterable[int]) -> dict[int, tuple[int, int]]:
        """For each job from which step to which it holds a GPU while an option would run, the end not within."""
        first, _ = self.starts
        held = {job: np.flatnonzero((self._held.grid[:, first : self._last] == job).any(axis=0)) for job in jobs}
        return {job: (first + int(steps[0]), first + int(steps[-1]) + 1) for job, steps in held.items()}

    @property
    def _last(self) -> int:
        """The step by which every option is over."""
        return max(int(c.starts[-1]) + c.mode.steps for c in self._choices if len(c.starts))

    def _obstructed(self, job: int) -> Taken:
        """Every option in one line: whether that job holds a cell of it."""
        run = self._held.runs.get(job)
        if run is not None:
            return np.concatenate([choices.crossed_by(run).ravel() for choices in self._choices])
        mask = self._held.grid == job
        return np.concatenate([choices.taken(mask).ravel() for choices in self._choices])


def last_start(instance: Instance, job: BatchJob, mode: Mode) -> int:
    """The last step at which a job may start in one of its sizes; before its arrival where it may at none."""
    latest = instance.steps - 1
    return latest if job.latest_end is None else min(latest, job.latest_end - mode.steps)
