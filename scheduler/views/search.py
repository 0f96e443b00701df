"""One box for everything: reservations, pools, teams, pods, words and pages, as far as somebody may see them."""

from datetime import datetime, tzinfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.access import Action, Person, may, reach
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.selectors.search import FoundReservation, reservations_like
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from scheduler.selectors.alerts import EpisodeFilter, episodes
from scheduler.tables.alerts.rules import rule_title
from scheduler.tables.hits import A_GROUP, Group, Hit, group, owner_hits, page_hits, pool_hits, term_hits
from telemetry.selectors.details import FoundPod, pods_named

LONGEST = 200


@require_safe
@answers_plainly
def search(request: HttpRequest) -> HttpResponse:
    """``/search/?q=``: what was found by kind; the one exact id of a reservation or name of a pool leads to it."""
    text = _text(request)
    person = person_on(request)
    groups = _groups(text, person, request) if text else []
    exact = [hit for found in groups for hit in found.hits if hit.exact]
    if len(exact) == 1:
        return redirect(address(exact[0]))
    shown = [(found, [(hit, address(hit)) for hit in found.hits]) for found in groups if found.hits]
    context = {"searched": text, "groups": shown, "person": person}
    return render(request, "scheduler/search.html", context)


def address(hit: Hit) -> str:
    """Where a hit leads."""
    query = f"?{urlencode(hit.query)}" if hit.query else ""
    return reverse(hit.page, kwargs=dict(hit.of)) + query + (f"#{hit.anchor}" if hit.anchor else "")


def _text(request: HttpRequest) -> str:
    text = " ".join(request.GET.get("q", "").replace("\0", " ").split())
    if len(text) > LONGEST:
        raise UnableToAnswer(400, "That is too long", f"A search may have {LONGEST} characters, not {len(text)}.")
    return text


def _groups(text: str, person: Person, request: HttpRequest) -> list[Group]:
    as_of = timezone.now()
    pools = [pool for pool in pool_rows() if may(person, Action.SEE_POOL, pool.teams)]
    return [
        group("Reservations", _reservations(text, person, as_of)),
        group("Pools", pool_hits(text, pools)),
        group("Alerts", _alerts(text, person)),
        group("Owners", owner_hits(text, pools)),
        group("Pods", _pods(text, pools, zones_on(request).seen)),
        group("Words", term_hits(text)),
        group("Pages", page_hits(text)),
    ]


def _reservations(text: str, person: Person, as_of: datetime) -> list[Hit]:
    found = reservations_like(text=text, person=person, as_of=as_of, limit=A_GROUP + 1)
    return [
        Hit(
            one.external_id,
            _about_reservation(one),
            "reservations:detail",
            of=(("pk", one.id),),
            exact=text in (one.external_id, one.arn),
        )
        for one in found
    ]


def _alerts(text: str, person: Person) -> list[Hit]:
    """Live ones, the most pressing first, and by nothing that would tell what they cost."""
    wanted = EpisodeFilter(text=text, order="pressing")
    found = episodes(wanted, teams=reach(person, Action.SEE_RESERVATION), end=A_GROUP + 1)
    return [
        Hit(
            f"{rule_title(one.rule)}: {one.subject}",
            f"{one.severity}, {one.state}: {one.summary}",
            "scheduler:alert",
            of=(("pk", one.id),),
        )
        for one in found
    ]


def _about_reservation(one: FoundReservation) -> str:
    told = [one.state, f"backs {one.pool}" if one.pool else "backs no pool"]
    told.append(f"owned by {one.owner}" if one.owner else "unowned")
    return ", ".join([*told, f"tag {one.tag}"] if one.tag else told)


def _pods(text: str, pools: list[PoolRow], zone: tzinfo) -> list[Hit]:
    found = pods_named(text=text, pool_ids=[pool.id for pool in pools], limit=A_GROUP + 1) if pools else []
    return [_pod(one, zone) for one in found]


def _pod(one: FoundPod, zone: tzinfo) -> Hit:
    words = f"last on GPUs of {one.pool} at {notation.instant(one.last_hour, zone)}"
    hour = f"{one.last_hour:%Y-%m-%dT%H}"
    return Hit(f"{one.namespace}/{one.pod}", words, "telemetry:pool-hour", of=(("name", one.pool), ("hour", hour)))
