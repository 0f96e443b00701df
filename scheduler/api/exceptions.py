"""``/exceptions``: requests for exceptions, drafting and submitting them, and deciding with a token made for that."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja import Query, Router

from reservations.api.callers import AccessTokenAuth, Caller, opens
from reservations.api.problems import NOT_FOUND, PROBLEMS, UNREADABLE, UnableToAnswerCall, not_there, unreadable
from reservations.api.shapes import page_of
from reservations.domain.access import Action, may_somewhere
from reservations.domain.procurement.request_state import RequestState
from reservations.domain.procurement.typed import UnableToReadRequest
from reservations.domain.tokens import Scope
from reservations.selectors.contacts import user_id_of
from reservations.selectors.exception_case import exception_case
from reservations.selectors.exceptions import ExceptionRow, exception_row, exception_rows
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import UnableToFindPool, pool_seen
from reservations.selectors.procurement import rule_versions
from reservations.services.exceptions import (
    Moved,
    UnableToMoveRequest,
    approve_exception,
    record_refusal,
    reject_exception,
    return_exception,
)
from scheduler.api.exception_shapes import (
    ApprovalAsked,
    DecisionAsked,
    DraftAsked,
    ExceptionPage,
    ExceptionsAsked,
    ExceptionWhole,
    KeyAsked,
    RefusalAsked,
    RuleVersions,
)
from scheduler.services.exceptions import begin_exception, submit_exception_with_evidence
from scheduler.tables.exceptions_told import case_told, exception_told, rule_told

router = Router(tags=["exceptions"])
DECIDES = AccessTokenAuth(Scope.APPROVE_EXCEPTIONS)
"""Never a log-in's cookie: what a page decides it decides through its form."""


@router.get(
    "/procurement-rule",
    response={200: RuleVersions, **PROBLEMS},
    auth=opens(Scope.READ_EXCEPTIONS),
    summary="The procurement rule",
)
def procurement_rule(request: HttpRequest) -> dict[str, Any]:
    """Every version, the newest first, as text and in plain sentences. Needs the scope `read:exceptions`."""
    caller: Caller = request.auth
    if not may_somewhere(caller.person, Action.SEE_RULE):
        raise UnableToAnswerCall(HTTPStatus.FORBIDDEN, "None of your roles lets you see the procurement rule.")
    today = timezone.now().astimezone(accounting_zone()).date()
    return {"rows": [rule_told(one) for one in rule_versions(today)]}


@router.get(
    "/exceptions",
    response={200: ExceptionPage, **PROBLEMS},
    auth=opens(Scope.READ_EXCEPTIONS),
    summary="The requests for exceptions you may see",
)
def exceptions(request: HttpRequest, asked: Query[ExceptionsAsked]) -> dict[str, Any]:
    """The newest move first. Needs the scope `read:exceptions`."""
    caller: Caller = request.auth
    states = [RequestState(asked.state)] if asked.state not in ("", "any") else []
    rows = exception_rows(caller.person, user_id=caller.user_id, states=states, pool=asked.pool)
    shown = rows[asked.offset : asked.offset + asked.limit]
    return page_of([exception_told(row, caller.person) for row in shown], len(rows), asked)


@router.get(
    "/exceptions/{int:request_id}",
    response={200: ExceptionWhole, **PROBLEMS, **NOT_FOUND},
    auth=opens(Scope.READ_EXCEPTIONS),
    summary="One request for an exception",
)
def one_exception(request: HttpRequest, request_id: int) -> dict[str, Any]:
    """With its evidence, steps, conditions and trail. Needs the scope `read:exceptions`."""
    return _told(request, request_id)


@router.post(
    "/exceptions",
    response={200: ExceptionWhole, **PROBLEMS, **UNREADABLE, **NOT_FOUND},
    auth=[AccessTokenAuth(Scope.REQUEST_EXCEPTIONS)],
    summary="Draft a request for an exception",
)
def draft_exception(request: HttpRequest, asked: DraftAsked) -> dict[str, Any]:
    """Begun with the rule's and the recommendation's numbers. Needs a token with the scope `exceptions`."""
    caller = _person(request)
    try:
        pool = pool_seen(asked.pool, caller.person)
    except UnableToFindPool as unable:
        raise unreadable("pool", f"{str(unable)[0].upper()}{str(unable)[1:]}.") from unable
    draft = _tried(
        lambda: begin_exception(
            pool=pool, nodes=asked.nodes, fields=asked.fields, by=caller.user_id, at=timezone.now(), key=asked.key
        )
    )
    return _told(request, draft.request_id)


@router.post(
    "/exceptions/{int:request_id}/submit",
    response={200: ExceptionWhole, **PROBLEMS, **UNREADABLE, **NOT_FOUND},
    auth=[AccessTokenAuth(Scope.REQUEST_EXCEPTIONS)],
    summary="Submit a draft",
)
def submit_exception(request: HttpRequest, request_id: int, asked: KeyAsked) -> dict[str, Any]:
    """Freezes what it says with the evidence of this moment. Needs a token with the scope `exceptions`."""
    caller = _person(request)
    _found(caller, request_id)
    now = timezone.now()
    _tried(
        lambda: submit_exception_with_evidence(
            request_id=request_id, saves=None, by=caller.user_id, at=now, key=asked.key
        )
    )
    return _told(request, request_id)


@router.post(
    "/exceptions/{int:request_id}/approve",
    response={200: ExceptionWhole, **PROBLEMS, **UNREADABLE, **NOT_FOUND},
    auth=[DECIDES],
    summary="Approve a step of a request",
)
def approve(request: HttpRequest, request_id: int, asked: ApprovalAsked) -> dict[str, Any]:
    """Of exactly the content that was read. Needs a person's token with the scope `approve:exceptions`."""
    now = timezone.now()
    today = now.astimezone(accounting_zone()).date()
    return _decided(request, request_id, asked, approve_exception, at=now, today=today, note=asked.note)


@router.post(
    "/exceptions/{int:request_id}/return",
    response={200: ExceptionWhole, **PROBLEMS, **UNREADABLE, **NOT_FOUND},
    auth=[DECIDES],
    summary="Return a request for changes",
)
def give_back(request: HttpRequest, request_id: int, asked: RefusalAsked) -> dict[str, Any]:
    """With a reason. Needs a person's token with the scope `approve:exceptions`."""
    return _decided(request, request_id, asked, return_exception, at=timezone.now(), reason=asked.reason)


@router.post(
    "/exceptions/{int:request_id}/reject",
    response={200: ExceptionWhole, **PROBLEMS, **UNREADABLE, **NOT_FOUND},
    auth=[DECIDES],
    summary="Reject a request",
)
def reject(request: HttpRequest, request_id: int, asked: RefusalAsked) -> dict[str, Any]:
    """For good, with a reason. Needs a person's token with the scope `approve:exceptions`."""
    return _decided(request, request_id, asked, reject_exception, at=timezone.now(), reason=asked.reason)


def _decided(
    request: HttpRequest, request_id: int, asked: DecisionAsked, decide: Callable[..., Moved], **said: Any
) -> dict[str, Any]:
    caller = _person(request)
    _found(caller, request_id)
    acting_for = user_id_of(asked.acting_for) if asked.acting_for else None
    if asked.acting_for and acting_for is None:
        raise unreadable("acting_for", "Nobody with this log-in delegates anything to you.")
    told = {"content_hash": asked.content_hash, "acting_for": acting_for, "key": asked.key, **said}
    try:
        _tried(lambda: decide(request_id=request_id, by=caller.user_id, **told))
    except UnableToAnswerCall as unable:
        tried = decide.__name__.partition("_")[0]
        record_refusal(request_id=request_id, tried=tried, why=str(unable), acting_for=acting_for)
        raise
    return _told(request, request_id)


def _person(request: HttpRequest) -> Caller:
    """Who calls, if it is a person: a program decides and asks for nothing."""
    caller: Caller = request.auth
    if caller.person.program:
        raise UnableToAnswerCall(HTTPStatus.FORBIDDEN, "Only a person asks for exceptions and decides on them.")
    return caller


def _tried(act: Callable[[], Any]) -> Any:
    try:
        return act()
    except UnableToReadRequest as unable:
        field, sentence = next(iter(unable.problems.items()))
        raise unreadable(field, sentence) from unable
    except UnableToMoveRequest as unable:
        raise UnableToAnswerCall(HTTPStatus.UNPROCESSABLE_ENTITY, str(unable)) from unable


def _found(caller: Caller, request_id: int) -> ExceptionRow:
    row = exception_row(request_id, caller.person, user_id=caller.user_id)
    if row is None:
        raise not_there(f"There is no request {request_id}, or it is not for you.")
    return row


def _told(request: HttpRequest, request_id: int) -> dict[str, Any]:
    caller: Caller = request.auth
    return case_told(exception_case(_found(caller, request_id)), caller.person)
