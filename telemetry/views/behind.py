"""The hours behind a number of a pool's month."""

from dataclasses import dataclass

from django.http import HttpRequest

from reservations.domain import notation
from telemetry.domain.labels import STEP_LABELS
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.waterfall import hour_steps
from telemetry.tables import by_step
from telemetry.views.asked import Asked, UnableToAnswer

UNUSABLE = "paid_unusable"

LABELS = {**STEP_LABELS, UNUSABLE: "paid but not usable"}

WORST = 24
"""How many hours are listed behind one amount of the waterfall."""


@dataclass(frozen=True, slots=True)
class Behind:
    """A heading and the hours."""

    heading: str
    table: by_step.Table


def step_asked(request: HttpRequest) -> str:
    """The step of ``?step=``, blank for none; UnableToAnswer for one that is not in any waterfall."""
    step = request.GET.get("step", "")
    if step and step not in LABELS:
        raise UnableToAnswer(404, "No such step", f"“{step[:40]}” is not a step of the waterfall.")
    return step


def hours_behind(request: HttpRequest, asked: Asked, hours: list[LedgerHour]) -> Behind | None:
    """The hours of ``?day=``, or of the month, those with most of ``?step=`` first; None when neither was asked for."""
    step = step_asked(request)
    if asked.day:
        period = asked.days[asked.day]
        parts = by_step.hour_parts([row for row in hours if row.hour in period], period, asked.until)
        heading = f"Hours of {notation.day(asked.day)}"
        return Behind(heading, by_step.hours_of(parts, asked.zone, dated=False, step=step))
    if not step:
        return None
    ranked = sorted(hours, key=lambda row: (-abs(_amount(row, step)), row.hour))[:WORST]
    parts = [by_step.hour_part(row) for row in ranked if _amount(row, step)]
    return Behind(f"Hours with most “{LABELS[step]}”", by_step.hours_of(parts, asked.zone, dated=True, step=step))


def _amount(row: LedgerHour, step: str) -> int:
    return row.paid - row.reserved if step == UNUSABLE else hour_steps(row)[step] or 0
