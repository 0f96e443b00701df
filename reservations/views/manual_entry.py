"""Reservations that no provider lists, entered and changed by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from reservations.domain.access import Action, reach
from reservations.domain.manual_entry import FIELDS, Entry, UnableToReadEntry, read_entry, written_entry
from reservations.selectors.entered import EntryChoices, entered, entry_choices
from reservations.selectors.reservations import UnableToFindReservation, reservation_row
from reservations.services.manual_reservations import (
    UnableToStoreReservation,
    change_reservation,
    enter_reservation,
)
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on
from reservations.views.reservation_actions import STALE, allowed

LONGEST = 4000
NOT_FREE = "This id cannot be entered: choose another, or ask somebody who sees every reservation."


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the form as it was last filled in, and the sentence about it."""

    name: str
    text: str
    problem: str


@require_http_methods(["GET", "HEAD", "POST"])
@answers_plainly
def new(request: HttpRequest) -> HttpResponse:
    """``/reservations/new/``."""
    person = person_on(request)
    if reach(person, Action.EDIT_RESERVATION) == frozenset():
        raise UnableToAnswer(403, "Not yours to enter", "None of your roles lets you enter reservations.")
    choices = entry_choices(person=person)
    if request.method != "POST":
        return _form(request, choices, {"provider": ""}, {})
    texts = _texts(request)
    try:
        entry = _allowed_entry(request, choices, texts)
        pk = enter_reservation(entry=entry, as_of=timezone.now())
    except UnableToReadEntry as unable:
        return _form(request, choices, texts, unable.problems)
    except UnableToStoreReservation as unable:
        return _form(request, choices, texts, _problems(request, unable))
    messages.success(request, f"{entry.external_id} is entered. {STALE}")
    return redirect("reservations:detail", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@answers_plainly
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """``/reservations/<pk>/edit/``: of what was entered by hand alone."""
    row = allowed(request, pk, lambda given: given.edit)
    if not row.by_hand:
        raise UnableToAnswer(404, "Not entered by hand", f"{row.external_id} is as its provider lists it.")
    zone, choices = zones_on(request).accounting, entry_choices(person=person_on(request))
    stored = written_entry(entered(pk=pk, as_of=timezone.now()), zone=zone)
    if request.method != "POST":
        return _form(request, choices, stored, {}, pk=pk, was=_digest(stored))
    texts = _texts(request) | {"provider": stored["provider"], "id": stored["id"]}
    was = request.POST.get("was", "") or _digest(stored)
    if was != _digest(stored) and texts != stored:
        sentence = (
            f"Somebody changed {row.external_id} since this form was opened: open it again to see what stands now."
        )
        raise UnableToAnswer(409, "Changed meanwhile", sentence)
    try:
        entry = _allowed_entry(request, choices, texts)
        changed = change_reservation(pk=pk, entry=entry, as_of=timezone.now())
    except (UnableToReadEntry, UnableToStoreReservation) as unable:
        return _form(request, choices, texts, unable.problems, pk=pk, was=was)
    if changed:
        messages.success(request, f"Changed: {', '.join(changed).replace('_', ' ')}. {STALE}")
    return redirect("reservations:detail", pk)


def _allowed_entry(request: HttpRequest, choices: EntryChoices, texts: dict[str, str]) -> Entry:
    """What the texts say, if it is for a team this person may enter reservations for; UnableToReadEntry otherwise."""
    entry = read_entry(texts, zone=zones_on(request).accounting)
    problems = {}
    if entry.owner is not None and entry.owner not in choices.owners:
        problems["owner"] = "There is no such team, or you may not enter reservations for it."
    if entry.owner is None and not choices.nobodys:
        problems["owner"] = "Name the team that answers for it: one of yours."
    if entry.pool is not None and entry.pool not in dict(choices.pools):
        problems["pool"] = "There is no such pool, or it belongs to a team you may not enter reservations for."
    if problems:
        raise UnableToReadEntry(problems)
    return entry


def _problems(request: HttpRequest, unable: UnableToStoreReservation) -> dict[str, str]:
    """What is said of it; nothing of a reservation with the same id that this person may not see."""
    if unable.taken_by is None:
        return unable.problems
    try:
        reservation_row(pk=unable.taken_by, person=person_on(request), as_of=timezone.now())
    except UnableToFindReservation:
        return {"id": NOT_FREE}
    return unable.problems


def _digest(stored: Mapping[str, str]) -> str:
    """What stood when a form was opened, so that it overwrites nothing that came later."""
    return sha256(repr(sorted(stored.items())).encode()).hexdigest()


def _texts(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST.get(name, "")[:LONGEST].replace("\r\n", "\n").replace("\0", "") for name in FIELDS}


def _form(
    request: HttpRequest,
    choices: EntryChoices,
    texts: dict[str, str],
    problems: dict[str, str],
    pk: int | None = None,
    was: str = "",
) -> HttpResponse:
    """The form as it was filled in, with a sentence at each field that is at fault."""
    here = "Change what was entered" if pk else "Enter one by hand"
    crumbs = [("Reservations", reverse("reservations:list"))]
    if pk:
        crumbs.append((texts["id"], reverse("reservations:detail", args=[pk])))
    context = {
        "section": "reservations",
        "crumbs": [*crumbs, (here, "")],
        "title": here,
        "fields": {name: Field(name, texts.get(name, ""), problems.get(name, "")) for name in FIELDS},
        "problems": problems,
        "choices": choices,
        "pk": pk,
        "was": was,
        "accounting": zones_on(request).accounting,
    }
    return render(request, "reservations/entry.html", context, status=400 if problems else 200)
