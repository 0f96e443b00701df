"""The rule's own numbers beside a draft: of what is typed in it now."""

import json
from collections.abc import Mapping
from datetime import date, datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from reservations.domain.procurement.typed import MOST_NODES
from reservations.selectors.draft import draft_of
from reservations.selectors.pools import pool_named
from reservations.views.answers import answers_plainly
from scheduler.domain.exception.basis import Asked, Basis, frozen_basis
from scheduler.selectors.exception_basis import basis_of
from scheduler.tables.exceptions.figures import Figure, figures_of
from scheduler.views.exceptions.asked import asker_on, found


@require_safe
@answers_plainly
def numbers(request: HttpRequest, pk: int) -> HttpResponse:
    """``/exceptions/<id>/numbers/``: the panel as of now, of the draft as it was saved last; fetched by its page."""
    row = found(request, pk)
    draft = draft_of(pk)
    basis = basis_now(row.pool, draft.typed if draft else {}, asker_on(request).now)
    return render(request, "scheduler/exceptions/numbers.html", {"figures": live_figures(basis)})


def basis_now(pool: str, typed: Mapping[str, str], at: datetime) -> Basis:
    """The rule's numbers beside what a draft says, as far as it can be read."""
    return basis_of(pool=pool_named(pool), as_of=at, asked=asked_of(typed))


def live_figures(basis: Basis) -> list[Figure]:
    """The panel of what would be frozen at this moment."""
    return figures_of(json.loads(frozen_basis(basis, rule_version=None)))


def asked_of(typed: Mapping[str, str]) -> Asked:
    """What a draft asks for; None for what it does not say, or not so that it could be read."""
    nodes = typed.get("nodes", "")
    whole = nodes.isascii() and nodes.isdigit() and len(nodes) <= 6 and int(nodes) <= MOST_NODES
    return Asked(int(nodes) if whole else None, _day(typed.get("term_start", "")), _day(typed.get("term_end", "")))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
