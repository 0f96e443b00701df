"""Asking for hours once more from a page, seeing how far that is, and taking it back."""

import contextlib
import uuid
from datetime import UTC, datetime, tzinfo

import structlog
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from kombu.exceptions import OperationalError

from reservations.domain.access import Action, may
from reservations.domain.period import YEARS
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from telemetry.domain.recollection import UnableToRecollect
from telemetry.selectors.recollections import RecollectionRow, recollection_row
from telemetry.services.recollections import cancel_recollection, request_recollection
from telemetry.tasks import run_recollections
from telemetry.views.health_asked import pool_asked

QUEUE_DOWN = (
    "The queue of the workers can't be reached, so nobody is told yet. The request is kept and begins by itself"
    " within a minute of the queue's return."
)

log = structlog.get_logger(__name__)


@require_POST
@answers_plainly
def ask_recollection(request: HttpRequest) -> HttpResponse:
    """``POST pool, from, to, force, key``: put a range in the queue and go to where its progress is shown."""
    pool = pool_asked(request.POST.get("pool", ""), _visible(request))
    if not may(person_on(request), Action.COLLECT, pool.teams):
        raise UnableToAnswer(
            403,
            "Not yours to collect",
            f"You may see {pool.name}, and collecting its hours again takes the role of an operator or an admin.",
        )
    zone = zones_on(request).accounting
    try:
        with transaction.atomic():
            number = request_recollection(
                pool_id=pool.id,
                start=_instant(request.POST.get("from", ""), zone),
                end=_instant(request.POST.get("to", ""), zone),
                force=request.POST.get("force") == "1",
                key=request.POST.get("key", "")[:64] or uuid.uuid4().hex,
                asked_by_id=request.user.pk,
                asked_by_name=request.user.get_username(),
                as_of=timezone.now(),
            )
            transaction.on_commit(lambda: _tell_a_worker(request))
    except UnableToRecollect as unable:
        raise UnableToAnswer(400, "These hours can't be collected again", str(unable)) from unable
    return HttpResponseRedirect(reverse("telemetry:recollection", args=[number]))


@require_safe
@answers_plainly
def recollection(request: HttpRequest, number: int) -> HttpResponse:
    """``/health/data/recollections/7/``: how far one request is; alone the part that changes, where htmx asks."""
    row, pool = _theirs(request, number)
    context = {
        "section": "data",
        "crumbs": [("Data", reverse("telemetry:data-health")), ("Collected again", "")],
        "recollection": row,
        "may_collect": may(person_on(request), Action.COLLECT, pool.teams),
        "zone": zones_on(request).seen,
    }
    partial = request.htmx and not request.htmx.boosted
    return render(
        request, "telemetry/recollection_progress.html" if partial else "telemetry/recollection.html", context
    )


@require_POST
@answers_plainly
def cancel(request: HttpRequest, number: int) -> HttpResponse:
    """``POST /health/data/recollections/7/cancel/``: take a request back, if there is still something to take back."""
    row, pool = _theirs(request, number)
    if not may(person_on(request), Action.COLLECT, pool.teams):
        raise UnableToAnswer(403, "Not yours to take back", "That takes the role of an operator or an admin.")
    if not cancel_recollection(
        recollection_id=row.id, cancelled_by_name=request.user.get_username(), as_of=timezone.now()
    ):
        messages.info(request, "It had ended already.")
    return HttpResponseRedirect(reverse("telemetry:recollection", args=[row.id]))


def _visible(request: HttpRequest) -> tuple[PoolRow, ...]:
    return tuple(pool for pool in pool_rows() if may(person_on(request), Action.SEE_DATA_HEALTH, pool.teams))


def _theirs(request: HttpRequest, number: int) -> tuple[RecollectionRow, PoolRow]:
    row = recollection_row(recollection_id=number)
    pool = next((pool for pool in _visible(request) if row is not None and pool.id == row.pool_id), None)
    if row is None or pool is None:
        message = f"There is no request number {number}, or it concerns a pool you may not see."
        raise UnableToAnswer(404, "No such request", message)
    return row, pool


def _tell_a_worker(request: HttpRequest) -> None:
    try:
        run_recollections.apply_async(retry=False)
    except OperationalError as error:
        log.warning("the broker cannot be reached", error=str(error))
        messages.warning(request, QUEUE_DOWN)


def _instant(text: str, zone: tzinfo) -> datetime:
    """What a form's field or a button says: by the accounting zone's clock, or with an offset of its own."""
    with contextlib.suppress(ValueError, OverflowError):
        at = datetime.fromisoformat(text.strip())
        if at.year in YEARS:
            return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)
    raise UnableToRecollect(f"“{text[:40]}” is not a time: write it as 2026-05-09T13:00.")
