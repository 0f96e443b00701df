"""Delegations: lending one's own authority to approve for a time, and ending that."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, timedelta
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from reservations.domain.access import Action, may, may_somewhere
from reservations.domain.procurement.authority import limit_of
from reservations.domain.procurement.exception_type import TYPES, ExceptionType
from reservations.domain.procurement.rule import Rule
from reservations.domain.procurement.typed import read_amount
from reservations.selectors.approvers import Lent, delegations_of
from reservations.selectors.contacts import user_id_of
from reservations.selectors.procurement import rule_in_force
from reservations.services.delegations import UnableToDelegate, delegate_authority, end_delegation
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on, zones_on

LONGEST = 2_000


@require_http_methods(["GET", "HEAD", "POST"])
@answers_plainly
def delegations(request: HttpRequest) -> HttpResponse:
    """``/delegations/``: yours, everybody's for who audits or administers; POST makes one."""
    if request.method != "POST":
        return _page(request, {})
    said = {name: str(text)[:LONGEST] for name, text in request.POST.items()}
    try:
        _make(request, said)
    except UnableToDelegate as unable:
        return _page(request, said, str(unable))
    messages.success(request, f"{said.get('delegate', '').strip()} may approve in your name in that time.")
    return redirect("reservations:delegations")


@require_POST
@answers_plainly
def delegation_end(request: HttpRequest, delegation_id: int) -> HttpResponse:
    """``/delegations/<id>/end/``: from now on nothing is approved by it; what was stays."""
    if delegation_id not in {one.id for one in _seen(request)}:
        raise UnableToAnswer(404, "No such delegation", f"There is no delegation {delegation_id}, or it is not yours.")
    try:
        ended = end_delegation(delegation_id=delegation_id, by=_user(request), at=timezone.now())
    except UnableToDelegate as unable:
        return _page(request, {}, str(unable))
    messages.success(request, "The delegation is ended." if ended else "The delegation was over already.")
    return redirect("reservations:delegations")


def _page(request: HttpRequest, texts: Mapping[str, str], problem: str = "") -> HttpResponse:
    person, now = person_on(request), timezone.now()
    today = now.astimezone(zones_on(request).accounting).date()
    rule = rule_in_force(today)
    context = {
        "section": "exceptions",
        "crumbs": [("Exceptions", reverse("scheduler:exceptions")), ("Delegations", "")],
        "lent": [_line(request, one, now) for one in _seen(request)],
        "everybodys": _sees_all(request),
        "why_not": _why_not(request, rule),
        "limit": _limit(request, rule) if rule else None,
        "rule": rule,
        "kinds": [(kind.value, TYPES[kind].label) for kind in ExceptionType],
        "chosen": request.POST.getlist("types") if problem else [],
        "texts": {"start": today.isoformat(), "end": (today + timedelta(days=7)).isoformat(), **texts},
        "today": today,
        "problem": problem,
        "key": uuid4(),
        "person": person,
    }
    return render(request, "reservations/procurement/delegations.html", context, status=422 if problem else 200)


def _make(request: HttpRequest, said: Mapping[str, str]) -> int:
    name, now = said.get("delegate", "").strip(), timezone.now()
    delegate = user_id_of(name)
    if delegate is None:
        raise UnableToDelegate(f"Nobody logs in as {quoted(name)}." if name else "Name the log-in that may approve.")
    try:
        types = [ExceptionType(one) for one in request.POST.getlist("types")]
        amount = read_amount(said.get("up_to", "").strip())
    except ValueError as error:
        raise UnableToDelegate(str(error)) from None
    start, end = _midnight(request, said.get("start", "")), _midnight(request, said.get("end", ""), days=1)
    return delegate_authority(
        delegate=delegate,
        start=max(start, now) if start.date() <= now.date() else start,
        end=end,
        up_to=amount,
        reason=said.get("reason", ""),
        by=_user(request),
        at=now,
        today=now.astimezone(zones_on(request).accounting).date(),
        types=types,
        key=said.get("key") or None,
    )


def _seen(request: HttpRequest) -> list[Lent]:
    return delegations_of(None if _sees_all(request) else _user(request))


def _sees_all(request: HttpRequest) -> bool:
    person = person_on(request)
    return may(person, Action.SEE_AUDIT) or may(person, Action.CONFIGURE)


def _line(request: HttpRequest, one: Lent, now: datetime) -> dict[str, object]:
    over = one.ended_at is not None or one.given.end <= now
    mine = one.given.delegator == _user(request) or may(person_on(request), Action.CONFIGURE)
    state = ("over", "over") if over else ("holds", "good") if one.given.holds(now) else ("to come", "none")
    kinds = ", ".join(TYPES[kind].label for kind in one.given.types)
    return {"lent": one, "kinds": kinds, "state": state[0], "tone": state[1], "endable": mine and not over}


def _why_not(request: HttpRequest, rule: Rule | None) -> str:
    if rule is None:
        return "No procurement rule is in force, so nobody has an authority to delegate."
    if not may_somewhere(person_on(request), Action.DELEGATE):
        return "Your role approves nothing, so there is nothing to delegate."
    if not _limit(request, rule):
        return "None of the rule’s steps is yours to approve, and what was delegated to you can’t be handed on."
    return ""


def _limit(request: HttpRequest, rule: Rule) -> object:
    person = person_on(request)
    return max((limit_of(rule, person, grant.team) for grant in person.grants), default=0)


def _midnight(request: HttpRequest, text: str, *, days: int = 0) -> datetime:
    """The beginning of a day in the accounting zone; with ``days`` that many later: the last day counts in."""
    try:
        on = date.fromisoformat(text.strip())
        return datetime.combine(on + timedelta(days=days), time(), zones_on(request).accounting).astimezone(UTC)
    except (ValueError, OverflowError):
        raise UnableToDelegate(f"{quoted(text)} is not a day: write it as 2026-01-31.") from None


def _user(request: HttpRequest) -> int:
    assert request.user.pk is not None  # nosec B101
    return request.user.pk
