"""The price book: what is paid for what, since when and as who says, and the rates between currencies."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from reservations.domain.access import Action, may, may_somewhere
from reservations.domain.period import UTC, month_period
from reservations.selectors.exchange import latest_rates
from reservations.selectors.pools import pool_rows
from reservations.selectors.price_book import PriceBook, price_book
from reservations.services.price_book import UnableToEnter, enter_price, enter_rate, read_price, read_rate
from reservations.tables.price_book import as_entered, book_warnings, changes_sheet, quotes_sheet, rates_sheet
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from reservations.views.downloads import sheet_response
from reservations.views.paging import page_asked, paged

PRICE_FIELDS = ("pool", "shape", "from", "to", "on_demand", "reserved", "spot", "flex", "currency", "unit", "source")
RATE_FIELDS = ("from", "to", "day", "rate", "source")
RATES = 50
A_PAGE = 50
"""How many quotes stand on one page."""
NAMES = {"source_currency": "from", "target_currency": "to", "start": "from", "end": "to"}


@require_http_methods(["GET", "HEAD", "POST"])
@answers_plainly
def prices(request: HttpRequest) -> HttpResponse:
    """``/prices/``: the book; POST enters a quote or, with ``what=rate``, an exchange rate."""
    if request.method != "POST":
        return _page(request)
    if not may(person_on(request), Action.EDIT_PRICES):
        sentence = "Entering prices needs the role of analyst or admin for the whole organisation."
        raise UnableToAnswer(403, "Not yours to enter", sentence)
    rate = request.POST.get("what") == "rate"
    texts = {name: request.POST.get(name, "") for name in (RATE_FIELDS if rate else PRICE_FIELDS)}
    try:
        said = _enter_rate(request, texts) if rate else _enter_price(request, texts)
    except UnableToEnter as unable:
        problems = {NAMES.get(name, name): told for name, told in unable.problems.items()}
        return _page(request, **{"rate" if rate else "price": (texts, problems)})
    messages.success(request, said)
    return redirect("reservations:prices")


@require_safe
@answers_plainly
def prices_sheet(request: HttpRequest, sheet: str, suffix: str) -> HttpResponse:
    """``/prices/quotes.csv``, ``/prices/changes.xlsx``, ``/prices/rates.csv``."""
    built = {
        "quotes": lambda: quotes_sheet(_book(request)),
        "changes": lambda: changes_sheet(_book(request)),
        "rates": lambda: rates_sheet(_seen(request) and latest_rates(limit=10_000)),
    }.get(sheet)
    if built is None:
        sentence = f"There is no table “{sheet[:40]}” of prices: quotes, changes or rates."
        raise UnableToAnswer(404, "No such table", sentence)
    return sheet_response(built(), suffix, f"moorage-{sheet}-{timezone.now():%Y-%m-%d}")


def _enter_price(request: HttpRequest, texts: Mapping[str, str]) -> str:
    entry = read_price(texts)
    changes = enter_price(entry=entry, cut="cut" in request.POST, entered_by=request.user.username)
    told = ", ".join(f"{change.name} {change.outcome}" for change in changes)
    return f"Entered: {told}. Months are told at the new price from their next page on."


def _enter_rate(request: HttpRequest, texts: Mapping[str, str]) -> str:
    entry = read_rate(texts)
    created = enter_rate(entry=entry, entered_by=request.user.username)
    how = "entered" if created else "entered in place of the one there was"
    return f"The rate from {entry.source_currency} to {entry.target_currency} of {entry.day} is {how}."


def _seen(request: HttpRequest) -> bool:
    """That this person may see prices of something; UnableToAnswer otherwise."""
    if not may_somewhere(person_on(request), Action.SEE_PRICES):
        raise UnableToAnswer(403, "Not yours to see", "Your role does not include prices.")
    return True


def _book(request: HttpRequest) -> PriceBook:
    _seen(request)
    return price_book(person=person_on(request), pools=pool_rows(), period=month_period(_month(), UTC))


def _month() -> date:
    return timezone.now().astimezone(UTC).date().replace(day=1)


Typed = tuple[Mapping[str, str], Mapping[str, str]]
"""What was typed and what is wrong with it, by field."""


def _page(request: HttpRequest, *, price: Typed | None = None, rate: Typed | None = None) -> HttpResponse:
    book, month, rates = _book(request), _month(), latest_rates(limit=RATES)
    today = timezone.now().astimezone(UTC).date()
    following = (month + timedelta(days=32)).replace(day=1)
    quotes = quotes_sheet(book)
    page = paged(page_asked(request), count=len(quotes.rows), a_page=A_PAGE, address=lambda at: f"?page={at}#quotes")
    context = {
        "section": "prices",
        "crumbs": [("Price book", "")],
        "quotes": as_entered(replace(quotes, rows=quotes.rows[page.start : page.end])),
        "paged": page,
        "changes": as_entered(changes_sheet(book)),
        "rates": as_entered(rates_sheet(rates)),
        "warnings": book_warnings(book, first=month, following=following, today=today),
        "month": month,
        "seen": zones_on(request).seen,
        "editable": may(person_on(request), Action.EDIT_PRICES),
        "pools": book.pools,
        "price": _fields(PRICE_FIELDS, price),
        "rate": _fields(RATE_FIELDS, rate),
        "price_problem": price[1].get("", "") if price else "",
        "rate_problem": rate[1].get("", "") if rate else "",
        "cut": "cut" in request.POST,
        "today": today,
    }
    return render(request, "reservations/prices.html", context, status=400 if price or rate else 200)


def _fields(names: tuple[str, ...], typed: Typed | None) -> dict[str, dict[str, str]]:
    texts, problems = typed or ({}, {})
    keys = {name: "start" if name == "from" else name for name in names}
    return {
        keys[name]: {"name": name, "text": texts.get(name, ""), "problem": problems.get(name, "")} for name in names
    }
