"""Renewals: a list by end, and each one with what is possible, its decision, its plan and every move's evidence."""

from dataclasses import dataclass, field
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.access import Action, reach
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from reservations.views.downloads import sheet_response
from reservations.views.paging import page_asked, paged
from scheduler.domain.renewal.possible import LONGEST_BLOCK
from scheduler.domain.renewal.standing import AT_END_WORDS, AtEnd, Choice, RenewalState, ResumeTest
from scheduler.domain.renewal.words import nodes_words
from scheduler.selectors.renewals import (
    RenewalRow,
    may_decide,
    plans_of,
    renewal_row,
    renewal_rows,
    sees_money,
    steps_of,
)
from scheduler.tables.renewals.shown import list_headline, plan_words, shown, step_shown, ways_shown
from scheduler.tables.renewals.told import renewals_sheet
from scheduler.views.renewals_asked import STATES, WITHIN, renewals_asked

A_PAGE = 40
"""How many renewals stand on one page."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody sent that could not be done: the form, the sentence that says why, and what was typed."""

    form: str = ""
    sentence: str = ""
    texts: dict[str, str] = field(default_factory=dict)


@require_safe
@answers_plainly
def renewals(request: HttpRequest) -> HttpResponse:
    """``/renewals/?owner=serving&state=proposed&within=30``: every end that is decided about, by the next end."""
    person, asked, now = person_on(request), renewals_asked(request), timezone.now()
    every, zone = _rows(request, now), zones_on(request).accounting
    today = now.astimezone(zone).date()
    lines = [
        shown(row, prices=sees_money(person, row), today=today, zone=zones_on(request).seen)
        for row in asked.rows(every, today, zone)
    ]
    page = paged(page_asked(request), count=len(lines), a_page=A_PAGE, address=lambda at: _page(asked.query, at))
    context = {
        "section": "renewals",
        "paged": page,
        "asked_for": asked,
        "owners": sorted({row.reservation.owner for row in every if row.reservation.owner}),
        "states": STATES,
        "within": WITHIN,
        "lines": lines[page.start : page.end],
        "headline": list_headline(lines),
        "any": bool(every),
    }
    return render(request, "scheduler/renewals/list.html", context)


@require_safe
@answers_plainly
def renewals_download(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/renewals/renewals.csv`` with the list's own query: the same rows, every digit."""
    person, asked, now = person_on(request), renewals_asked(request), timezone.now()
    zone = zones_on(request).accounting
    today = now.astimezone(zone).date()
    about = (
        ("as of", notation.instant(now, zone)),
        ("owner", asked.owner or "all that may be seen"),
        ("state", asked.state or "any but superseded"),
        ("due within days", asked.within or "any"),
        ("user", person.name),
    )
    rows = [(row, sees_money(person, row)) for row in asked.rows(_rows(request, now), today, zone)]
    return sheet_response(renewals_sheet(rows, today=today, about=about), suffix, f"moorage-renewals-{now:%Y-%m-%d}")


@require_safe
@answers_plainly
def renewal(request: HttpRequest, pk: int) -> HttpResponse:
    """``/renewals/<id>/``."""
    return renewal_page(request, found(request, pk))


def found(request: HttpRequest, pk: int) -> RenewalRow:
    """The renewal of an address, if its reservation may be seen; UnableToAnswer otherwise."""
    seen_by = reach(person_on(request), Action.SEE_RESERVATION)
    row = renewal_row(pk=pk, as_of=timezone.now(), zone=zones_on(request).accounting, seen_by=seen_by)
    if row is None:
        said = f"There is no renewal {pk}, or it is of a reservation that you may not see."
        raise UnableToAnswer(404, "No such renewal", said)
    return row


def renewal_page(request: HttpRequest, row: RenewalRow, *, draft: Draft | None = None) -> HttpResponse:
    """The page of one renewal; with a draft the status says that something could not be done."""
    person, zones, now = person_on(request), zones_on(request), timezone.now()
    prices, today = sees_money(person, row), now.astimezone(zones.accounting).date()
    told = shown(row, prices=prices, today=today, zone=zones.seen)
    plans = plans_of(renewal_id=row.id)
    context = {
        "section": "renewals",
        "crumbs": [("Renewals", reverse("scheduler:renewals")), (f"{told.name}, {notation.day(row.end_at)}", "")],
        "row": row,
        "shown": told,
        "ways": ways_shown(row, now, zones.seen),
        "choices": {choice.value for choice in row.possible.choices},
        "held": nodes_words(row.reservation.nodes),
        "until": _until(row),
        "may_decide": may_decide(person, row),
        "steps": [step_shown(step, prices=prices) for step in steps_of(renewal_id=row.id)],
        "plan": plan_words(row.plan),
        "plans": [(plan, plan_words(plan)) for plan in plans],
        "at_end": {one.value: AT_END_WORDS[one] for one in AtEnd},
        "tests": [one.value for one in ResumeTest],
        "today": today,
        "decidable": row.state is RenewalState.PROPOSED,
        "revisable": row.state is RenewalState.DECIDED,
        "plannable": row.state is not RenewalState.SUPERSEDED,
        "draft": draft or Draft(),
    }
    return render(request, "scheduler/renewals/detail.html", context, status=422 if draft else 200)


def _page(query: str, page: int) -> str:
    return f"{query}{'&' if query else '?'}page={page}"


def _rows(request: HttpRequest, now: datetime) -> list[RenewalRow]:
    seen_by = reach(person_on(request), Action.SEE_RESERVATION)
    return renewal_rows(as_of=now, zone=zones_on(request).accounting, seen_by=seen_by)


def _until(row: RenewalRow) -> str:
    """What the form offers as the new end: as long as the last term, where that can be bought."""
    term = row.term
    if row.choice is Choice.LAPSE or term is None:
        return ""
    return f"{row.end_at + min(term, LONGEST_BLOCK):%Y-%m-%dT%H:%M}"
