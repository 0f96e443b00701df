"""Every reservation somebody may see: filtered, ordered and paged by its address."""

from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.access import Action, may, reach
from reservations.selectors.inventory_as_of import inventory_as_of
from reservations.selectors.reservations import (
    ReservationTotals,
    reservation_choices,
    reservation_rows,
    reservation_totals,
)
from reservations.tables.holdings import reservations_sheet
from reservations.tables.listing import KINDS, STATES, listed, number
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asked import NAMES, Asked, asked_for
from reservations.views.asking import zones_on
from reservations.views.columns import NAME as COLUMNS
from reservations.views.columns import columns_asked, told_apart
from reservations.views.downloads import sheet_response

A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Heading:
    """A column to order by: ``turned`` is where a click leads, ``sorted`` how it is ordered now."""

    name: str
    label: str
    turned: str
    sorted: str


@require_safe
@answers_plainly
def reservation_list(request: HttpRequest) -> HttpResponse:
    """``/reservations/?q=&owner=&pool=&state=&kind=&zone=&tag=&order=&columns=&page=``."""
    asked = asked_for(request, as_of=timezone.now())
    known = _columns(asked)
    columns = columns_asked(request, known, at_first=[one for one in AT_FIRST if one in known])
    if plain := told_apart(request, columns):
        return redirect(plain)
    asked = replace(asked, kept=((COLUMNS, columns.asked),))
    totals = reservation_totals(person=asked.person, as_of=asked.as_of, asked=asked.filter)
    page = asked.paged(totals.count, A_PAGE)
    rows = reservation_rows(
        person=asked.person,
        as_of=asked.as_of,
        asked=asked.filter,
        order=asked.order,
        offset=page.start,
        limit=A_PAGE,
        zone=zones_on(request).accounting,
    )
    context = {
        "section": "reservations",
        "asked": asked,
        "rows": [listed(row, asked.zone, asked.as_of) for row in rows],
        "totals": totals,
        "sums": _sums(totals),
        "paged": page,
        "inventory_at": inventory_as_of(),
        "columns": columns,
        "columns_kept": asked.parts(columns="").items(),
        "columns_reset": asked.address(columns=""),
        "lead": 1 + columns.count("whose", "state"),
        "rest": columns.count("start", "end", "decision", "fee", "tags", "arn"),
        "heads": {name: _heading(asked, name, label) for name, label in LABELS.items()},
        **controls(asked),
    }
    return render(request, "reservations/list.html", context)


@require_safe
@answers_plainly
def reservation_sheet(request: HttpRequest, sheet: str, suffix: str) -> HttpResponse:
    """``/reservations/reservations.csv`` or ``.xlsx``: all that match, in the order of the page."""
    if sheet != "reservations":
        raise UnableToAnswer(404, "No such file", f"There is no file “{sheet}” here.")
    asked = asked_for(request, as_of=timezone.now())
    rows = reservation_rows(person=asked.person, as_of=asked.as_of, asked=asked.filter, order=asked.order)
    sheet = reservations_sheet(rows, said_of(asked))
    return sheet_response(sheet, suffix, f"reservations-{asked.as_of:%Y-%m-%d}")


def said_of(asked: Asked) -> tuple[tuple[str, str], ...]:
    """What a file says of itself: as of when, for whom and with which filters."""
    return (
        ("as of", notation.instant(asked.as_of, asked.zone)),
        ("for", asked.person.name),
        *((f"only {word}", value) for word, value in asked.filter.said),
    )


LABELS = {
    "id": "id",
    "kind": "kind",
    "owner": "owner",
    "pool": "pool",
    "state": "state",
    "shape": "size",
    "zone": "zone",
    "gpus": "GPUs",
    "used": "in use",
    "start": "start",
    "end": "end",
    "usable": "usable until",
    "decision": "decide by",
    "fee": "fee",
}


AT_FIRST = ("whose", "state", "size", "gpus", "used", "start", "end", "decision", "fee")
"""The columns that are shown where none are named; the id always is."""


def _columns(asked: Asked) -> dict[str, str]:
    """Every column but the id, by the name it has in the address; the fee for who may see some."""
    words = {
        "whose": "owner and pool",
        "state": "state",
        "size": "size and zone",
        "gpus": "GPUs",
        "used": "in use",
        "start": "start",
        "end": "end",
        "decision": "decide by",
        "fee": "fee",
        "tags": "tags",
        "arn": "ARN",
    }
    if reach(asked.person, Action.SEE_PRICES) == frozenset():
        del words["fee"]
    return words


def _heading(asked: Asked, name: str, label: str) -> Heading:
    now = {name: "ascending", f"-{name}": "descending"}.get(asked.order, "")
    return Heading(name, label, asked.address(order=f"-{name}" if now == "ascending" else name), now)


def _sums(totals: ReservationTotals) -> dict[str, str]:
    return {
        "instances": number(totals.instances),
        "gpus": number(totals.gpus),
        "used": notation.UNKNOWN if totals.used is None else f"{number(totals.used)} of {number(totals.observed)}",
    }


def controls(asked: Asked) -> dict[str, object]:
    """What the form offers, and what this person may do besides reading."""
    choices = reservation_choices(person=asked.person, as_of=asked.as_of)
    return {
        "choices": choices,
        "names": NAMES,
        "states": [(state.value, word) for state, word in STATES.items() if state.value in choices.states],
        "kinds": [(kind.value, word) for kind, word in KINDS.items() if kind.value in choices.kinds],
        "csv": reverse("reservations:sheet", args=["reservations", "csv"]) + asked.address(),
        "xlsx": reverse("reservations:sheet", args=["reservations", "xlsx"]) + asked.address(),
        "may_enter": reach(asked.person, Action.EDIT_RESERVATION) != frozenset(),
        "may_import": may(asked.person, Action.EDIT_RESERVATION),
        "may_see_prices": reach(asked.person, Action.SEE_PRICES) != frozenset(),
    }
