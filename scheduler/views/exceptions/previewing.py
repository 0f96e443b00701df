"""A draft as its approver will read it, with who will be asked, and the button that submits exactly that."""

from dataclasses import dataclass
from decimal import Decimal
from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from reservations.domain.procurement.authority import (
    RequiredStep,
    UnableToRoute,
    required_steps,
    why_not_enough,
)
from reservations.domain.procurement.content import RequestContent
from reservations.domain.procurement.rule import Rule
from reservations.domain.procurement.typed import UnableToReadRequest, request_content
from reservations.selectors.approvers import role_holders
from reservations.selectors.draft import Draft, draft_of
from reservations.selectors.exception_files import files_of_draft
from reservations.selectors.exceptions import ExceptionRow
from reservations.selectors.procurement import rule_in_force
from reservations.services.exceptions import UnableToMoveRequest
from reservations.views.answers import answers_plainly
from scheduler.domain.exception.basis import Basis
from scheduler.services.exceptions import submit_exception_with_evidence
from scheduler.tables.exceptions.content import facts, texts
from scheduler.views.exceptions.asked import asker_on
from scheduler.views.exceptions.fields import number_in
from scheduler.views.exceptions.numbers import basis_now, live_figures
from scheduler.views.exceptions.writing import draft_page, writable


@dataclass(frozen=True, slots=True)
class Chain:
    """Who will be asked, each step with the people of its role; ``why_not``: why nobody can be, in one sentence."""

    steps: tuple[tuple[RequiredStep, str], ...] = ()
    why_not: str = ""


@require_safe
@answers_plainly
def preview(request: HttpRequest, pk: int) -> HttpResponse:
    """``/exceptions/<id>/preview/``."""
    return _page(request, writable(request, pk))


@require_POST
@answers_plainly
def submit(request: HttpRequest, pk: int) -> HttpResponse:
    """``/exceptions/<id>/submit/``: freeze what was previewed, and ask."""
    row, asker = writable(request, pk), asker_on(request)
    try:
        moved = submit_exception_with_evidence(
            request_id=pk,
            saves=number_in(request.POST.get("saves")),
            by=asker.user_id,
            at=asker.now,
            key=request.POST.get("key") or None,
        )
    except UnableToReadRequest as unable:
        kept = draft_of(pk)
        return draft_page(request, row, typed=kept.typed if kept else {}, problems=unable.problems)
    except UnableToMoveRequest as unable:
        return _page(request, row, problem=str(unable))
    messages.success(request, moved.told)
    return redirect("scheduler:exception", pk)


def _page(request: HttpRequest, row: ExceptionRow, problem: str = "") -> HttpResponse:
    asker, kept = asker_on(request), draft_of(row.id) or Draft({}, 0)
    try:
        content = request_content(kept.typed)
    except UnableToReadRequest as unable:
        return draft_page(request, row, typed=kept.typed, problems=unable.problems)
    basis = basis_now(row.pool, kept.typed, asker.now)
    rule = rule_in_force(asker.today)
    context = {
        "section": "exceptions",
        "crumbs": [
            ("Exceptions", reverse("scheduler:exceptions")),
            (f"Request {row.id}", reverse("scheduler:exception-draft", args=[row.id])),
            ("Preview", ""),
        ],
        "row": row,
        "content": content,
        "facts": facts(content),
        "texts": texts(content),
        "figures": live_figures(basis),
        "files": files_of_draft(row.id),
        "chain": _chain(row, content, basis, rule, asker.user_id),
        "rule": rule,
        "saves": kept.saves,
        "problem": problem,
        "key": uuid4(),
    }
    return render(request, "scheduler/exceptions/preview.html", context, status=409 if problem else 200)


def _chain(row: ExceptionRow, content: RequestContent, basis: Basis, rule: Rule | None, user_id: int) -> Chain:
    if rule is None:
        return Chain(why_not="No procurement rule is in force, so nobody has the authority to approve: publish one.")
    same = basis.currency == rule.currency
    amount = max(content.amount, (basis.term_cost if same else None) or Decimal(0))
    try:
        required = required_steps(rule, amount=amount, kind=content.kind)
    except UnableToRoute as unable:
        return Chain(why_not=str(unable))
    held = role_holders(row.team)
    ids = {role: [one.user_id for one in people] for role, people in held.items()}
    named = tuple((step, ", ".join(one.name for one in held[step.role])) for step in required)
    return Chain(named, why_not_enough(required, ids, {user_id, row.requester_id}))
