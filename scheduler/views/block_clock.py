"""The clock of a block that ends: how long is left, and how each job on it stands."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.selectors.reservations import UnableToFindReservation, reservation_row
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on, zones_on
from reservations.views.downloads import sheet_response
from scheduler.charts.block_line import block_line
from scheduler.domain.block_clock.agreement import NOTHING_PLANNED, PlannedEnd
from scheduler.selectors.ending_blocks import EndingBlock, ending_blocks
from scheduler.selectors.renewal_decisions import planned_ends
from scheduler.tables.block_clock.sheets import jobs_sheet, steps_sheet
from scheduler.tables.block_clock.shown import jobs_shown, moments, verdict
from scheduler.tables.block_clock.told import metadata


@require_safe
@answers_plainly
def block_clock(request: HttpRequest, pk: int) -> HttpResponse:
    """``/blocks/<reservation>/clock/``."""
    now, zone = timezone.now(), zones_on(request).seen
    block = _found(request, pk, now)
    jobs = jobs_shown(block, now, _planned(block))
    context = {
        "section": "reservations",
        "crumbs": [
            ("Reservations", reverse("reservations:list")),
            (block.held.external_id, reverse("reservations:detail", args=[pk])),
            ("Clock", ""),
        ],
        "ending": block,
        "as_of": now,
        "zone": zone,
        "verdict": verdict(block, now),
        "moments": moments(block, now),
        "line": block_line(
            now=now,
            no_admit_after=block.no_admit_after,
            deadlines=[job.deadline for job in block.jobs if job.live],
            usable_until=block.end.usable_until,
            end_at=block.end.end_at,
        ),
        "jobs": jobs,
        "steps": steps_sheet(block),
        "metadata": metadata(block),
    }
    return render(request, "scheduler/block_clock.html", context)


@require_safe
@answers_plainly
def block_clock_download(request: HttpRequest, pk: int, sheet: str, suffix: str) -> HttpResponse:
    """``/blocks/<reservation>/clock/jobs.csv``, ``…/steps.xlsx``."""
    now = timezone.now()
    block = _found(request, pk, now)
    about = (
        ("reservation", block.held.external_id),
        ("as of", notation.instant(now, zones_on(request).seen)),
        ("user", person_on(request).name),
    )
    if sheet == "jobs":
        told = jobs_sheet(block, jobs_shown(block, now, _planned(block)), about)
    elif sheet == "steps":
        told = steps_sheet(block, about)
    else:
        raise UnableToAnswer(404, "No such table", f"There is no table {quoted(sheet)} of a block's clock.")
    return sheet_response(told, suffix, f"moorage-{block.held.external_id}-{sheet}")


def _planned(block: EndingBlock) -> PlannedEnd:
    end = (block.held.id, block.end.end_at)
    return planned_ends([end]).get(end, NOTHING_PLANNED)


def _found(request: HttpRequest, pk: int, now: datetime) -> EndingBlock:
    try:
        row = reservation_row(pk=pk, person=person_on(request), as_of=now, zone=zones_on(request).accounting)
    except UnableToFindReservation as unable:
        raise UnableToAnswer(404, "No such reservation", str(unable)) from unable
    for block in ending_blocks(as_of=now, reservation_id=pk):
        return block
    said = f"{row.external_id} {'never held anything' if row.end_at else 'has no end'}, and so it has no clock."
    raise UnableToAnswer(404, "No clock", said)
