"""What is due about one job at one instant, computed afresh from its block's end and the steps already taken."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from reservations.domain.notation import instant
from scheduler.domain.block_clock.deadlines import BlockEnd, Checkpoint, checkpoint_deadline, will_finish
from scheduler.domain.block_clock.states import LIVE, JobState, Step, Trouble
from scheduler.domain.policy import BlockPolicy

AT_ONCE = frozenset({Trouble.CHECKSUM_WRONG, Trouble.CHECKPOINT_UNREADABLE, Trouble.NO_RIGHTS})
"""What waiting does not mend."""

REFUSED = "refused"
"""The result of a stop request that no repetition gets accepted."""


@dataclass(frozen=True, slots=True)
class Taken:
    """One step as it is known: ``done_at`` None until it succeeded, ``result`` of its last attempt."""

    intended_at: datetime
    done_at: datetime | None = None
    result: str = ""
    outcome: str = ""
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class JobFacts:
    """One job of a block; ``state`` and ``reason`` as stored, ``steps`` those for this end alone."""

    state: JobState
    end: BlockEnd
    checkpoint: Checkpoint
    expected_end_at: datetime | None = None
    reason: str = ""
    steps: Mapping[Step, Taken] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a job stands, why in one sentence, and which step is due now."""

    state: JobState
    reason: str
    trouble: Trouble | None = None
    due: Step | None = None


def standing(job: JobFacts, *, as_of: datetime, policy: BlockPolicy) -> Standing:
    """A job's state at an instant; what was finished, withdrawn or made resumable stays so, whatever its end does."""
    if job.state not in LIVE:
        return Standing(job.state, job.reason)
    stop, check = job.steps.get(Step.REQUEST_STOP), job.steps.get(Step.VERIFY_CHECKPOINT)
    if check is not None and check.done_at is not None:
        return Standing(JobState.VERIFIED, check.outcome, due=Step.MARK_RESUMABLE)
    if stop is None:
        return _unasked(job, as_of, policy)
    if stop.done_at is None:
        return _unheard(job, stop, as_of, policy)
    return _awaited(job, stop.done_at, check, as_of, policy)


def _unasked(job: JobFacts, as_of: datetime, policy: BlockPolicy) -> Standing:
    deadline = checkpoint_deadline(job.end, job.checkpoint, policy)
    if as_of < deadline:
        return Standing(JobState.REGISTERED, _ahead(job, deadline))
    if as_of < job.end.usable_until:
        return Standing(JobState.REGISTERED, "Its deadline has come: it is asked to stop.", due=Step.REQUEST_STOP)
    sentence = f"Nobody had asked it to stop when its machines began to be taken, {instant(job.end.usable_until)}."
    return Standing(JobState.ESCALATED, sentence, Trouble.LATE)


def _ahead(job: JobFacts, deadline: datetime) -> str:
    if job.expected_end_at is None:
        return f"It is asked to stop {instant(deadline)}: nobody said when it ends by itself."
    if will_finish(job.expected_end_at, deadline):
        return f"It should end by itself {instant(job.expected_end_at)}, before it would be asked to stop."
    return f"It is asked to stop {instant(deadline)}: by itself it would end {instant(job.expected_end_at)}."


def _unheard(job: JobFacts, stop: Taken, as_of: datetime, policy: BlockPolicy) -> Standing:
    """The stop was meant and nobody confirmed it: perhaps it was not even sent, perhaps only the answer was lost."""
    due = Step.REQUEST_STOP if as_of < job.end.usable_until else _look(job, as_of, policy)
    if stop.result == REFUSED or (stop.outcome and stop.attempts >= policy.stop_tries):
        return Standing(JobState.ESCALATED, stop.outcome, Trouble.HOOK_DOWN, due)
    if as_of < job.end.usable_until:
        return Standing(JobState.REGISTERED, "Its deadline has come: it is asked to stop.", due=due)
    sentence = f"It had not confirmed the stop when its machines began to be taken, {instant(job.end.usable_until)}."
    return Standing(JobState.ESCALATED, sentence, Trouble.LATE, due)


def _awaited(
    job: JobFacts, accepted_at: datetime, check: Taken | None, as_of: datetime, policy: BlockPolicy
) -> Standing:
    due = _look(job, as_of, policy)
    found = Trouble(check.result) if check is not None and check.result else None
    said = check.outcome if check is not None else ""
    if found in AT_ONCE:
        return Standing(JobState.ESCALATED, said, found, due)
    by = verified_by(job, accepted_at, policy)
    if as_of >= by:
        sentence = said or f"No checkpoint had been looked for by {instant(by)}."
        return Standing(JobState.ESCALATED, sentence, found or Trouble.CHECKPOINT_MISSING, due)
    if accepted_at + job.checkpoint.takes > job.end.usable_until:
        sentence = (
            f"It was asked to stop too late: its checkpoint would be ready after {instant(job.end.usable_until)}."
        )
        return Standing(JobState.ESCALATED, sentence, Trouble.LATE, due)
    return Standing(JobState.STOP_REQUESTED, f"It is stopping; its checkpoint is due by {instant(by)}.", due=due)


def verified_by(job: JobFacts, accepted_at: datetime, policy: BlockPolicy) -> datetime:
    """By when the last checkpoint must be verified: usable_until − safety, or as long as one takes if that is later."""
    asked_late = min(accepted_at + job.checkpoint.takes, job.end.usable_until)
    return max(job.end.usable_until - policy.safety, asked_late)


def _look(job: JobFacts, as_of: datetime, policy: BlockPolicy) -> Step | None:
    return Step.VERIFY_CHECKPOINT if as_of < job.end.end_at + policy.looked_after_end else None
