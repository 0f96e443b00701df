"""A block's clock in words, for its page."""

from dataclasses import dataclass
from datetime import datetime

from reservations.domain import notation
from scheduler.domain.block_clock.agreement import NOTHING_PLANNED, PlannedEnd, why_at_odds
from scheduler.domain.block_clock.states import Decision, JobState, Trouble
from scheduler.selectors.ending_blocks import EndingBlock, JobRow

STATE_WORDS: dict[JobState, str] = {
    JobState.REGISTERED: "registered",
    JobState.STOP_REQUESTED: "stopping",
    JobState.VERIFIED: "verified",
    JobState.RESUMABLE: "resumable",
    JobState.ESCALATED: "needs a person",
    JobState.FINISHED: "finished",
    JobState.WITHDRAWN: "withdrawn",
}
TONES: dict[JobState, str] = {
    JobState.REGISTERED: "none",
    JobState.STOP_REQUESTED: "late",
    JobState.VERIFIED: "good",
    JobState.RESUMABLE: "good",
    JobState.ESCALATED: "bad",
    JobState.FINISHED: "good",
    JobState.WITHDRAWN: "none",
}
MENDS: dict[Trouble, str] = {
    Trouble.HOOK_DOWN: "Stop the job by hand, or bring its hook back: it is asked again every minute.",
    Trouble.CHECKPOINT_MISSING: "See why the trainer wrote none: storage is looked at every minute.",
    Trouble.CHECKPOINT_OLD: "Have the trainer answer this stop request: the manifest names another.",
    Trouble.CHECKSUM_WRONG: "Write the checkpoint again while the machines are there: it is verified every minute.",
    Trouble.CHECKPOINT_UNREADABLE: "Write the manifest again, and upload with SHA-256 checksums.",
    Trouble.NO_RIGHTS: "Give Moorage s3:ListBucket and s3:GetObject on the prefix.",
    Trouble.STORE_DOWN: "See that storage answers: it is asked again every minute.",
    Trouble.LATE: "Save what can be saved by hand.",
}
AFTER: dict[Decision, str] = {
    Decision.RENEW: "resume it on the renewed block",
    Decision.FALL_BACK: "resume it on its fallback",
    Decision.PAUSE: "resume it when there is capacity again",
}
ALL_BUT_THE_SLOWEST = 100
"""From so many on the 99th percentile leaves the slowest out."""


@dataclass(frozen=True, slots=True)
class JobShown:
    """One job in words."""

    row: JobRow
    state: str
    tone: str
    next_step: str
    checkpoint: str
    at_odds: str = ""


@dataclass(frozen=True, slots=True)
class Moment:
    """One instant of the end; ``passed``: it lies behind, else ``left`` is the time until then."""

    at: datetime
    what: str
    passed: bool
    left: str = ""


def jobs_shown(block: EndingBlock, as_of: datetime, planned: PlannedEnd = NOTHING_PLANNED) -> list[JobShown]:
    """Every job of a block in words, in the order of the block; of each whether it goes with what is planned."""
    return [
        JobShown(
            row=job,
            state=STATE_WORDS[job.standing.state],
            tone=TONES[job.standing.state],
            next_step=next_step(job, block, as_of),
            checkpoint=_checkpoint(job),
            at_odds=why_at_odds(job.decision, planned) if job.live else "",
        )
        for job in block.jobs
    ]


def next_step(job: JobRow, block: EndingBlock, as_of: datetime) -> str:
    """What comes next for a job, and who does it."""
    now = job.standing
    if now.trouble is not None:
        if as_of >= block.end.end_at:
            return "The block is over: resume from the last checkpoint that is whole."
        return MENDS[now.trouble]
    if now.state is JobState.REGISTERED:
        return "Nothing: Moorage asks it to stop at its deadline." if now.due is None else "Moorage asks it to stop."
    if now.state is JobState.STOP_REQUESTED:
        return "The trainer writes its checkpoint; Moorage looks every minute."
    if now.state is JobState.VERIFIED:
        return "Moorage marks it resumable."
    return f"Its team may {AFTER[job.decision]}." if now.state is JobState.RESUMABLE else "Nothing."


def moments(block: EndingBlock, as_of: datetime) -> list[Moment]:
    """What happens when until the end, in time order, now among it."""
    jobs = [job for job in block.jobs if job.live]
    told = [
        (block.no_admit_after, "nothing is started any more that cannot finish"),
        *((job.deadline, f"{job.id} has to begin its last checkpoint") for job in jobs),
        (block.end.usable_until, "its machines begin to be taken away"),
        (block.end.end_at, "it ends"),
    ]
    listed = [Moment(at, what, at <= as_of, notation.duration(at - as_of)) for at, what in told]
    return sorted([*listed, Moment(as_of, "now", passed=False)], key=lambda one: (one.at, one.what != "now"))


def verdict(block: EndingBlock, as_of: datetime) -> str:
    """The state of the whole block in a sentence or two."""
    escalated, live = len(block.escalated), sum(job.live for job in block.jobs)
    if as_of >= block.end.end_at:
        first = "The block is over."
    elif as_of >= block.end.usable_until:
        first = "Its machines are being taken away."
    elif as_of >= block.no_admit_after:
        first = "Nothing may be started on it any more that cannot finish at once."
    else:
        first = f"Jobs may be started on it for another {notation.duration(block.no_admit_after - as_of)}."
    if escalated:
        return f"{first} {_jobs(escalated)} {'needs' if escalated == 1 else 'need'} a person now."
    if live:
        return f"{first} {_jobs(live)} on it {'is' if live == 1 else 'are'} watched, and none needs a person."
    return f"{first} No job that is still open is registered on it."


def _jobs(many: int) -> str:
    return f"{many} job{'' if many == 1 else 's'}"


def _checkpoint(job: JobRow) -> str:
    seconds = job.checkpoint.takes.total_seconds()
    takes = f"{seconds:.0f}{notation.THIN}s" if seconds < 120 else notation.duration(job.checkpoint.takes)
    measured = job.checkpoint.measured
    if not measured:
        return f"{takes}, assumed: none was measured"
    if measured == 1:
        return f"{takes}, measured once"
    if measured < ALL_BUT_THE_SLOWEST:
        return f"{takes}, the slowest of {measured} measured"
    return f"{takes}; 99{notation.THIN}% of {measured} measured took no longer"
