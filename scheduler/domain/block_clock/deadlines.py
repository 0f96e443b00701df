"""Deadlines, computed from a block's end alone, so that no event has to arrive for them to hold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from reservations.domain.held import BLOCK_ENDS_EARLY
from scheduler.domain.policy import BlockPolicy

P99 = 99


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How long a job's checkpoint takes; ``measured`` 0: nobody knows, and the policy's default stands in."""

    takes: timedelta
    measured: int


@dataclass(frozen=True, slots=True)
class BlockEnd:
    """When a block ends and when its machines begin to be taken; ``assumed``: nobody said, so the earlier one."""

    end_at: datetime
    usable_until: datetime
    assumed: bool = False


def block_end(
    *, end_at: datetime, usable_until: datetime | None, takes_machines: bool, policy: BlockPolicy
) -> BlockEnd:
    """The end with ``usable_until``, as inventory holds it; where it does not, end − 60 min, or the end itself.

    ``takes_machines``: the end terminates what runs. A ``usable_until`` past the end counts as the end.
    """
    if usable_until is not None:
        return BlockEnd(end_at, min(usable_until, end_at))
    if not takes_machines:
        return BlockEnd(end_at, end_at)
    return BlockEnd(end_at, end_at - max(policy.ultraserver_ends_early, BLOCK_ENDS_EARLY), assumed=True)


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
