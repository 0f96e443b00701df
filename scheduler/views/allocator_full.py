"""Full mode from the page: asked for in the background, watched, taken back."""

import structlog
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from kombu.exceptions import OperationalError

from reservations.domain.access import Action, may_somewhere
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on
from scheduler.domain.allocation_run import UnableToQueueRun
from scheduler.selectors.allocation_runs import AllocationRunWhole
from scheduler.services.allocation import AllocationAsked, cancel_allocation_run, request_allocation_run
from scheduler.tasks import run_allocations
from scheduler.views.allocator import run_asked
from scheduler.views.allocator_asked import Asked, asked_for

SECONDS = 60.0
"""So long full mode may look, once it is its turn: what it hasn't proved by then it rarely proves at all."""

QUEUE_DOWN = (
    "The queue of the workers can't be reached, so nobody is told yet. The request is kept and begins by itself"
    " within a minute of the queue's return."
)

log = structlog.get_logger(__name__)


@require_POST
@answers_plainly
def ask_full(request: HttpRequest) -> HttpResponse:
    """``POST /allocator/full/`` with the fields of an address: put it in the queue and go back to the page."""
    asked = asked_for(request, request.POST)
    if not may_somewhere(person_on(request), Action.ALLOCATE):
        sentence = "Asking full mode takes a role, and you were granted none yet: an admin can."
        raise UnableToAnswer(403, "Not yours to ask", sentence)
    try:
        with transaction.atomic():
            number = request_allocation_run(
                scenario=asked.scenario,
                asked=AllocationAsked(mode="full", seed=asked.seed, time_limit_seconds=SECONDS),
                user_id=request.user.pk,
                user_name=request.user.get_username(),
                as_of=timezone.now(),
            )
            transaction.on_commit(lambda: _tell_a_worker(request))
    except UnableToQueueRun as unable:
        raise UnableToAnswer(409, "Too many at once", str(unable)) from unable
    return HttpResponseRedirect(_page(asked, number))


@require_safe
@answers_plainly
def full_progress(request: HttpRequest) -> HttpResponse:
    """``/allocator/full/?…&full=7``: the part of the page that tells how far a run is; the page itself without htmx."""
    asked, run = _asked_run(request)
    if not request.htmx or request.htmx.boosted:
        return HttpResponseRedirect(asked.page)
    response = render(request, "scheduler/allocator/full.html", {"asked": asked, "run": run.row, "may_allocate": True})
    if not run.row.live:
        response["HX-Refresh"] = "true"
    return response


@require_POST
@answers_plainly
def cancel_full(request: HttpRequest) -> HttpResponse:
    """``POST /allocator/full/cancel/``: take a run back, if there is still something to take back."""
    asked, run = _asked_run(request)
    if not cancel_allocation_run(run_id=run.row.id, user_id=request.user.pk, as_of=timezone.now()):
        messages.info(request, "It had ended already.")
    return HttpResponseRedirect(asked.page)


def _asked_run(request: HttpRequest) -> tuple[Asked, AllocationRunWhole]:
    asked = asked_for(request, request.POST if request.method == "POST" else None)
    run = run_asked(request, asked)
    if run is None:
        raise UnableToAnswer(404, "No such run", "The address names no run of full mode.")
    return asked, run


def _page(asked: Asked, number: int) -> str:
    return asked.page.split("?")[0] + asked.address(full=number, plan="") + "#full"


def _tell_a_worker(request: HttpRequest) -> None:
    try:
        run_allocations.apply_async(retry=False)
    except OperationalError as error:
        log.warning("the broker cannot be reached", error=str(error))
        messages.warning(request, QUEUE_DOWN)
