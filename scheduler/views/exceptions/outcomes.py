"""What became of approvals: purchases beside them, and ninety days later the claim beside the ledger."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.access import Action, may, may_somewhere
from reservations.domain.procurement.matching import FATE_WORDS, Fate
from reservations.domain.procurement.request_state import RequestState
from reservations.selectors.exceptions import is_seen
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.downloads import sheet_response
from scheduler.selectors.exception_outcomes import exception_outcomes
from scheduler.selectors.exception_purchases import Purchase, purchases
from scheduler.tables.exceptions.purchases import TONES, counts, ordered, pool_of, purchases_sheet
from scheduler.views.exceptions.asked import Asker, asker_on, found

FATES = {fate.value: FATE_WORDS[fate] for fate in Fate}


@require_safe
@answers_plainly
def exception_purchases(request: HttpRequest) -> HttpResponse:
    """``/exceptions/purchases/?fate=unapproved_purchase``: each approval and each purchase once."""
    asker, fate = asker_on(request), _fate(request)
    every = _seen(asker)
    shown = [one for one in every if fate in ("", one.fate.value)]
    context = {
        "section": "exceptions",
        "crumbs": [("Exceptions", reverse("scheduler:exceptions")), ("Purchases", "")],
        "fate": fate,
        "counts": counts(every),
        "lines": [(one, FATE_WORDS[one.fate], TONES[one.fate], pool_of(one)) for one in shown],
        "any": bool(every),
        "query": f"?fate={fate}" if fate else "",
        "sees": may_somewhere(asker.person, Action.SEE_EXCEPTION),
    }
    return render(request, "scheduler/exceptions/purchases.html", context)


@require_safe
@answers_plainly
def purchases_download(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/exceptions/purchases.csv`` with the page's own filter: the same rows."""
    asker, fate = asker_on(request), _fate(request)
    rows = [one for one in _seen(asker) if fate in ("", one.fate.value)]
    about = (
        ("as of", notation.instant(asker.now, asker.zone)),
        ("what became of it", FATES.get(fate, "any")),
        ("user", asker.person.name),
    )
    return sheet_response(purchases_sheet(rows, about=about), suffix, f"moorage-purchases-{asker.now:%Y-%m-%d}")


@require_safe
@answers_plainly
def exception_outcome(request: HttpRequest, pk: int) -> HttpResponse:
    """``/exceptions/<id>/outcome/``: the claim beside the ledger, for good after ninety days, until then so far."""
    row, asker = found(request, pk), asker_on(request)
    if row.state is not RequestState.EXECUTED:
        raise UnableToAnswer(404, "No outcome", f"Request {pk} was not bought, so there is nothing to compare.")
    told = exception_outcomes([row], as_of=asker.now)[0]
    context = {
        "section": "exceptions",
        "crumbs": [
            ("Exceptions", reverse("scheduler:exceptions")),
            (f"Request {pk}", reverse("scheduler:exception", args=[pk])),
            ("Outcome", ""),
        ],
        "row": row,
        "told": told,
        "outcome": told.outcome,
    }
    return render(request, "scheduler/exceptions/outcome.html", context)


def _seen(asker: Asker) -> list[Purchase]:
    """Those of which this person may see the request, and the reservation where there is no request."""
    if not may_somewhere(asker.person, Action.SEE_EXCEPTION):
        return []
    return ordered([one for one in purchases(as_of=asker.now) if _is_seen(one, asker)])


def _is_seen(one: Purchase, asker: Asker) -> bool:
    if one.request is not None:
        return is_seen(one.request, asker.person, asker.user_id)
    return one.reservation is not None and may(asker.person, Action.SEE_RESERVATION, one.reservation.teams)


def _fate(request: HttpRequest) -> str:
    text = request.GET.get("fate", "").strip()
    if text and text not in FATES:
        raise UnableToAnswer(400, "Narrowed by what?", f"{quoted(text)} is no such fate: use {', '.join(FATES)}.")
    return text
