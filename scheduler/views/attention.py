"""The front page: what needs a decision or a look, and every pool in one line."""

from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.access import Role
from reservations.tables.sheet import Sheet
from reservations.views.answers import UnableToAnswer, answers_plainly, no_such_owner
from reservations.views.asking import person_on, zones_on
from reservations.views.downloads import sheet_response
from reservations.views.paging import page_asked, paged
from scheduler.domain.attention.item import Item
from scheduler.domain.policy import DEFAULT_POLICY
from scheduler.selectors.attention import attention_items
from scheduler.selectors.facts import Facts, facts_for
from scheduler.tables import items as item_table
from scheduler.tables.portfolio import SORTS, Line, in_order, portfolio, whole
from scheduler.tables.portfolio_sheet import portfolio_sheet, shown
from scheduler.tables.reach import reach
from scheduler.tables.wording import breakdown, headline
from scheduler.views.addresses import Heading, address, headings

TOLD = 20
"""How many things are listed at once: more than anybody does in a morning."""

A_PAGE = 25
"""How many pools stand on one page."""


@dataclass(frozen=True, slots=True)
class Front:
    """What the front page was asked for and found."""

    facts: Facts
    items: list[Item]
    lines: list[Line]
    sort: str
    query: dict[str, str]


@require_safe
@answers_plainly
def attention(request: HttpRequest) -> HttpResponse:
    """``/?owner=NAME&sort=COLUMN&page=2``: what costs most first, then the pools."""
    front = _front(request)
    facts, zone = front.facts, front.facts.zone
    told = front.items if request.GET.get("items") == "all" else front.items[:TOLD]
    page = paged(page_asked(request), count=len(front.lines), a_page=A_PAGE, address=lambda at: _page(front, at))
    context = {
        "section": "attention",
        "facts": facts,
        "zone": zone,
        "reach": reach(facts),
        "headline": headline(front.items),
        "breakdown": breakdown(front.items),
        "items": [(row, address(row.step)) for row in item_table.rows(told, as_of=facts.as_of, zone=zone)],
        "more": len(front.items) - len(told),
        "all_items": f"?{urlencode({**front.query, 'items': 'all'})}",
        "collected": any(line.shown.hours or line.last.reserved for line in front.lines),
        "headings": _headings(front),
        "paged": page,
        "lines": [shown(line, zone, facts.policy) for line in front.lines[page.start : page.end]],
        "adjusted": any(line.adjusted is not None for line in front.lines),
        "whole": shown(whole(facts, front.lines), zone, facts.policy),
        "sort": front.sort,
        "downloads": f"?{urlencode(front.query)}" if front.query else "",
    }
    return render(request, "scheduler/attention.html", context)


@require_safe
@answers_plainly
def attention_sheet(request: HttpRequest, sheet: str, suffix: str) -> HttpResponse:
    """``/attention/items.csv``, ``/attention/pools.xlsx``: the same figures with every digit, filtered the same."""
    front = _front(request)
    sheets = {"items": _items, "pools": _pools}
    if sheet not in sheets:
        raise UnableToAnswer(404, "No such table", f"There is no table “{sheet}” of the front page: items or pools.")
    stem = f"moorage-{sheet}-{front.facts.as_of:%Y-%m-%d}"
    return sheet_response(sheets[sheet](front), suffix, stem)


def _front(request: HttpRequest) -> Front:
    owner, sort = request.GET.get("owner", ""), request.GET.get("sort", "")
    if sort and sort.removeprefix("-") not in SORTS:
        raise UnableToAnswer(400, "Sorted by what?", f"“{sort}” is no column: sort by {', '.join(SORTS)}.")
    person = person_on(request)
    facts = facts_for(
        person=person, as_of=timezone.now(), zone=zones_on(request).accounting, owner=owner, policy=DEFAULT_POLICY
    )
    if owner and owner not in facts.owners:
        raise no_such_owner(owner)
    own = frozenset(grant.team for grant in person.grants if grant.role is Role.OWNER and grant.team)
    query = {key: value for key, value in (("owner", owner), ("sort", sort)) if value}
    lines = in_order(portfolio(facts, own_teams=own), sort)
    return Front(facts, attention_items(facts), lines, sort, query)


def _page(front: Front, page: int) -> str:
    return f"?{urlencode({**front.query, 'page': page})}#pools"


def _items(front: Front) -> Sheet:
    return item_table.items_sheet(front.items, _about(front))


def _pools(front: Front) -> Sheet:
    return portfolio_sheet(front.lines, front.facts.months, _about(front))


def _about(front: Front) -> tuple[tuple[str, str], ...]:
    facts = front.facts
    return (
        ("as of", notation.instant(facts.as_of, facts.zone)),
        ("accounting zone", notation.zone_name(facts.zone)),
        ("owner", facts.owner or "all that may be seen"),
        ("user", facts.person.name),
    )


def _headings(front: Front) -> list[Heading]:
    rest = {key: value for key, value in front.query.items() if key != "sort"}
    found = headings(front.sort, rest)
    month = notation.month(front.facts.months.last_full).split()[0]
    return [replace(one, label=f"points against {month}") if one.key == "trend" else one for one in found]
