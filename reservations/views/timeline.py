"""The terms of the reservations on one axis of time, by pool, drawn on the server."""

from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.charts.terms import Bar, Piece, Term, bar, calendar_window, place, sum_bar, ticks
from reservations.domain import notation
from reservations.domain.held import SizeSpan
from reservations.domain.held_now import ReservationRow
from reservations.domain.period import Period
from reservations.selectors.reservation_detail import sizes_of
from reservations.selectors.reservations import (
    ReservationTotals,
    reservation_count,
    reservation_extent,
    reservation_rows,
)
from reservations.selectors.standing import UnpaidEnds, unpaid_ends
from reservations.tables.holdings import terms_sheet
from reservations.tables.listing import ListedRow, listed, tone
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asked import Asked, asked_for
from reservations.views.asking import zones_on
from reservations.views.downloads import FORMS, sheet_response
from reservations.views.reservation_list import controls, said_of

RANGES = {"quarter": "this quarter", "year": "twelve months", "all": "all"}
DRAWN = 60
"""So many rows a page: more are more than anybody compares."""


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """One reservation, its bar and the sentence that says the same."""

    shown: ListedRow
    bar: Bar
    words: str


@dataclass(frozen=True, slots=True)
class PoolGroup:
    """The reservations of one pool and what they hold together; ``pool`` blank: they back none."""

    pool: str
    together: tuple[Piece, ...]
    rows: tuple[DrawnRow, ...]


@require_safe
@answers_plainly
def timeline(request: HttpRequest) -> HttpResponse:
    """``/reservations/timeline/?range=quarter|year|all`` with the filters of the list."""
    asked, name = _asked(request)
    zone = zones_on(request).accounting
    unpaid = unpaid_ends()
    every, window = _window(asked, name, zone, unpaid)
    ask = {"person": asked.person, "as_of": asked.as_of, "asked": asked.filter, "during": window, "unpaid": unpaid}
    inside = reservation_count(**ask)
    page = asked.paged(inside, DRAWN)
    rows = reservation_rows(**ask, order="pool", zone=zone, offset=page.start, limit=DRAWN)
    sizes = sizes_of(ids=[row.id for row in rows])
    context = {
        "section": "reservations",
        "asked": asked,
        "place": "timeline",
        "crumbs": [("Reservations", reverse("reservations:list") + asked.address(range="")), ("Timeline", "")],
        "ranges": [(key, label, asked.address(range="" if key == "year" else key)) for key, label in RANGES.items()],
        "range": name,
        "title": f"Terms of the reservations, {RANGES[name]}",
        "groups": _groups(rows, sizes, window, asked, whole=inside <= DRAWN),
        "ticks": ticks(window, zone),
        "today": place(asked.as_of, window),
        "window": window,
        "zone": zone,
        "every": every.count,
        "inside": inside,
        "paged": page,
        "sheet": terms_sheet(rows),
        "stem": f"reservations-terms-{name}-{asked.as_of:%Y-%m-%d}",
        **controls(asked),
        **{form: reverse("reservations:terms", args=[form]) + asked.address() for form in FORMS},
    }
    return render(request, "reservations/timeline.html", context)


@require_safe
@answers_plainly
def timeline_sheet(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/reservations/timeline/terms.csv`` or ``.xlsx``: every term that reaches into the range, by pool."""
    asked, name = _asked(request)
    zone = zones_on(request).accounting
    unpaid = unpaid_ends()
    _, window = _window(asked, name, zone, unpaid)
    ask = {"person": asked.person, "as_of": asked.as_of, "asked": asked.filter, "during": window, "unpaid": unpaid}
    about = (
        ("from", notation.instant(window.start, zone)),
        ("to", notation.instant(window.end, zone)),
        *said_of(asked),
    )
    sheet = terms_sheet(reservation_rows(**ask, order="pool", zone=zone), about)
    return sheet_response(sheet, suffix, f"reservations-terms-{name}-{asked.as_of:%Y-%m-%d}")


def _asked(request: HttpRequest) -> tuple[Asked, str]:
    """The filters and the range of an address; UnableToAnswer for a range there is none of."""
    asked = asked_for(request, as_of=timezone.now(), kept=("range",))
    name = dict(asked.kept)["range"] or "year"
    if name not in RANGES:
        raise UnableToAnswer(400, "No such range", f"“{name}” is no range: use one of {', '.join(RANGES)}.")
    return asked, name


def _window(asked: Asked, name: str, zone: tzinfo, unpaid: UnpaidEnds) -> tuple[ReservationTotals, Period]:
    """All that match, and the time that is drawn."""
    every = reservation_extent(person=asked.person, as_of=asked.as_of, asked=asked.filter, unpaid=unpaid)
    today = asked.as_of.astimezone(zone).date()
    return every, calendar_window(name, today, first=every.first_start_at, last=every.last_end_at, zone=zone)


def _ends(row: ReservationRow) -> datetime | None:
    """Its end, or since when it is no longer listed: what has vanished goes no further."""
    return min(filter(None, (row.end_at, row.missing_since)), default=None)


def _groups(
    rows: list[ReservationRow], sizes: dict[int, list[SizeSpan]], window: Period, asked: Asked, *, whole: bool
) -> list[PoolGroup]:
    terms = {row.id: term_of(row, sizes.get(row.id, [])) for row in rows}
    most = max((span.instances for found in sizes.values() for span in found), default=1)
    most = max([most, *(row.total_count or 0 for row in rows)])
    groups = []
    for pool, members in groupby(rows, key=lambda row: row.pool or ""):
        held = list(members)
        counted = [terms[row.id] for row in held if terms[row.id].look != "bad"]
        together = sum_bar(counted, window, most=_most_together(counted)) if whole and pool else ()
        drawn = tuple(_drawn(row, terms[row.id], window, most, asked) for row in held)
        groups.append(PoolGroup(pool, together, drawn))
    return groups


def _most_together(terms: list[Term]) -> int:
    return sum(max([term.instances or 0, *(size.instances for size in term.sizes)]) for term in terms)


def term_of(row: ReservationRow, sizes: list[SizeSpan]) -> Term:
    """What is drawn of one reservation; what is over long ago has its last size on the way."""
    return Term(
        start_at=row.start_at,
        end_at=_ends(row),
        usable_until=row.usable_until,
        decision_on=None if row.over else row.decision.on,
        instances=row.total_count,
        sizes=tuple(sizes),
        look=tone(row),
    )


def _drawn(row: ReservationRow, term: Term, window: Period, most: int, asked: Asked) -> DrawnRow:
    shown = listed(row, asked.zone, asked.as_of)
    decide = f", decide by {notation.day(row.decision.on)}" if row.decision.on and not row.over else ""
    words = f"{row.external_id}: {shown.size}, {shown.state}, {shown.start} to {shown.end}{decide}"
    return DrawnRow(shown, bar(term, window, most=most, zone=asked.zone), words)
