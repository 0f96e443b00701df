"""One reservation: what it is, what it cost, what was seen of it, and what people said and did."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.charts.terms import bar, calendar_window, place, ticks
from reservations.domain.access import Action, may
from reservations.domain.held_now import ReservationRow
from reservations.domain.period import Period
from reservations.selectors.reservation_detail import (
    BackedPool,
    DatedSize,
    backed_pools,
    dated_sizes,
    raw_fields,
    what_people_did,
)
from reservations.selectors.reservations import UnableToFindReservation, reservation_row
from reservations.selectors.teams import team_names
from reservations.tables.listing import listed
from reservations.tables.reservation_story import ToldChange, clock, console_address, sentence
from reservations.tables.told_events import told_events
from reservations.tables.told_raw import told_raw
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from reservations.views.reservation_cost import told_cost
from reservations.views.timeline import term_of

PROVIDERS = {"aws": "AWS"}


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody sent that could not be kept: shown again in its form with the sentence that says why."""

    form: str = ""
    sentence: str = ""
    texts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Leave:
    """What this person may do with this reservation."""

    note: bool
    edit: bool
    mend: bool
    see_prices: bool


@require_safe
@answers_plainly
def reservation_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """``/reservations/<pk>/``."""
    return detail_page(request, found(request, pk))


def found(request: HttpRequest, pk: int) -> ReservationRow:
    """The reservation of an address as it stands now; UnableToAnswer when there is none this person may see."""
    try:
        zone = zones_on(request).accounting
        return reservation_row(pk=pk, person=person_on(request), as_of=timezone.now(), zone=zone)
    except UnableToFindReservation as unable:
        raise UnableToAnswer(404, "No such reservation", str(unable)) from unable


def leave(request: HttpRequest, row: ReservationRow) -> Leave:
    """What the person of a request may do with a reservation; what is nobody's needs a role for everything."""
    person, seen = person_on(request), row.teams or None
    return Leave(
        note=may(person, Action.NOTE_RESERVATION, seen),
        edit=may(person, Action.EDIT_RESERVATION, row.answering),
        mend=may(person, Action.MEND_MEMBERSHIP, row.answering),
        see_prices=may(person, Action.SEE_PRICES, seen),
    )


def detail_page(request: HttpRequest, row: ReservationRow, *, draft: Draft | None = None) -> HttpResponse:
    """The page; with a draft the status says that something could not be kept."""
    as_of, zones, given = timezone.now(), zones_on(request), leave(request, row)
    sizes, backed = dated_sizes(pk=row.id), seen_pools(request, row)
    context = {
        "section": "reservations",
        "crumbs": [("Reservations", reverse("reservations:list")), (row.external_id, "")],
        "row": row,
        "shown": listed(row, zones.seen, as_of),
        "as_of": as_of,
        "zone": zones.seen,
        "sentence": sentence(row, zones.seen),
        "clock": clock(row, as_of, zones.seen),
        "leave": given,
        "sizes": sizes,
        "backed": backed,
        "cost": told_cost(row, sizes, backed, person_on(request), as_of) if given.see_prices else None,
        "events": events_of(request, row, backed),
        "raw": told_raw(raw_fields(pk=row.id), see_prices=given.see_prices),
        "console": console_address(row),
        "provider": PROVIDERS.get(row.provider, row.provider),
        "month": f"{_last_seen_day(row, as_of).astimezone(zones.accounting):%Y-%m}",
        "teams": team_names() if given.edit else [],
        "draft": draft or Draft(),
        **_drawing(row, sizes, as_of, zones.accounting),
    }
    return render(request, "reservations/detail.html", context, status=400 if draft else 200)


def _last_seen_day(row: ReservationRow, as_of: datetime) -> datetime:
    """An instant in the month to show: the current one once it has two days, or the one in which it ended."""
    return min(filter(None, (as_of - timedelta(days=2), row.end_at, row.missing_since)))


def _drawing(row: ReservationRow, sizes: list[DatedSize], as_of: datetime, zone: tzinfo) -> dict[str, object]:
    """Its term alone, with today."""
    term = term_of(row, [size.span for size in sizes])
    today = as_of.astimezone(zone).date()
    window = _wider(calendar_window("all", today, first=row.start_at, last=term.end_at, zone=zone))
    most = max([row.total_count or 1, *(size.span.instances for size in sizes)])
    return {
        "bar": bar(term, window, most=most, zone=zone),
        "ticks": ticks(window, zone),
        "today": place(as_of, window),
    }


def _wider(window: Period) -> Period:
    """A little room on both sides, so that the first and the last day can be seen."""
    room = (window.end - window.start) / 40
    return Period(window.start - room, window.end + room)


def events_of(request: HttpRequest, row: ReservationRow, backed: list[BackedPool]) -> list[ToldChange]:
    """What people wrote and changed, newest first; prices of its pool for who may see them."""
    person = person_on(request)
    priced = any(one.pool_id == row.pool_id and may(person, Action.SEE_PRICES, one.teams) for one in backed)
    did = what_people_did(pk=row.id, pool_id=row.pool_id if priced else None)
    return told_events(did, row, zones_on(request).seen, see_prices=leave(request, row).see_prices)


def seen_pools(request: HttpRequest, row: ReservationRow) -> list[BackedPool]:
    """The pools it backed; the name of one this person may not see is not told."""
    person = person_on(request)
    return [
        one
        if may(person, Action.SEE_POOL, one.teams)
        else BackedPool(one.pool_id, "", one.gpus_per_node, one.teams, one.start, one.end)
        for one in backed_pools(pk=row.id)
    ]
