"""What a job, or who answers for it, reports while it is registered."""

from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from reservations.domain.access import Action, Person, may
from reservations.services.audit import AuditAct, record_event
from scheduler.domain.block_clock.registration import Duration, Plan
from scheduler.domain.block_clock.states import JobState, may_become
from scheduler.models import EndingJob
from scheduler.services.block_clock.registering import (
    UnableToAcceptOwner,
    UnableToRegisterJob,
    add_durations,
    plan_fields,
)

ENDED_BY = {
    JobState.FINISHED: "It reported that it finished by itself.",
    JobState.WITHDRAWN: "It was withdrawn: nothing is done about it.",
}


class UnableToReport(UnableToRegisterJob):
    """Nothing can come of the job any more; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class JobReport:
    """What is reported: new durations, another plan or expected end (``says_end``), or that it is over."""

    durations: tuple[Duration, ...] = ()
    plan: Plan | None = None
    says_end: bool = False
    expected_end_at: datetime | None = None
    over: JobState | None = field(default=None)


@transaction.atomic
def report_on_job(*, number: int, report: JobReport, person: Person, as_of: datetime) -> None:
    """Keep a report; the same one again changes nothing. UnableToReport where the job is over in another way."""
    row = EndingJob.objects.select_for_update(of=("self",)).select_related("owner").get(pk=number)
    if not may(person, Action.REGISTER_JOB, {row.owner.name}):
        raise UnableToAcceptOwner(
            "owner", f"None of your roles lets you report on jobs of the team “{row.owner.name}”."
        )
    before = _told(row)
    add_durations(job_id=row.pk, durations=report.durations)
    if report.plan is not None:
        for name, value in plan_fields(report.plan, person).items():
            setattr(row, name, value)
    if report.says_end:
        row.expected_end_at = report.expected_end_at
    if report.over is not None and row.state != report.over.value:
        _end(row, report.over, as_of)
    row.save()
    if _told(row) != before:
        who = person.name
        record_event(
            what=AuditAct.JOB_CHANGED, about="ending_job", ident=str(number), by=who, before=before, after=_told(row)
        )


def _told(row: EndingJob) -> dict[str, object]:
    plan = ("decision", "fallback_pool_id", "fallback_shape", "fallback_nodes", "resume_tested_on")
    names = ("job_id", "state", "expected_end_at", "resume_test_passed", *plan)
    return {name: getattr(row, name) for name in names}


def _end(row: EndingJob, over: JobState, as_of: datetime) -> None:
    if row.state not in may_become(over):
        raise UnableToReport("state", f"{row.job_id} is {row.state} already: nothing more comes of it.")
    row.state, row.trouble, row.reason, row.changed_at = over.value, "", ENDED_BY[over], as_of
