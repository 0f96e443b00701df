"""What people do about alerts, by POST and safe to send twice: several from the inbox, or one from its page."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from reservations.domain.access import Action, Person, may
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on, zones_on
from scheduler.domain.alert.put_off import UnableToPutOff, put_off_until
from scheduler.selectors.alert_choices import teams_of_alerts
from scheduler.services.alerts import (
    Moved,
    UnableToMove,
    acknowledge_alerts,
    assign_alerts,
    resolve_alerts,
    snooze_alerts,
    wake_alerts,
)
from scheduler.tables.alerts.moved import moved_words

MOST = 500
"""So many at once: more than stand on a page, and few enough to be done at once."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Who does what with which form, at what instant."""

    person: Person
    at: datetime
    form: QueryDict
    until: Callable[[], datetime]


@require_POST
@answers_plainly
def move_alerts(request: HttpRequest) -> HttpResponse:
    """``/alerts/move/?…`` with ``alert`` once for each: back to the same list with a sentence of what was done."""
    back = redirect(f"{reverse('scheduler:alerts')}{_query(request)}")
    ids = _ids(request)
    if not ids:
        messages.warning(request, "Nothing was picked, so nothing was done.")
        return back
    move = request.POST.get("move", "")
    try:
        moved = moved_by(request, move, ids)
    except (UnableToMove, UnableToPutOff) as unable:
        messages.error(request, f"Nothing was done. {unable}")
        return back
    level = messages.success if moved.moved else messages.warning
    level(request, moved_words(move, moved, to=request.POST.get("to", "")))
    return back


def moved_by(request: HttpRequest, move: str, ids: Collection[int]) -> Moved:
    """Do it with those that this person may handle; of the rest it is only said that they are not theirs.

    UnableToMove or UnableToPutOff where nothing could be done, UnableToAnswer for what is no move.
    """
    if move not in MOVES:
        raise UnableToAnswer(400, "No such move", f"{quoted(move)} is nothing that can be done about an alert.")
    person, at, form = person_on(request), timezone.now(), request.POST
    zone = zones_on(request).seen

    def until() -> datetime:
        return put_off_until(form.get("until", ""), as_of=at, zone=zone, at=form.get("at", ""))

    teams = teams_of_alerts(ids=ids)
    own = [pk for pk in ids if pk in teams and may(person, Action.HANDLE_ALERT, teams[pk] or None)]
    others = [_why_not(person, teams.get(pk)) for pk in ids if pk not in set(own)]
    moved = MOVES[move](own, Asking(person, at, form, until), teams) if own else Moved(0)
    return Moved(moved.moved, (*moved.unmoved, *others))


def _why_not(person: Person, teams: frozenset[str] | None) -> str:
    if teams is None or not may(person, Action.SEE_RESERVATION, teams or None):
        return "There is no such alert, or it is not yours to see."
    return "None of your roles lets you handle it."


def _acknowledge(ids: Sequence[int], asking: Asking, _: object) -> Moved:
    return acknowledge_alerts(ids=ids, by=asking.person.name, at=asking.at, note=asking.form.get("note", ""))


def _snooze(ids: Sequence[int], asking: Asking, _: object) -> Moved:
    note = asking.form.get("note", "")
    return snooze_alerts(ids=ids, until=asking.until(), by=asking.person.name, at=asking.at, note=note)


def _resolve(ids: Sequence[int], asking: Asking, _: object) -> Moved:
    return resolve_alerts(ids=ids, by=asking.person.name, at=asking.at, note=asking.form.get("note", ""))


def _open(ids: Sequence[int], asking: Asking, _: object) -> Moved:
    return wake_alerts(ids=ids, by=asking.person.name, at=asking.at, note=asking.form.get("note", ""))


def _assign(ids: Sequence[int], asking: Asking, teams: dict[int, frozenset[str]]) -> Moved:
    to = asking.form.get("to", "").strip()
    return assign_alerts(ids=ids, to=to, teams=teams, by=asking.person.name, at=asking.at)


MOVES: dict[str, Callable[[Sequence[int], Asking, dict[int, frozenset[str]]], Moved]] = {
    "acknowledge": _acknowledge,
    "snooze": _snooze,
    "resolve": _resolve,
    "assign": _assign,
    "open": _open,
}


def _ids(request: HttpRequest) -> list[int]:
    texts = request.POST.getlist("alert")
    if any(not (text.isascii() and text.isdigit() and len(text) < 19) for text in texts):
        raise UnableToAnswer(400, "That is no alert", "What was picked holds something that is no alert's number.")
    if len(set(texts)) > MOST:
        raise UnableToAnswer(400, "Too many at once", f"{MOST} alerts are moved at once, and no more.")
    return sorted({int(text) for text in texts})


def _query(request: HttpRequest) -> str:
    query = request.GET.urlencode()
    return f"?{query}" if query else ""
