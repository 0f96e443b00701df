"""The jobs of an ending block, and what was done about them, as tables."""

from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.domain.block_clock.states import Step
from scheduler.selectors.ending_blocks import EndingBlock
from scheduler.tables.block_clock.shown import STATE_WORDS, JobShown

STEP_WORDS: dict[Step, str] = {
    Step.REQUEST_STOP: "ask it to stop",
    Step.VERIFY_CHECKPOINT: "verify its checkpoint",
    Step.MARK_RESUMABLE: "mark it resumable",
    Step.ESCALATE: "tell people",
}
JOB_COLUMNS = (
    Column("id", "job", Kind.TEXT),
    Column("owner", "owner", Kind.TEXT),
    Column("state", "state", Kind.TEXT),
    Column("trouble", "trouble", Kind.TEXT),
    Column("reason", "why", Kind.TEXT),
    Column("next_step", "next step", Kind.TEXT),
    Column("checkpoint_deadline", "checkpoint deadline", Kind.INSTANT),
    Column("checkpoint", "a checkpoint takes", Kind.TEXT),
    Column("expected_end_at", "ends by itself", Kind.INSTANT),
    Column("decision", "decided", Kind.TEXT),
    Column("at_odds", "against the plan for the end", Kind.TEXT),
)
STEP_COLUMNS = (
    Column("id", "job", Kind.TEXT),
    Column("step", "step", Kind.TEXT),
    Column("end_at", "for the end", Kind.INSTANT),
    Column("intended_at", "written down", Kind.INSTANT),
    Column("done_at", "done", Kind.INSTANT),
    Column("attempts", "attempts", Kind.COUNT),
    Column("outcome", "what came of it", Kind.TEXT),
)


def jobs_sheet(block: EndingBlock, jobs: list[JobShown], about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """One row a job."""
    rows = tuple(
        (
            one.row.id,
            one.row.owner,
            STATE_WORDS[one.row.standing.state],
            one.row.standing.trouble.value if one.row.standing.trouble else None,
            one.row.standing.reason,
            one.next_step,
            one.row.deadline,
            one.checkpoint,
            one.row.expected_end_at,
            one.row.decision.value.replace("_", " "),
            one.at_odds or None,
        )
        for one in jobs
    )
    return Sheet("jobs", f"Jobs on {block.held.external_id}", JOB_COLUMNS, rows, about)


def steps_sheet(block: EndingBlock, about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """One row a step, in the order in which they were written down."""
    steps = sorted(
        ((one.taken.intended_at, str(one.id), job.id, one) for job in block.jobs for one in job.steps),
        key=lambda told: told[:2],
    )
    rows = tuple(
        (job, STEP_WORDS[one.step], one.end_at, at, one.taken.done_at, one.taken.attempts, one.taken.outcome or None)
        for at, _, job, one in steps
    )
    return Sheet("steps", f"What was done for {block.held.external_id}", STEP_COLUMNS, rows, about)
