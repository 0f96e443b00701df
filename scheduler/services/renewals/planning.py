"""What is to become of the work at the end, kept with the last try on the fallback; a new plan replaces none."""

from datetime import date, datetime

from django.db import transaction

from reservations.domain.free_text import why_not_kept
from reservations.services.audit import AuditAct, record_event
from scheduler.domain.renewal.standing import LONGEST_FALLBACK, LONGEST_REASON, AtEnd, RenewalState, ResumeTest
from scheduler.models import EndPlan, Renewal
from scheduler.services.renewals.deciding import UnableToRenew
from scheduler.services.renewals.stepping import Mover


@transaction.atomic
def plan_end(
    *,
    pk: int,
    at_end: AtEnd,
    fallback: str = "",
    resume_tested_on: date | None = None,
    resume_test: ResumeTest | None = None,
    note: str = "",
    by: Mover,
    at: datetime,
    today: date,
) -> None:
    """Plan the end; UnableToRenew for a plan that lacks something, and for an end that moved."""
    found = Renewal.objects.select_for_update().filter(pk=pk).first()
    if found is None:
        raise UnableToRenew("There is no such renewal.")
    fallback, note = fallback.strip(), note.strip()
    why = _why_not(found, at_end, fallback, resume_tested_on, resume_test, note, today)
    if why:
        raise UnableToRenew(why)
    last = EndPlan.objects.filter(renewal=found).order_by("-number").values_list("number", flat=True).first() or 0
    EndPlan.objects.create(
        renewal=found,
        number=last + 1,
        at_end=at_end.value,
        fallback=fallback,
        resume_tested_on=resume_tested_on,
        resume_test=resume_test.value if resume_test else "",
        note=note,
        planned_by_id=by.user_id,
        planned_by_name=by.name,
        planned_at=at,
    )
    told = {"number": last + 1, "at_end": at_end, "fallback": fallback, "resume_tested_on": resume_tested_on}
    record_event(
        what=AuditAct.RENEWAL_MOVED,
        about="renewal",
        ident=str(pk),
        by=by.name,
        after={"move": "plan_end", **told, "resume_test": resume_test},
        why=note,
    )


def _why_not(
    found: Renewal,
    at_end: AtEnd,
    fallback: str,
    tested_on: date | None,
    test: ResumeTest | None,
    note: str,
    today: date,
) -> str:
    if found.state == RenewalState.SUPERSEDED.value:
        return "The end moved: plan the new one."
    if at_end is AtEnd.FALL_BACK and not fallback:
        return "Say where the work falls back to."
    if (tested_on is None) != (test is None):
        return "A resume test has a day and a result: give both or none."
    if tested_on is not None and tested_on > today:
        return "A test that lies ahead has no result yet."
    if len(fallback) > LONGEST_FALLBACK or len(note) > LONGEST_REASON:
        return f"A fallback has at most {LONGEST_FALLBACK} characters, a note {LONGEST_REASON}."
    return why_not_kept(fallback, note)
