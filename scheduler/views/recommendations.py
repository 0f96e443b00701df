"""The recommendations: a list with most money first, and each one with its evidence."""

from dataclasses import dataclass
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.access import Action as Leave
from reservations.domain.access import Person, may
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on, zones_on
from reservations.views.downloads import sheet_response
from scheduler.domain.recommendation.decision import Action
from scheduler.domain.recommendation.standing import WORDS, Standing
from scheduler.selectors.past_advice import purchases_of
from scheduler.selectors.recommendations import (
    RecommendationRow,
    recommendation_with,
    recommendations_in_force,
    revisions_of,
)
from scheduler.tables.recommendations.shown import Shown, evidence_facts, history, list_headline, shown, sizes_shown
from scheduler.tables.recommendations.told import recommendations_sheet

FILTERS = {"action": {one.value: one.value for one in Action}, "state": {one.value: WORDS[one] for one in Standing}}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the list was asked for: blank is any."""

    pool: str
    action: str
    state: str

    @property
    def query(self) -> str:
        """``?…`` of it, blank where nothing is narrowed."""
        kept = {
            name: text for name, text in (("pool", self.pool), ("action", self.action), ("state", self.state)) if text
        }
        return f"?{urlencode(kept)}" if kept else ""


@require_safe
@answers_plainly
def recommendations(request: HttpRequest) -> HttpResponse:
    """``/recommendations/?pool=serve-h100&action=shrink&state=open``: what is in force, most money first."""
    person, pools = person_on(request), visible_pools(request)
    asked, rows = _asked(request, pools)
    lines = [_shown(person, row) for row in rows]
    context = {
        "section": "sizing",
        "asked_for": asked,
        "pools": pools,
        "actions": FILTERS["action"],
        "states": FILTERS["state"],
        "lines": lines,
        "headline": list_headline(lines),
        "any_pool": bool(pools),
        "zone": zones_on(request).seen,
    }
    return render(request, "scheduler/recommendations/list.html", context)


@require_safe
@answers_plainly
def recommendations_download(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/recommendations/recommendations.csv`` with the list's own query: the same rows, every digit."""
    person = person_on(request)
    asked, rows = _asked(request, visible_pools(request))
    about = (
        ("as of", notation.instant(timezone.now(), zones_on(request).accounting)),
        ("pool", asked.pool or "all that may be seen"),
        ("action", asked.action or "any"),
        ("state", asked.state or "any"),
        ("user", person.name),
    )
    sheet = recommendations_sheet([(row, sees_prices(person, row.pool)) for row in rows], about)
    return sheet_response(sheet, suffix, f"moorage-recommendations-{timezone.now():%Y-%m-%d}")


@require_safe
@answers_plainly
def recommendation(request: HttpRequest, pk: int) -> HttpResponse:
    """``/recommendations/<id>/``: sizes, which decides and why, money, what the provider allows, evidence, history."""
    return recommendation_page(request, found(request, pk))


def recommendation_page(
    request: HttpRequest, row: RecommendationRow, *, problem: str = "", reason: str = ""
) -> HttpResponse:
    """The page of one recommendation, with what was wrong with a form that was sent."""
    person, zone = person_on(request), zones_on(request).seen
    prices = sees_prices(person, row.pool)
    context = {
        "section": "sizing",
        "row": row,
        "shown": _shown(person, row),
        "sizes": sizes_shown(row),
        "facts": evidence_facts(row, prices=prices, zone=zone),
        "history": [(one, _shown(person, one)) for one in history(row, revisions_of(pool=row.pool))],
        "purchases": purchases_of(pool=row.pool, as_of=timezone.now(), zone=zones_on(request).accounting),
        "may_decide": may(person, Leave.DECIDE, row.pool.teams),
        "moves": row.open,
        "prices": prices,
        "problem": problem,
        "key": uuid4(),
        "reason": reason,
        "zone": zone,
    }
    return render(request, "scheduler/recommendations/detail.html", context, status=422 if problem else 200)


def found(request: HttpRequest, pk: int) -> RecommendationRow:
    """The recommendation of an address, if its pool may be seen; UnableToAnswer otherwise."""
    row = recommendation_with(pk=pk, pools=visible_pools(request))
    if row is None:
        said = f"There is no recommendation {pk}, or it is of a pool that you may not see."
        raise UnableToAnswer(404, "No such recommendation", said)
    return row


def visible_pools(request: HttpRequest) -> list[PoolRow]:
    """Every pool that this person may see, by name."""
    person = person_on(request)
    return [pool for pool in pool_rows() if may(person, Leave.SEE_POOL, pool.teams)]


def sees_prices(person: Person, pool: PoolRow) -> bool:
    """Whether a person may see what a pool costs."""
    return may(person, Leave.SEE_PRICES, pool.teams)


def _shown(person: Person, row: RecommendationRow) -> Shown:
    return shown(row, prices=sees_prices(person, row.pool), today=timezone.now().date())


def _asked(request: HttpRequest, pools: list[PoolRow]) -> tuple[Asked, list[RecommendationRow]]:
    asked = Asked(*(request.GET.get(name, "").strip() for name in ("pool", "action", "state")))
    for name, text in (("action", asked.action), ("state", asked.state)):
        if text and text not in FILTERS[name]:
            words = ", ".join(FILTERS[name])
            raise UnableToAnswer(400, "Narrowed by what?", f"{quoted(text)} is no {name}: choose one of {words}.")
    if asked.pool and asked.pool not in {pool.name for pool in pools}:
        said = f"There is no pool {quoted(asked.pool)}, or it belongs to a team whose pools you may not see."
        raise UnableToAnswer(404, "No such pool", said)
    rows = [
        row
        for row in recommendations_in_force(pools=pools)
        if asked.pool in ("", row.pool.name)
        and asked.action in ("", row.action.value)
        and asked.state in ("", row.standing.value)
    ]
    person = person_on(request)
    if not all(sees_prices(person, row.pool) for row in rows):
        rows.sort(key=lambda row: (not row.open, row.pool.name))
    return asked, rows
