"""Blocks that end with the jobs on them: states and deadlines as they are at an instant, whoever wrote last."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q

from reservations.selectors.block_ends import BlockHeld, blocks_ending
from scheduler.domain.block_clock.course import JobFacts, Standing, Taken, standing
from scheduler.domain.block_clock.deadlines import (
    BlockEnd,
    Checkpoint,
    block_end,
    checkpoint_deadline,
    checkpoint_time,
    no_admit_after,
    will_finish,
)
from scheduler.domain.block_clock.states import LIVE, Decision, JobState, Step, Trouble
from scheduler.domain.policy import DEFAULT_BLOCK_POLICY, BlockPolicy
from scheduler.models import CheckpointDuration, EndingJob, EndStep


@dataclass(frozen=True, slots=True)
class Fallback:
    """Where a job goes on without its block, and what its last resume test showed; ``passed`` None: never tested."""

    pool: str | None
    shape: str
    nodes: int | None
    tested_on: date | None
    passed: bool | None


@dataclass(frozen=True, slots=True)
class StepRow:
    """One step for the block's end of now, or for one that it had before."""

    id: UUID
    step: Step
    end_at: datetime
    taken: Taken


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job; ``number`` is ours and ``id`` its scheduler's, ``standing`` where it stands for the block's end of now.

    ``stored`` is what the last pass wrote: it lags where the end has moved or nobody has passed by since.
    """

    number: int
    id: str
    owner: str
    facts: JobFacts
    standing: Standing
    deadline: datetime
    finishes: bool
    checkpoint_location: str
    stop_hook_url: str
    decision: Decision
    fallback: Fallback
    registered_at: datetime
    changed_at: datetime
    stored: Standing
    steps: tuple[StepRow, ...]

    @property
    def live(self) -> bool:
        """Whether something can still come of it."""
        return self.standing.state in LIVE

    @property
    def checkpoint(self) -> Checkpoint:
        """How long its checkpoint takes."""
        return self.facts.checkpoint

    @property
    def expected_end_at(self) -> datetime | None:
        """When it ends by itself; None unknown."""
        return self.facts.expected_end_at


@dataclass(frozen=True, slots=True)
class EndingBlock:
    """One block; ``jobs`` in the order of their deadlines, those that are over last."""

    held: BlockHeld
    end: BlockEnd
    no_admit_after: datetime
    jobs: tuple[JobRow, ...]

    @property
    def escalated(self) -> tuple[JobRow, ...]:
        """The jobs somebody has to look at."""
        return tuple(job for job in self.jobs if job.standing.state is JobState.ESCALATED)

    @property
    def will_not_finish(self) -> tuple[JobRow, ...]:
        """The jobs that do not end by themselves before their deadline, as far as anybody knows."""
        return tuple(job for job in self.jobs if job.live and not job.finishes)


def ending_blocks(
    *, as_of: datetime, policy: BlockPolicy = DEFAULT_BLOCK_POLICY, reservation_id: int | None = None
) -> list[EndingBlock]:
    """Every block that ends or ended within the last day, the next first, with its jobs; in three queries.

    ``reservation_id``: that one alone, if it has an end at all, however long ago.
    """
    alone = reservation_id is not None
    after = datetime.min.replace(tzinfo=UTC) if alone else as_of - policy.shown_after_end
    rows = _job_rows(policy, Q(reservation_id=reservation_id) if alone else Q(reservation__end_at__gt=after))
    with_jobs = {reservation_id} if reservation_id is not None else {row.reservation_id for row in rows}
    held = [
        one for one in blocks_ending(as_of=as_of, after=after, also=with_jobs) if not alone or one.id == reservation_id
    ]
    shown = {one.id for one in held}
    jobs = [row for row in rows if row.reservation_id in shown]
    steps = _steps([row.pk for row in jobs])
    of_block: defaultdict[int, list[EndingJob]] = defaultdict(list)
    for row in jobs:
        of_block[row.reservation_id].append(row)
    return [_block(one, of_block[one.id], steps, as_of, policy) for one in held]


def block_of_job(*, number: int, as_of: datetime) -> tuple[EndingBlock, JobRow] | None:
    """A job with its block; None where there is none of that number, or its block lost its end."""
    held = EndingJob.objects.filter(pk=number).values_list("reservation_id", flat=True) if 0 < number < 2**63 else ()
    for reservation_id in held:
        for block in ending_blocks(as_of=as_of, reservation_id=reservation_id):
            return next((block, job) for job in block.jobs if job.number == number)
    return None


def _job_rows(policy: BlockPolicy, which: Q) -> list[EndingJob]:
    newest = CheckpointDuration.objects.filter(job_id=OuterRef("pk")).order_by("-measured_at")
    rows = EndingJob.objects.filter(which).select_related("owner", "fallback_pool").defer("stop_hook_secret")
    return list(
        rows.annotate(measured_ms=ArraySubquery(newest.values("took_ms")[: policy.checkpoints_looked_at])).order_by(
            "pk"
        )
    )


def _steps(job_ids: Collection[int]) -> Mapping[int, list[StepRow]]:
    found: defaultdict[int, list[StepRow]] = defaultdict(list)
    for row in EndStep.objects.filter(job_id__in=job_ids).order_by("intended_at", "id") if job_ids else ():
        taken = Taken(row.intended_at, row.done_at, row.result, row.outcome, row.attempts)
        found[row.job_id].append(StepRow(row.pk, Step(row.step), row.end_at, taken))
    return found


def _block(
    held: BlockHeld,
    rows: Collection[EndingJob],
    steps: Mapping[int, list[StepRow]],
    as_of: datetime,
    policy: BlockPolicy,
) -> EndingBlock:
    end = block_end(
        end_at=held.end_at, usable_until=held.usable_until, takes_machines=held.takes_machines, shape=held.shape
    )
    jobs = sorted(
        (_job(row, end, tuple(steps.get(row.pk, ())), as_of, policy) for row in rows),
        key=lambda job: (not job.live, job.deadline, job.id),
    )
    return EndingBlock(held, end, no_admit_after(end, (job.deadline for job in jobs if job.live), policy), tuple(jobs))


def _job(row: EndingJob, end: BlockEnd, steps: tuple[StepRow, ...], as_of: datetime, policy: BlockPolicy) -> JobRow:
    facts = JobFacts(
        state=JobState(row.state),
        end=end,
        checkpoint=checkpoint_time(row.measured_ms, policy),
        expected_end_at=row.expected_end_at,
        reason=row.reason,
        steps={one.step: one.taken for one in steps if one.end_at == end.end_at},
    )
    deadline = checkpoint_deadline(end, facts.checkpoint, policy)
    return JobRow(
        number=row.pk,
        id=row.job_id,
        owner=row.owner.name,
        facts=facts,
        standing=standing(facts, as_of=as_of, policy=policy),
        deadline=deadline,
        finishes=will_finish(row.expected_end_at, deadline),
        checkpoint_location=row.checkpoint_location,
        stop_hook_url=row.stop_hook_url,
        decision=Decision(row.decision),
        fallback=_fallback(row),
        registered_at=row.registered_at,
        changed_at=row.changed_at,
        stored=Standing(JobState(row.state), row.reason, Trouble(row.trouble) if row.trouble else None),
        steps=steps,
    )


def _fallback(row: EndingJob) -> Fallback:
    pool = row.fallback_pool.name if row.fallback_pool else None
    return Fallback(pool, row.fallback_shape, row.fallback_nodes, row.resume_tested_on, row.resume_test_passed)
