"""What is written down of a pass: a step before it is taken and after, and where each job stands."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F

from reservations.domain.notation import day
from scheduler.domain.block_clock.states import Decision, JobState, Step, may_become
from scheduler.models import EndingJob, EndStep
from scheduler.selectors.ending_blocks import JobRow
from scheduler.services.block_clock.acting import Outcome

_Key = tuple[int, Step]
Outcomes = Mapping[UUID, Outcome]
"""How an attempt went, by the id of its step."""

_STORE = f"""
UPDATE {EndingJob._meta.db_table} AS job
SET state = told.state, trouble = told.trouble, reason = told.reason, changed_at = told.changed_at
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[], %s::timestamptz[])
  AS told (id, state, trouble, reason, changed_at)
WHERE job.id = told.id
"""  # noqa: S608 # nosec B608

_NOTE = f"""
UPDATE {EndStep._meta.db_table} AS step
SET attempts = step.attempts + told.tries, tried_at = %s, result = told.result, outcome = told.outcome,
  done_at = CASE WHEN told.result = '' THEN %s::timestamptz END
FROM unnest(%s::uuid[], %s::integer[], %s::text[], %s::text[]) AS told (id, tries, result, outcome)
WHERE step.id = told.id AND step.done_at IS NULL
"""  # noqa: S608 # nosec B608

_RESUME = f"""
UPDATE {EndingJob._meta.db_table} AS job
SET state = %s, trouble = '', reason = told.reason, changed_at = %s
FROM unnest(%s::bigint[], %s::text[]) AS told (id, reason)
WHERE job.id = told.id AND job.leased_by = %s AND job.state = ANY(%s)
RETURNING job.id
"""  # noqa: S608 # nosec B608


@transaction.atomic
def intend(*, jobs: Sequence[JobRow], as_of: datetime) -> Mapping[_Key, UUID]:
    """Write down each job's due step before it is taken, and give the steps' ids: the same ones at every repetition."""
    due = [(job, job.standing.due) for job in jobs if job.standing.due is not None]
    rows = [
        EndStep(job_id=job.number, end_at=job.facts.end.end_at, step=step.value, intended_at=as_of) for job, step in due
    ]
    EndStep.objects.bulk_create(rows, ignore_conflicts=True)
    wanted = {(job.number, step.value, job.facts.end.end_at) for job, step in due}
    stored = EndStep.objects.filter(job_id__in=[job.number for job in jobs], done_at=None)
    found = {(row.job_id, Step(row.step)): row.pk for row in stored if (row.job_id, row.step, row.end_at) in wanted}
    EndStep.objects.filter(pk__in=list(found.values())).update(attempts=F("attempts") + 1)
    return found


def as_written(*, job: JobRow, step: Step, at: datetime, step_id: UUID | None = None) -> UUID:
    """One step written down as intended at an instant, under a given id or one of its own."""
    given = {} if step_id is None else {"id": step_id}
    row, _ = EndStep.objects.get_or_create(
        job_id=job.number,
        end_at=job.facts.end.end_at,
        step=step.value,
        defaults={"intended_at": at, "attempts": 1, **given},
    )
    return row.pk


@transaction.atomic
def note_outcomes(*, outcomes: Outcomes, as_of: datetime) -> None:
    """Write down how attempts went, whoever is at the jobs by now: what happened has happened."""
    if not outcomes:
        return
    told = outcomes.values()
    columns = [list(outcomes), [one.tries for one in told], [one.result for one in told]]
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, [as_of, as_of, *columns, [one.sentence for one in told]])


@transaction.atomic
def mark_resumable(*, jobs: Collection[tuple[JobRow, UUID]], controller: UUID, as_of: datetime) -> None:
    """Make jobs resumable where their fallback says, each with its step; none this controller no longer is at."""
    reasons = {job.number: resumable_where(job) for job, _ in jobs}
    if not reasons:
        return
    before = [state.value for state in may_become(JobState.RESUMABLE)]
    told = [JobState.RESUMABLE.value, as_of, list(reasons), list(reasons.values()), controller, before]
    with connection.cursor() as cursor:
        cursor.execute(_RESUME, told)
        mine = {number for (number,) in cursor.fetchall()}
    done = {step_id: Outcome(reasons[job.number]) for job, step_id in jobs if job.number in mine}
    note_outcomes(outcomes=done, as_of=as_of)


@transaction.atomic
def settle(*, jobs: Collection[JobRow], controller: UUID, as_of: datetime) -> None:
    """Bring what is stored of each job to where it stands; an escalation is a step of its own."""
    numbers = [job.number for job in jobs]
    mine = EndingJob.objects.select_for_update().filter(pk__in=numbers, leased_by=controller).in_bulk()
    changed, escalated = [], []
    for job in jobs:
        row, now = mine.get(job.number), job.standing
        if row is None or not _moved(row, job):
            continue
        if row.state != now.state:
            row.changed_at = as_of
        row.state, row.trouble, row.reason = now.state.value, now.trouble or "", now.reason
        changed.append(row)
        if now.trouble is not None:
            escalated.append(_escalation(job, as_of))
    _store(changed)
    EndStep.objects.bulk_create(escalated, ignore_conflicts=True)


def _store(rows: Sequence[EndingJob]) -> None:
    """In one statement whose length does not hang on how many they are: a moved end concerns hundreds at once."""
    columns = [[getattr(row, name) for row in rows] for name in ("pk", "state", "trouble", "reason", "changed_at")]
    with connection.cursor() as cursor:
        cursor.execute(_STORE, columns)


def resumable_where(job: JobRow) -> str:
    """Where a job can go on, by what was decided for the end and the last resume test."""
    if job.decision is Decision.RENEW:
        where = "It can go on where the block is renewed."
    elif job.decision is Decision.PAUSE:
        where = "It is paused until somebody resumes it."
    else:
        where = f"It can go on in its fallback: {footprint(job)}."
    return f"{where} {_tested(job)}"


def footprint(job: JobRow) -> str:
    """The fallback as ``4 × p5.48xlarge in the pool serving``."""
    size = f"{job.fallback.nodes or '?'} × {job.fallback.shape or 'a shape nobody named'}"
    return f"{size} in the pool {job.fallback.pool}" if job.fallback.pool else size


def _tested(job: JobRow) -> str:
    if job.fallback.tested_on is None:
        return "Resuming it was never tested."
    went = "passed" if job.fallback.passed else "failed"
    return f"The last test of resuming it, {day(job.fallback.tested_on)}, {went}."


def _moved(row: EndingJob, job: JobRow) -> bool:
    now = job.standing
    if row.state == now.state:
        return row.reason != now.reason or row.trouble != (now.trouble or "")
    return row.state in may_become(now.state)


def _escalation(job: JobRow, as_of: datetime) -> EndStep:
    now = job.standing
    return EndStep(
        job_id=job.number,
        end_at=job.facts.end.end_at,
        step=Step.ESCALATE.value,
        intended_at=as_of,
        done_at=as_of,
        attempts=1,
        result=now.trouble,
        outcome=now.reason,
    )
