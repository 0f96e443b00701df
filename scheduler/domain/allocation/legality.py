"""Whether a grid is legal: the five constraints of docs/allocator.md, read from them alone.

Nothing that makes a grid is used here, nor any reading of an instance but its plain fields, so that no mistake is
made twice.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scheduler.domain.allocation import legal_batch, legal_realtime
from scheduler.domain.allocation.grid import FREE
from scheduler.domain.allocation.instance import BatchJob, Instance, Job, RealtimeJob
from scheduler.domain.allocation.violation import Cells, Fault, Violation

__all__ = ["CHECKS", "Check", "Violation", "violations"]


@dataclass(frozen=True, slots=True)
class Check:
    """One constraint on the cells of one job.

    ``kind`` names it, ``of`` is the type of job it binds, ``unplaced``: also one that holds nothing at all.
    """

    kind: str
    of: type[Any]
    fault: Callable[[Instance, Any, Cells], Fault | None]
    unplaced: bool = False

    def binds(self, job: Job, cells: Cells) -> bool:
        """Whether ``job`` is one that the constraint speaks of; what runs already is only held to what it runs in."""
        if not isinstance(job, self.of) or (not self.unplaced and not len(cells.steps)):
            return False
        return not isinstance(job, BatchJob) or (job.running is not None) == (self.kind == "held")


CHECKS = (
    Check("held", BatchJob, legal_batch.held, unplaced=True),
    Check("break", BatchJob, legal_batch.without_a_break),
    Check("same block", BatchJob, legal_batch.same_block),
    Check("contiguous", BatchJob, legal_batch.contiguous),
    Check("power of two", BatchJob, legal_batch.power_of_two),
    Check("size", BatchJob, legal_batch.one_of_its_sizes),
    Check("duration", BatchJob, legal_batch.duration),
    Check("aligned", BatchJob, legal_batch.aligned),
    Check("nodes", BatchJob, legal_batch.within_nodes),
    Check("arrival", BatchJob, legal_batch.arrival),
    Check("latest end", BatchJob, legal_batch.latest_end),
    Check("most", RealtimeJob, legal_realtime.at_most),
    Check("floor", RealtimeJob, legal_realtime.floor, unplaced=True),
    Check("swaps", RealtimeJob, legal_realtime.swaps),
    Check("first swaps", RealtimeJob, legal_realtime.first_swaps, unplaced=True),
)
"""Every constraint but that a cell holds at most one job, which a grid cannot break."""


def violations(instance: Instance, grid: object, checks: Sequence[Check] = CHECKS) -> list[Violation]:
    """What ``grid`` breaks of ``checks``, none if it is legal; of each check and job the first cell that does.

    ``grid`` may be anything: what is no array of whole numbers of shape (GPUs, steps) is one violation, and so is a
    cell that names no job of ``instance``.
    """
    due = (instance.gpus, instance.steps)
    if not isinstance(grid, np.ndarray) or grid.dtype.kind not in "iu":
        return [Violation("shape", "The grid is no array of whole numbers.")]
    if grid.shape != due:
        is_now = " × ".join(f"{length:,}" for length in grid.shape)
        return [Violation("shape", f"The grid is {is_now} instead of {due[0]:,} GPUs × {due[1]:,} steps.")]
    known = (grid >= 0) & (grid < len(instance.jobs))
    found = list(_unknown(grid, known))
    for job, cells in zip(instance.jobs, _cells(instance, grid, known), strict=True):
        for check in checks:
            fault = check.fault(instance, job, cells) if check.binds(job, cells) else None
            if fault is not None:
                found.append(_violation(check, job, fault))
    return found


def _unknown(grid: NDArray[Any], known: NDArray[np.bool_]) -> Iterator[Violation]:
    """The first cell, by step and then by GPU, that is neither free nor a job's."""
    steps, gpus = np.nonzero((~known & (grid != FREE)).T)
    if len(steps):
        step, gpu = int(steps[0]), int(gpus[0])
        sentence = f"GPU {gpu:,} at step {step:,} holds job number {int(grid[gpu, step])}, which there is not."
        yield Violation("unknown job", sentence, None, step, gpu)


def _cells(instance: Instance, grid: NDArray[Any], known: NDArray[np.bool_]) -> Iterator[Cells]:
    """The cells of each job of ``instance``, in its order."""
    steps, gpus = np.nonzero(known.T)
    jobs = grid[gpus, steps].astype(np.int64)
    order = np.argsort(jobs, kind="stable")
    steps, gpus = steps[order], gpus[order]
    ends = np.cumsum(np.bincount(jobs, minlength=len(instance.jobs)))
    for first, end in zip([0, *ends.tolist()], ends.tolist(), strict=False):
        yield Cells(steps[first:end], gpus[first:end])


def _violation(check: Check, job: Job, fault: Fault) -> Violation:
    where = f"step {fault.step:,}" if fault.gpu is None else f"step {fault.step:,}, GPU {fault.gpu:,}"
    return Violation(check.kind, f'Job "{job.id}", {where}: {fault.what}.', job.id, fault.step, fault.gpu)
