"""Deadlines, computed from a block's end alone, so that no event has to arrive for them to hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from reservations.domain.usable_end import usable_end
from scheduler.domain.policy import BlockPolicy

P99 = 99


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How long a job's checkpoint takes; ``measured`` 0: nobody knows, and the policy's default stands in."""

    takes: timedelta
    measured: int


@dataclass(frozen=True, slots=True)
class BlockEnd:
    """When a block ends and when its machines begin to be taken; ``assumed``: nobody said, so its type does."""

    end_at: datetime
    usable_until: datetime
    assumed: bool = False


def block_end(*, end_at: datetime, usable_until: datetime | None, takes_machines: bool, shape: str = "") -> BlockEnd:
    """The end with ``usable_until``, as inventory holds it; where it does not, as :func:`usable_end` has it.

    ``takes_machines``: the end terminates what runs. A ``usable_until`` past the end counts as the end.
    """
    until = usable_end(takes_machines=takes_machines, shape=shape, end_at=end_at, told=usable_until)
    return BlockEnd(end_at, until or end_at, assumed=takes_machines and usable_until is None)


def nearest_rank(values: Sequence[int], per_cent: int) -> int:
    """The smallest value that at least so many per cent of all values do not exceed; ValueError without a value."""
    if not values:
        raise ValueError("there is no rank among no values")
    return sorted(values)[max(1, ceil(len(values) * per_cent / 100)) - 1]


def checkpoint_time(measured_ms: Sequence[int], policy: BlockPolicy) -> Checkpoint:
    """The 99th percentile by nearest rank of measured durations in milliseconds; the default while there is none."""
    if not measured_ms:
        return Checkpoint(policy.unmeasured_checkpoint, 0)
    return Checkpoint(timedelta(milliseconds=nearest_rank(measured_ms, P99)), len(measured_ms))


def checkpoint_deadline(end: BlockEnd, checkpoint: Checkpoint, policy: BlockPolicy) -> datetime:
    """When a job has to begin its last checkpoint: usable_until − p99 of its checkpoints − safety."""
    return end.usable_until - checkpoint.takes - policy.safety


def no_admit_after(end: BlockEnd, deadlines: Iterable[datetime], policy: BlockPolicy) -> datetime:
    """The earliest checkpoint deadline on the block; without a job, that of one that measured nothing."""
    unmeasured = checkpoint_deadline(end, checkpoint_time((), policy), policy)
    return min(deadlines, default=unmeasured)


def will_finish(expected_end_at: datetime | None, deadline: datetime) -> bool:
    """Whether a job ends by itself in time; of one that does not say when it ends nobody can promise it."""
    return expected_end_at is not None and expected_end_at <= deadline
