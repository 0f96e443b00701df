"""What people do with one reservation from its page: note, owner, end, void; each by POST, and safe to send twice."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from reservations.domain import entry_texts, notation
from reservations.domain.held_now import ReservationRow
from reservations.services.manual_reservations import UnableToStoreReservation, end_reservation, void_reservation
from reservations.services.reservation_notes import UnableToNote, UnableToSetOwner, add_note, set_owner
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import zones_on
from reservations.views.reservation_detail import Draft, Leave, detail_page, found, leave

STALE = "Hours that were collected already keep their figures until they are collected again, under Data."


@require_POST
@answers_plainly
def note(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a note."""
    row = allowed(request, pk, lambda given: given.note)
    text = request.POST.get("text", "")
    try:
        add_note(pk=row.id, user_id=request.user.pk, text=text, at=timezone.now())
    except UnableToNote as unable:
        return detail_page(request, row, draft=Draft("note", str(unable), {"text": text}))
    return redirect("reservations:detail", row.id)


@require_POST
@answers_plainly
def owner(request: HttpRequest, pk: int) -> HttpResponse:
    """Say who answers for it."""
    row = allowed(request, pk, lambda given: given.edit)
    name = request.POST.get("owner", "")
    try:
        changed = set_owner(pk=row.id, owner=name or None)
    except UnableToSetOwner as unable:
        return detail_page(request, row, draft=Draft("owner", str(unable)))
    if changed:
        messages.success(request, f"{name or 'Its pool’s owner'} answers for {row.external_id} now.")
    if not _still_seen(request, pk):
        return redirect("reservations:list")
    return redirect("reservations:detail", row.id)


@require_POST
@answers_plainly
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """End one that was entered by hand."""
    row = allowed(request, pk, lambda given: given.edit)
    text = request.POST.get("end", "").strip()
    try:
        at = entry_texts.required_instant(text, zones_on(request).accounting)
        end_reservation(pk=row.id, end_at=at, as_of=timezone.now())
    except (ValueError, UnableToStoreReservation) as unable:
        return detail_page(request, row, draft=Draft("end", str(unable), {"end": text[:40]}))
    messages.success(request, f"{row.external_id} ends {notation.instant(at, zones_on(request).seen)}. {STALE}")
    return redirect("reservations:detail", row.id)


@require_POST
@answers_plainly
def void(request: HttpRequest, pk: int) -> HttpResponse:
    """Declare that one entered by hand never was."""
    row = allowed(request, pk, lambda given: given.edit)
    try:
        void_reservation(pk=row.id)
    except UnableToStoreReservation as unable:
        raise UnableToAnswer(400, "Not entered by hand", str(unable)) from unable
    messages.success(request, f"{row.external_id} counts nowhere any more. {STALE}")
    return redirect("reservations:detail", row.id)


def allowed(request: HttpRequest, pk: int, asks: Callable[[Leave], bool]) -> ReservationRow:
    """The reservation of an address if the person may do this with it; UnableToAnswer otherwise."""
    row = found(request, pk)
    if not asks(leave(request, row)):
        sentence = f"You may see {row.external_id}, and none of your roles lets you change this about it."
        raise UnableToAnswer(403, "Not yours to change", sentence)
    return row


def _still_seen(request: HttpRequest, pk: int) -> bool:
    """Whether it is still among what the person sees, who may have given it away."""
    try:
        found(request, pk)
    except UnableToAnswer:
        return False
    return True
