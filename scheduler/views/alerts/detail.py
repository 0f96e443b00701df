"""One alert: what, since when, what it costs, why probably, what to do, and all that became of it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from reservations.domain.access import Action, may
from reservations.selectors.granted import people_who_may
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from scheduler.domain.alert.episode import MOVES, EpisodeState
from scheduler.domain.alert.put_off import LABELS, UnableToPutOff
from scheduler.selectors.alerts import EpisodeDetail, EpisodeRow, episode_detail
from scheduler.services.alerts import UnableToMove, comment_on_alert
from scheduler.tables.alerts.lines import line, lines
from scheduler.tables.alerts.moved import moved_words
from scheduler.tables.alerts.numbers import numbers_seen
from scheduler.tables.alerts.rules import rules
from scheduler.tables.alerts.story import story
from scheduler.views.addresses import address
from scheduler.views.alerts.asked import seen_teams
from scheduler.views.alerts.drawn import drawn_around
from scheduler.views.alerts.moves import moved_by

OF_BLOCKS = frozenset({"block_ending", "block_starting_unused", "extension_closing"})
"""Rules about blocks: beside their next step stands the block's clock."""

TO = {
    "acknowledge": EpisodeState.ACKNOWLEDGED,
    "snooze": EpisodeState.SNOOZED,
    "resolve": EpisodeState.RESOLVED,
    "open": EpisodeState.OPEN,
}


@require_safe
@answers_plainly
def alert(request: HttpRequest, pk: int) -> HttpResponse:
    """``/alerts/<id>/``."""
    return alert_page(request, found(request, pk))


@require_POST
@answers_plainly
def move_alert(request: HttpRequest, pk: int, move: str) -> HttpResponse:
    """``/alerts/<id>/acknowledge/``, ``…/snooze/``, ``…/assign/``, ``…/comment/``, ``…/resolve/`` or ``…/open/``."""
    detail = found(request, pk)
    person = person_on(request)
    if not may(person, Action.HANDLE_ALERT, detail.row.teams or None):
        said = f"You may see what is wrong with {detail.row.subject}, and none of your roles lets you handle it."
        raise UnableToAnswer(403, "Not yours to handle", said)
    try:
        if move == "comment":
            comment_on_alert(pk=pk, text=request.POST.get("text", ""), by=person.name, at=timezone.now())
            messages.success(request, "Your comment is kept.")
        else:
            moved = moved_by(request, move, [pk])
            level = messages.success if moved.moved else messages.warning
            level(request, moved_words(move, moved, to=request.POST.get("to", "")))
    except (UnableToMove, UnableToPutOff) as unable:
        return alert_page(request, detail, problem=str(unable), form=move)
    return redirect("scheduler:alert", pk)


def found(request: HttpRequest, pk: int) -> EpisodeDetail:
    """The alert of an address, if it may be seen; UnableToAnswer otherwise, whichever it is."""
    detail = episode_detail(pk=pk, reader=person_on(request), teams=seen_teams(person_on(request)))
    if detail is None:
        raise UnableToAnswer(404, "No such alert", f"There is no alert {pk}, or it is of a team whose you may not see.")
    return detail


def alert_page(request: HttpRequest, detail: EpisodeDetail, *, problem: str = "", form: str = "") -> HttpResponse:
    """The page; with a problem beside the form it is of, and what was sent in it."""
    row, person, as_of, zone = detail.row, person_on(request), timezone.now(), zones_on(request).seen
    shown = line(row, person=person, as_of=as_of, zone=zone)
    rule = rules().get(row.rule)
    context = {
        "section": "alerts",
        "crumbs": [("Alerts", reverse("scheduler:alerts")), (shown.title, "")],
        "row": row,
        "shown": shown,
        "rule": rule,
        "next": _next(row),
        "clock": row.reservation_id if row.rule in OF_BLOCKS else None,
        "numbers": numbers_seen(row, person),
        "drawn": drawn_around(row, person, as_of=as_of, zone=zone),
        "story": story(detail, zone),
        "earlier": lines(detail.earlier, person=person, as_of=as_of, zone=zone),
        "people": _people(row) if shown.movable else [],
        "can": {move for move, to in TO.items() if to in MOVES[row.state]} if shown.movable else set(),
        "may_write": may(person, Action.HANDLE_ALERT, row.teams or None),
        "until": [(one.value, label) for one, label in LABELS.items()],
        "problem": problem,
        "form": form,
        "sent": {name: request.POST.get(name, "") for name in ("text", "note", "at", "to")} if problem else {},
        "zone": zone,
        "me": person.name,
    }
    return render(request, "scheduler/alerts/alert.html", context, status=422 if problem else 200)


def _people(row: EpisodeRow) -> list[str]:
    """Who may handle it, so that it can be given to them."""
    return [one.name for one in people_who_may(Action.HANDLE_ALERT) if may(one, Action.HANDLE_ALERT, row.teams or None)]


def _next(row: EpisodeRow) -> str:
    """Where its next step is taken; blank where that page is no longer there."""
    try:
        return address(row.next_step)
    except NoReverseMatch:
        return ""
