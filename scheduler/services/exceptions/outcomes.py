"""Measuring, once and for good, what became of a request ninety days after."""

from datetime import datetime

from django.db import transaction

from reservations.domain.procurement.request_state import RequestState
from reservations.selectors.exceptions import all_exception_rows
from reservations.services.audit import AuditAct, record_event
from scheduler.models import ExceptionOutcome
from scheduler.selectors.exception_outcomes import measured


def measure_exception_outcomes(*, at: datetime) -> int:
    """Keep the outcome of each executed request whose ninety days are over; how many are new."""
    kept = set(ExceptionOutcome.objects.values_list("request_id", flat=True))
    rows = [row for row in all_exception_rows(states=[RequestState.EXECUTED]) if row.id not in kept]
    new = 0
    for row, found in zip(rows, measured(rows, as_of=at), strict=True):
        if found is None or not found.whole:
            continue
        with transaction.atomic():
            _, created = ExceptionOutcome.objects.get_or_create(
                request_id=row.id,
                defaults={
                    "start_at": found.period.start,
                    "end_at": found.period.end,
                    "measured_at": at,
                    "hours": found.hours,
                    "hours_known": found.hours_known,
                    "claimed_share": found.claimed_share,
                    "busy_share": found.busy_share,
                    "coverage_share": found.coverage_share,
                    "mean_busy_nodes": found.mean_busy_nodes,
                    "mean_held_nodes": found.mean_held_nodes,
                    "met": found.met,
                    "sentence": found.sentence,
                },
            )
            if created:
                record_event(
                    what=AuditAct.EXCEPTION_MEASURED,
                    about="exception_request",
                    ident=str(row.id),
                    after={"met": found.met, "told": found.sentence},
                )
        new += created
    return new
