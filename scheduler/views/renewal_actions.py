"""What people do with a renewal from its page: by POST, safe to send twice, refused in one sentence."""

from collections.abc import Callable
from datetime import date, datetime
from enum import StrEnum
from typing import TypeVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from reservations.domain.period import UnableToReadTime, read_instant
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on, zones_on
from scheduler.domain.renewal.standing import AtEnd, Choice, ResumeTest
from scheduler.selectors.renewals import RenewalRow, may_decide
from scheduler.services.renewals import UnableToRenew, decide_renewal, execute_renewal, plan_end, revise_renewal
from scheduler.services.renewals.stepping import Mover
from scheduler.views.renewals import Draft, found, renewal_page

W = TypeVar("W", bound=StrEnum)
MOST_DIGITS = 6
KEPT = ("nodes", "until", "reason", "at_end", "fallback", "resume_tested_on", "resume_test", "note")


@require_POST
@answers_plainly
def move(request: HttpRequest, pk: int, move: str) -> HttpResponse:
    """``/renewals/<id>/decide/``, ``…/revise/``, ``…/execute/`` or ``…/plan/``."""
    row = found(request, pk)
    doer = MOVES.get(move)
    if doer is None:
        raise UnableToAnswer(404, "No such move", f"{quoted(move)} is no move: {', '.join(MOVES)}.")
    if not may_decide(person_on(request), row):
        said = "You may see this renewal, and none of your roles lets you decide on it."
        raise UnableToAnswer(403, "Not yours to decide", said)
    try:
        sentence = doer(request, row, Mover(request.user.pk, person_on(request).name))
    except (UnableToRenew, UnableToReadTime, UnableToReadForm) as unable:
        told = f"{unable}".removesuffix(".") + "."
        texts = {name: request.POST.get(name, "")[:2_000] for name in KEPT}
        form = request.POST.get("choice", "") if move == "decide" else move
        return renewal_page(request, row, draft=Draft(form, told[0].upper() + told[1:], texts))
    messages.success(request, sentence)
    return redirect("scheduler:renewal", row.id)


class UnableToReadForm(ValueError):
    """A field holds what can't be read; the message is one sentence."""


def _decide(request: HttpRequest, row: RenewalRow, by: Mover) -> str:
    said = request.POST
    choice = _word(Choice, said, "choice")
    new = decide_renewal(
        pk=row.id,
        choice=choice,
        nodes=None if choice is Choice.LAPSE else _number(said, "nodes"),
        until_at=None if choice is Choice.LAPSE else _instant(said, "until"),
        reason=said.get("reason", ""),
        by=by,
        at=timezone.now(),
    )
    return "It is decided." if new else "It was decided so already."


def _revise(request: HttpRequest, row: RenewalRow, by: Mover) -> str:
    revise_renewal(pk=row.id, reason=request.POST.get("reason", ""), by=by, at=timezone.now())
    return "The decision is taken back."


def _execute(request: HttpRequest, row: RenewalRow, by: Mover) -> str:
    execute_renewal(pk=row.id, reason=request.POST.get("reason", ""), by=by, at=timezone.now())
    return "It is executed."


def _plan(request: HttpRequest, row: RenewalRow, by: Mover) -> str:
    said, now = request.POST, timezone.now()
    plan_end(
        pk=row.id,
        at_end=_word(AtEnd, said, "at_end"),
        fallback=said.get("fallback", ""),
        resume_tested_on=_day(said, "resume_tested_on"),
        resume_test=_word(ResumeTest, said, "resume_test") if said.get("resume_test") else None,
        note=said.get("note", ""),
        by=by,
        at=now,
        today=now.astimezone(zones_on(request).accounting).date(),
    )
    return "The end is planned."


MOVES: dict[str, Callable[[HttpRequest, RenewalRow, Mover], str]] = {
    "decide": _decide,
    "revise": _revise,
    "execute": _execute,
    "plan": _plan,
}


def _word(words: type[W], said: QueryDict, name: str) -> W:
    text = said.get(name, "")
    try:
        return words(text)
    except ValueError as error:
        raise UnableToReadForm(f"{quoted(text)} is no {name.replace('_', ' ')}") from error


def _number(said: QueryDict, name: str) -> int | None:
    text = said.get(name, "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise UnableToReadForm(f"{quoted(text)} is no number of nodes")
    return int(text)


def _instant(said: QueryDict, name: str) -> datetime | None:
    """An instant in UTC; a browser's field has no offset, and its label says UTC."""
    text = said.get(name, "").strip()
    if not text:
        return None
    try:
        return read_instant(text)
    except UnableToReadTime:
        return read_instant(f"{text}Z")


def _day(said: QueryDict, name: str) -> date | None:
    text = said.get(name, "").strip()
    try:
        return date.fromisoformat(text) if text else None
    except ValueError as error:
        raise UnableToReadForm(f"{quoted(text)} is no day: write it as 2026-05-09") from error
