"""The hours behind a number of the month page."""

from dataclasses import dataclass

from django.http import HttpRequest

from reservations.domain import notation
from telemetry.domain.labels import STEP_LABELS
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.rollup import by_hour, due_until
from telemetry.domain.waterfall import hour_steps
from telemetry.tables import by_step
from telemetry.views.asked import Asked, UnableToAnswer, day_asked

UNUSABLE = "paid_unusable"

LABELS = {**STEP_LABELS, UNUSABLE: "paid but not usable"}

WORST = 24
"""How many hours are listed behind one amount of the waterfall."""


@dataclass(frozen=True, slots=True)
class Behind:
    """A heading, the hours and, for a day, the day."""

    heading: str
    table: by_step.Table


def hours_behind(request: HttpRequest, asked: Asked, hours: list[LedgerHour]) -> Behind | None:
    """The hours of ``?day=``, or those with most of ``?step=``; None when neither was asked for."""
    if day := day_asked(request, asked):
        sums = by_hour(hours=[row for row in hours if row.hour in day], period=day, until=due_until(asked.as_of))
        heading = f"Hours of {notation.day(day.start.astimezone(asked.zone).date())}"
        return Behind(heading, by_step.hours_of(hours, sums, asked.zone, dated=False))
    step = request.GET.get("step", "")
    if not step:
        return None
    if step not in LABELS:
        raise UnableToAnswer(404, "No such step", f"“{step}” is not a step of the waterfall.")
    return Behind(f"Hours with most “{LABELS[step]}”", _worst(asked, hours, step))


def _worst(asked: Asked, hours: list[LedgerHour], step: str) -> by_step.Table:
    ranked = sorted(hours, key=lambda row: (-abs(_amount(row, step)), row.hour))[:WORST]
    worst = [row for row in ranked if _amount(row, step)]
    sums = by_hour(hours=worst, period=asked.period, until=asked.period.start)
    order = {row.hour: place for place, row in enumerate(worst)}
    return by_step.hours_of(worst, sorted(sums, key=lambda total: order[total.period.start]), asked.zone, dated=True)


def _amount(row: LedgerHour, step: str) -> int:
    return row.paid - row.reserved if step == UNUSABLE else hour_steps(row)[step] or 0
