"""What people do with a request from its page: by POST, safe to send twice, refused in one sentence."""

from collections.abc import Callable
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from reservations.selectors.exception_case import exception_case
from reservations.selectors.exceptions import ExceptionRow
from reservations.selectors.reservation_ids import reservation_id_of
from reservations.services.exceptions import (
    Condition,
    Moved,
    UnableToMoveRequest,
    approve_exception,
    approve_with_conditions,
    break_glass,
    meet_condition,
    record_refusal,
    reject_exception,
    return_exception,
    revise_exception,
    second_sign_off,
    withdraw_exception,
)
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import zones_on
from scheduler.services.exceptions import execute_exception
from scheduler.views.exceptions.asked import Asker, asker_on, found
from scheduler.views.exceptions.case import Refused, case_page
from scheduler.views.exceptions.fields import number_in

MOST_CONDITIONS = 20
KEPT = 6_000
"""So many characters of a refused text are shown again."""


@require_POST
@answers_plainly
def move_exception(request: HttpRequest, pk: int, move: str) -> HttpResponse:
    """``/exceptions/<id>/approve/`` and the other moves of ``MOVES``."""
    row, doer = found(request, pk), MOVES.get(move)
    if doer is None:
        raise UnableToAnswer(404, "No such move", f"{quoted(move)} is no move: {', '.join(MOVES)}.")
    try:
        moved = doer(request, row, asker_on(request))
    except UnableToMoveRequest as unable:
        acting_for = number_in(request.POST.get("acting_for"))
        record_refusal(request_id=pk, tried=move, why=str(unable), by=request.user, acting_for=acting_for)
        typed = {name: text[:KEPT] for name, text in request.POST.items() if name != "csrfmiddlewaretoken"}
        return case_page(request, row, Refused(move, str(unable), typed))
    messages.success(request, moved.told or "It is done.")
    if move == "revise":
        return redirect("scheduler:exception-draft", pk)
    return redirect("scheduler:exception", pk)


def _approve(request: HttpRequest, row: ExceptionRow, asker: Asker) -> Moved:
    return approve_exception(note=request.POST.get("note", ""), today=asker.today, **_decision(request, row, asker))


def _conditions(request: HttpRequest, row: ExceptionRow, asker: Asker) -> Moved:
    said = request.POST
    return approve_with_conditions(
        conditions=_read_conditions(said),
        note=said.get("note", ""),
        today=asker.today,
        **_decision(request, row, asker),
    )


def _return(request: HttpRequest, row: ExceptionRow, asker: Asker) -> Moved:
    return return_exception(reason=request.POST.get("reason", ""), **_decision(request, row, asker))


def _reject(request: HttpRequest, row: ExceptionRow, asker: Asker) -> Moved:
    return reject_exception(reason=request.POST.get("reason", ""), **_decision(request, row, asker))


def _decision(request: HttpRequest, row: ExceptionRow, asker: Asker) -> dict[str, Any]:
    """What every decision says: on which text, by whom and in whose name."""
    said = request.POST
    return {
        "request_id": row.id,
        "content_hash": said.get("content_hash", ""),
        "by": asker.user_id,
        "at": asker.now,
        "acting_for": number_in(said.get("acting_for")),
        "key": _key(said),
    }


def _withdraw(request: HttpRequest, row: ExceptionRow, asker: Asker) -> Moved:
    said = request.POST
    return withdraw_exception(
        request_id=row.id, by=asker.user_id, at=asker.now, reason=said.get("reason", ""), key=_key(said)
    )


def _revise(request: HttpRequest, row: ExceptionRow, asker: Asker) -> Moved:
    said = request.POST
    return revise_exception(
        request_id=row.id, by=asker.user_id, at=asker.now, reason=said.get("reason", ""), key=_key(said)
    )


def _execute(request: HttpRequest, row: ExceptionRow, asker: Asker) -> Moved:
    said = request.POST
    named = said.get("reservation", "").strip()
    bought = reservation_id_of(named, pool_id=row.pool_id) if named else None
    if named and bought is None:
        raise UnableToMoveRequest(f"The inventory of {row.pool} has no reservation {quoted(named)}.")
    return execute_exception(
        request_id=row.id,
        pool_id=row.pool_id,
        by=asker.user_id,
        at=asker.now,
        reservation_id=bought,
        note=said.get("note", ""),
        key=_key(said),
    )


def _meet(request: HttpRequest, row: ExceptionRow, asker: Asker) -> Moved:
    said = request.POST
    condition = number_in(said.get("condition"))
    if condition is None or condition not in {one.id for one in exception_case(row).conditions}:
        raise UnableToMoveRequest("There is no such condition.")
    return meet_condition(
        condition_id=condition, note=said.get("note", ""), by=asker.user_id, at=asker.now, key=_key(said)
    )


def _break_glass(request: HttpRequest, row: ExceptionRow, asker: Asker) -> Moved:
    said = request.POST
    return break_glass(
        request_id=row.id,
        content_hash=said.get("content_hash", ""),
        reason=said.get("reason", ""),
        by=asker.user_id,
        at=asker.now,
        zone=zones_on(request).accounting,
        key=_key(said),
    )


def _sign_off(request: HttpRequest, row: ExceptionRow, asker: Asker) -> Moved:
    said = request.POST
    agree = said.get("verdict", "")
    if agree not in ("agree", "refuse"):
        raise UnableToMoveRequest("Say whether you sign it off or refuse to.")
    return second_sign_off(
        request_id=row.id,
        agree=agree == "agree",
        by=asker.user_id,
        at=asker.now,
        note=said.get("note", ""),
        key=_key(said),
    )


MOVES: dict[str, Callable[[HttpRequest, ExceptionRow, Asker], Moved]] = {
    "approve": _approve,
    "approve-with-conditions": _conditions,
    "return": _return,
    "reject": _reject,
    "withdraw": _withdraw,
    "revise": _revise,
    "execute": _execute,
    "meet-condition": _meet,
    "break-glass": _break_glass,
    "sign-off": _sign_off,
}


def _key(said: QueryDict) -> str | None:
    return said.get("key") or None


def _read_conditions(said: QueryDict) -> list[Condition]:
    """Each line of a condition with its day; a line that says neither is left out."""
    found = []
    for number in range(1, MOST_CONDITIONS + 1):
        text, day = (said.get(f"{name}_{number}", "").strip() for name in ("condition", "due"))
        if not text and not day:
            continue
        try:
            found.append(Condition(text, date.fromisoformat(day)))
        except ValueError:
            named = f"{quoted(day)} is not a day" if day else "Its day is missing"
            raise UnableToMoveRequest(f"Condition {number}: {named}, write it as 2026-01-31.") from None
    return found
