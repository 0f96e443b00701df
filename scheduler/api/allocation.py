"""``/allocate`` and ``/allocation-runs``: a scenario in, a grid out, at once or as a run to fetch."""

import json
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import RequestDataTooBig
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from django.utils import timezone
from kombu.exceptions import OperationalError
from ninja import Path, Query, Router

from reservations.api.callers import opens
from reservations.api.problems import NOT_FOUND, PROBLEMS, Problem, UnableToAnswerCall, not_there, unreadable
from reservations.api.shapes import PageAsked, page_of
from reservations.domain.access import Action, may_somewhere
from reservations.domain.tokens import Scope
from reservations.tables.writing import json_text
from scheduler.api.shapes import REQUEST_BODY, AllocateAsked, AllocationTold, RunPage, RunTold, RunWholeTold
from scheduler.domain.allocation.scenario import IllegalScenario
from scheduler.domain.allocation.scenario_text import (
    UnableToReadScenario,
    UnableToTakeScenario,
    json_object,
    scenario_within,
)
from scheduler.domain.allocation_run import UnableToQueueRun
from scheduler.domain.policy import ONLINE_LIMITS
from scheduler.selectors.allocation_runs import AllocationRunRow, AllocationRunWhole, allocation_run, allocation_runs
from scheduler.services.allocation import (
    AllocationAsked,
    allocation_answer,
    cancel_allocation_run,
    request_allocation_run,
)
from scheduler.tasks import run_allocations

router = Router(tags=["allocator"])
log = structlog.get_logger(__name__)

SENT: dict[int, type[Problem]] = {HTTPStatus.CONFLICT: Problem, HTTPStatus.REQUEST_ENTITY_TOO_LARGE: Problem}
FARTHEST_RUN = 2**63 - 1


@router.post(
    "/allocate",
    response={200: AllocationTold, 202: RunTold, **PROBLEMS, **SENT},
    auth=opens(Scope.ALLOCATE),
    summary="Which GPU runs which job at which step",
    openapi_extra=REQUEST_BODY,
)
def allocate(request: HttpRequest, asked: Query[AllocateAsked]) -> HttpResponse:
    """The body is a scenario; `fifo` and `fast` answer with a grid, `full` with a run to fetch (status 202).

    Every grid has passed the verifier. A scenario that can't be meant is refused in one sentence, a large one by its
    size. Needs the scope `allocate`.
    """
    _permitted(request)
    scenario = _scenario(request, asked.iterations)
    wanted = AllocationAsked(
        mode=asked.mode,
        seed=asked.seed,
        iterations=asked.iterations,
        certificate=asked.certificate,
        reasons=asked.reasons,
        time_limit_seconds=asked.time_limit,
    )
    try:
        if asked.mode == "full":
            return _queued(request, scenario, wanted)
        return _json(json.dumps(allocation_answer(scenario=scenario, asked=wanted).result))
    except IllegalScenario as illegal:
        raise unreadable("scenario", str(illegal)) from illegal


@router.get(
    "/allocation-runs",
    response={200: RunPage, **PROBLEMS},
    auth=opens(Scope.ALLOCATE),
    summary="Your runs of full mode",
)
def allocation_runs_of_yours(request: HttpRequest, asked: Query[PageAsked]) -> dict[str, Any]:
    """The newest first, without their results. Needs the scope `allocate`."""
    rows, total = allocation_runs(user_id=request.auth.user_id, offset=asked.offset, limit=asked.limit)
    return page_of([_told(row) for row in rows], total, asked)


@router.get(
    "/allocation-runs/{id}",
    response={200: RunWholeTold, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.ALLOCATE),
    summary="One run of full mode, and its result once there is one",
)
def allocation_run_of_yours(request: HttpRequest, id: Path[int]) -> HttpResponse:
    """A run of somebody else is answered as one that does not exist. Needs the scope `allocate`."""
    return _whole(_run(request, id))


@router.delete(
    "/allocation-runs/{id}",
    response={200: RunWholeTold, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.ALLOCATE),
    summary="Take a run back",
)
def cancel_run(request: HttpRequest, id: Path[int]) -> HttpResponse:
    """The run as it stands then: `cancelled`, or as it had ended before. Needs the scope `allocate`."""
    found = _run(request, id)
    cancel_allocation_run(run_id=found.row.id, user_id=request.auth.user_id, as_of=timezone.now())
    return _whole(_run(request, id))


def _permitted(request: HttpRequest) -> None:
    if not may_somewhere(request.auth.person, Action.ALLOCATE):
        raise UnableToAnswerCall(
            HTTPStatus.FORBIDDEN, "Asking the allocator takes a role, and you were granted none yet."
        )


def _scenario(request: HttpRequest, iterations: int | None) -> dict[str, object]:
    try:
        scenario = json_object(request.body)
        scenario_within(ONLINE_LIMITS, scenario, iterations=iterations)
    except RequestDataTooBig as error:
        sentence = f"The scenario is larger than {ONLINE_LIMITS.scenario_bytes:,} bytes."
        raise UnableToAnswerCall(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, sentence) from error
    except RawPostDataException as error:
        raise unreadable("scenario", "Send the scenario as application/json.") from error
    except (UnableToReadScenario, UnableToTakeScenario) as unable:
        raise unreadable("scenario", str(unable)) from unable
    return scenario


def _queued(request: HttpRequest, scenario: dict[str, object], asked: AllocationAsked) -> HttpResponse:
    user_id = request.auth.user_id
    try:
        number = request_allocation_run(
            scenario=scenario, asked=asked, user_id=user_id, user_name=request.auth.person.name, as_of=timezone.now()
        )
    except UnableToQueueRun as unable:
        raise UnableToAnswerCall(HTTPStatus.CONFLICT, str(unable)) from unable
    transaction.on_commit(_tell_a_worker)
    response = _json(json_text(_told(_run(request, number).row)), status=HTTPStatus.ACCEPTED)
    response["Location"] = f"/api/v1/allocation-runs/{number}"
    return response


def _tell_a_worker() -> None:
    try:
        run_allocations.apply_async(retry=False)
    except OperationalError as error:  # the clock finds it within a minute of the queue's return
        log.warning("the broker cannot be reached", error=str(error))


def _run(request: HttpRequest, number: int) -> AllocationRunWhole:
    found = None
    if 0 < number <= FARTHEST_RUN:
        found = allocation_run(user_id=request.auth.user_id, run_id=number)
    if found is None:
        raise not_there("There is no run of yours of that number.")
    return found


def _whole(run: AllocationRunWhole) -> HttpResponse:
    """A run with its result as it stands in the database: a grid may be large, and is JSON already."""
    told = json_text(_told(run.row))
    return _json(f'{told[:-1]}, "result": {run.result_text or "null"}}}')


def _told(row: AllocationRunRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in RunTold.model_fields}


def _json(text: str, status: int = HTTPStatus.OK) -> HttpResponse:
    return HttpResponse(text, status=status, content_type="application/json; charset=utf-8")
