"""The two promises side by side: what holds machines, and what lowers a price."""

from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain.access import Action, may
from reservations.domain.notation import amount
from reservations.domain.period import UTC
from reservations.selectors.commitments import commitment_rows
from reservations.selectors.reservations import reservation_totals
from reservations.tables.commitments import (
    commitments_sheet,
    exact_amount,
    hourly_now,
    on_page,
    stacking_sheet,
    unused_over,
)
from reservations.tables.listing import number
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on
from reservations.views.downloads import sheet_response

DAYS = (7, 30, 90, 365)
AT_FIRST = 30


@require_safe
@answers_plainly
def commitments(request: HttpRequest) -> HttpResponse:
    """``/commitments/?days=7|30|90|365``: figures over so many whole UTC days before today."""
    days, start, end = _days(request)
    rows = commitment_rows(start=start, end=end)
    held = reservation_totals(person=person_on(request), as_of=timezone.now())
    running = [one for one in rows if one.commitment.covers(end)]
    asked = f"?days={days}" if days != AT_FIRST else ""
    context = {
        "section": "commitments",
        "crumbs": [("Commitments", "")],
        "held": held,
        "instances": number(held.instances),
        "gpus": number(held.gpus),
        "rows": rows,
        "running": len(running),
        "hourly": [exact_amount(value, code) for code, value in sorted(hourly_now(rows, end).items())],
        "unused": [amount(value, code) for code, value in sorted(unused_over(rows).items())],
        "sheet": on_page(commitments_sheet(rows, start=start, end=end)),
        "stacking": stacking_sheet(rows),
        "days": days,
        "choices": [
            (each, f"?days={each}" if each != AT_FIRST else reverse("reservations:commitments")) for each in DAYS
        ],
        "start": start,
        "end": end - timedelta(days=1),
        "kept": asked,
    }
    return render(request, "reservations/commitments.html", context)


@require_safe
@answers_plainly
def commitments_file(request: HttpRequest, sheet: str, suffix: str) -> HttpResponse:
    """``/commitments/commitments.csv`` or ``stacking.xlsx``, with the days of the page."""
    days, start, end = _days(request)
    rows = commitment_rows(start=start, end=end)
    sheets = {
        "commitments": lambda: commitments_sheet(rows, start=start, end=end),
        "stacking": lambda: stacking_sheet(rows),
    }
    if sheet not in sheets:
        sentence = f"There is no table {quoted(sheet)} of commitments: commitments or stacking."
        raise UnableToAnswer(404, "No such table", sentence)
    return sheet_response(sheets[sheet](), suffix, f"moorage-{sheet}-{days}-days-{end:%Y-%m-%d}")


def _days(request: HttpRequest) -> tuple[int, date, date]:
    """How many days, and from when to before when; UnableToAnswer for who may not see, and for other numbers."""
    if not may(person_on(request), Action.SEE_PRICES):
        sentence = "Commitments are the organisation's: seeing them needs a role beyond viewer for all of it."
        raise UnableToAnswer(403, "Not yours to see", sentence)
    said = request.GET.get("days", "") or str(AT_FIRST)
    if said not in map(str, DAYS):
        choices = ", ".join(map(str, DAYS))
        raise UnableToAnswer(400, "Not so many days", f"“days” is one of {choices}, and this is {quoted(said)}.")
    today = timezone.now().astimezone(UTC).date()
    return int(said), today - timedelta(days=int(said)), today
