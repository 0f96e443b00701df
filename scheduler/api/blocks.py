"""``/jobs`` and ``/blocks/{id}/clock``: jobs on blocks that end, and how long they still have."""

from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from ninja import Path, Query, Router, Status

from reservations.api.callers import opens
from reservations.api.problems import (
    NOT_FOUND,
    PROBLEMS,
    UNREADABLE,
    Problem,
    UnableToAnswerCall,
    not_there,
    unreadable,
)
from reservations.api.shapes import page_of
from reservations.domain.access import Action, Person, may
from reservations.domain.tokens import Scope
from reservations.selectors.reservations import UnableToFindReservation, reservation_named
from scheduler.api.block_shapes import BlockClockTold, EndingJobTold, JobAsked, JobPage, JobReported, JobsAsked
from scheduler.domain.block_clock.registration import UnableToReadJob, durations, expected_end, job_entry, plan
from scheduler.domain.block_clock.states import JobState
from scheduler.selectors.ending_blocks import EndingBlock, JobRow, block_of_job, ending_blocks
from scheduler.services.block_clock import (
    JobReport,
    UnableToAcceptOwner,
    UnableToRegisterJob,
    UnableToRegisterTwice,
    UnableToReport,
    register_job,
    report_on_job,
)
from scheduler.tables.block_clock.told import block_told, job_told

router = Router(tags=["blocks"])

TWICE: dict[int, type[Problem]] = {HTTPStatus.CONFLICT: Problem}


@router.post(
    "/jobs",
    response={200: EndingJobTold, 201: EndingJobTold, **PROBLEMS, **UNREADABLE, **NOT_FOUND, **TWICE},
    auth=opens(Scope.JOBS),
    summary="Register a job on a block that ends",
)
def register(request: HttpRequest, asked: JobAsked) -> Status:
    """201 for a new job, 200 for the same registration once more, 409 where its id stands for another one already.

    Its checkpoints must be readable by then. Needs the scope `jobs`, and a role as owner of its team, operator or
    admin.
    """
    now, person = timezone.now(), request.auth.person
    try:
        entry = job_entry(asked.model_dump(mode="python"), private=settings.PRIVATE_NETWORKS, as_of=now)
        kept = register_job(entry=entry, person=person, as_of=now, by=person.name)
    except UnableToFindReservation as unable:
        raise not_there(str(unable)) from unable
    except (UnableToReadJob, UnableToRegisterJob) as unable:
        raise _refusal(unable) from unable
    return Status(HTTPStatus.CREATED if kept.new else HTTPStatus.OK, _told(person, kept.number))


@router.get("/jobs", response={200: JobPage, **PROBLEMS}, auth=opens(Scope.JOBS), summary="Jobs on blocks that end")
def jobs(request: HttpRequest, asked: Query[JobsAsked]) -> dict[str, Any]:
    """Those of the blocks that end or ended within the last day, by block and deadline. Needs the scope `jobs`."""
    person = request.auth.person
    rows = [
        job_told(block, job)
        for block in ending_blocks(as_of=timezone.now())
        for job in block.jobs
        if asked.reservation in ("", block.held.external_id, block.held.arn)
        and asked.state in ("", job.standing.state)
        and _sees(person, block, job)
    ]
    return page_of(rows[asked.offset : asked.offset + asked.limit], len(rows), asked)


@router.get(
    "/jobs/{number}", response={200: EndingJobTold, **PROBLEMS, **NOT_FOUND}, auth=opens(Scope.JOBS), summary="One job"
)
def job(request: HttpRequest, number: Path[int]) -> dict[str, Any]:
    """One you may not see is answered as one that does not exist. Needs the scope `jobs`."""
    return _told(request.auth.person, number)


@router.patch(
    "/jobs/{number}",
    response={200: EndingJobTold, **PROBLEMS, **UNREADABLE, **NOT_FOUND, **TWICE},
    auth=opens(Scope.JOBS),
    summary="Report on a job",
)
def report(request: HttpRequest, number: Path[int], asked: JobReported) -> dict[str, Any]:
    """Measured checkpoints add up; a plan or an expected end replaces the former; `state` says that it is over.

    409 where it is over in another way already. Needs the scope `jobs`, and a role as owner of its team, operator or
    admin.
    """
    now, person = timezone.now(), request.auth.person
    _found(person, number)
    given = asked.model_dump(mode="python", exclude_unset=True)
    try:
        told = JobReport(
            durations=durations(given.get("checkpoint_durations") or (), as_of=now),
            plan=plan(given["plan"], as_of=now) if given.get("plan") else None,
            says_end="expected_end_at" in given,
            expected_end_at=expected_end(given.get("expected_end_at"), as_of=now),
            over=JobState(given["state"]) if given.get("state") else None,
        )
        report_on_job(number=number, report=told, person=person, as_of=now)
    except (UnableToReadJob, UnableToRegisterJob) as unable:
        raise _refusal(unable) from unable
    return _told(person, number)


@router.get(
    "/blocks/{path:id}/clock",
    response={200: BlockClockTold, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.JOBS),
    summary="The clock of a block that ends",
)
def clock(request: HttpRequest, id: str) -> dict[str, Any]:
    """By the provider's id or ARN: until when jobs may start, and what to copy onto them. Needs the scope `jobs`."""
    if "\0" in id:
        raise not_there("There is no reservation whose id holds a null character.")
    now = timezone.now()
    try:
        held = reservation_named(name=id, person=request.auth.person, as_of=now)
    except UnableToFindReservation as unable:
        raise not_there(str(unable)) from unable
    for block in ending_blocks(as_of=now, reservation_id=held.id):
        return dict(block_told(block))
    raise not_there(f"{held.external_id} has no end, and so no clock.")


def _told(person: Person, number: int) -> dict[str, Any]:
    return dict(job_told(*_found(person, number)))


def _found(person: Person, number: int) -> tuple[EndingBlock, JobRow]:
    found = block_of_job(number=number, as_of=timezone.now())
    if found is None or not _sees(person, *found):
        raise not_there("There is no job of that number, or it is a team's whose jobs you may not see.")
    return found


def _sees(person: Person, block: EndingBlock, job: JobRow) -> bool:
    return may(person, Action.SEE_RESERVATION, {*block.held.teams, job.owner})


def _refusal(unable: UnableToReadJob | UnableToRegisterJob) -> UnableToAnswerCall:
    if isinstance(unable, UnableToAcceptOwner):
        return UnableToAnswerCall(HTTPStatus.FORBIDDEN, str(unable))
    if isinstance(unable, UnableToRegisterTwice | UnableToReport):
        return UnableToAnswerCall(HTTPStatus.CONFLICT, str(unable))
    return unreadable(unable.field, str(unable))
