"""After the approval: saying that it was bought, by somebody who neither asked nor approved, and meeting conditions."""

from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from reservations.domain.access import Action
from reservations.domain.free_text import why_not_kept
from reservations.domain.procurement.lapse import HourPrice, price_moved, why_lapsed, why_not_compared
from reservations.domain.procurement.request_state import LONGEST_REASON, RequestMove
from reservations.domain.procurement.separation import Part, why_not_part
from reservations.models import ExceptionCondition, ExceptionPart, ExceptionRequest, Reservation
from reservations.services.exceptions.acting import (
    Moved,
    UnableToMoveRequest,
    locked,
    move_on,
    repeated,
    require_leave,
    require_legal,
)
from reservations.services.exceptions.authority import approved_price, rule_of_version


@transaction.atomic
def mark_executed(
    *,
    request_id: int,
    by: int,
    at: datetime,
    today: date,
    reservation_id: int | None = None,
    node_hour_price: HourPrice | None = None,
    note: str = "",
    key: UUID | str | None = None,
) -> Moved:
    """Say that what was approved is bought, with the reservation where the inventory has it already.

    ``node_hour_price`` is today's: an approval whose price moved too far does not hold, and one whose price can't be
    held against today's waits. UnableToMoveRequest where it lapsed, or for whoever asked or approved.
    """
    on = locked(request_id, by)
    before = repeated(key, by, request_id)
    if before is not None:
        return before
    require_legal(on, RequestMove.EXECUTE, note)
    require_leave(on, Action.EXECUTE_EXCEPTION, "execute approved requests")
    approved = approved_price(on.version)
    why = why_not_part(on.played(), user_id=by, part=Part.EXECUTOR) or why_lapsed(
        now=at,
        today=today,
        valid=on.request.valid_until,
        decide_by=on.request.decide_by,
        moved=price_moved(approved, node_hour_price),
        limit=rule_of_version(on.version).price_move_limit_share,
    )
    why = why or why_not_compared(approved, node_hour_price)
    if why:
        raise UnableToMoveRequest(why)
    bought = _bought(reservation_id)
    ExceptionPart.objects.create(version=on.version, user=on.user, part=Part.EXECUTOR.value)
    on.request.executed_with = bought
    told = f"Bought it as {bought.external_id}." if bought else "Bought it; the inventory does not show it yet."
    after: dict[str, object] = {"reservation": bought.external_id if bought else None}
    return move_on(
        on.request, RequestMove.EXECUTE, at=at, by=on.user, told=told, reason=note.strip(), key=key, after=after
    )


@transaction.atomic
def meet_condition(*, condition_id: int, note: str, by: int, at: datetime, key: UUID | str | None = None) -> Moved:
    """Say how a condition was met; once met it stays so. UnableToMoveRequest otherwise."""
    request_id = ExceptionCondition.objects.filter(pk=condition_id).values_list("request_id", flat=True).first()
    if request_id is None:
        raise UnableToMoveRequest("There is no such condition.")
    on = locked(request_id, by)
    before = repeated(key, by, request_id)
    if before is not None:
        return before
    require_legal(on, RequestMove.MEET_CONDITION, note)
    require_leave(on, Action.REQUEST_EXCEPTION, "say that conditions are met")
    found = ExceptionCondition.objects.select_for_update().get(pk=condition_id)
    why = _why_not_met(found, note)
    if why:
        raise UnableToMoveRequest(why)
    found.met_at, found.met_by_name, found.met_note = at, on.user.get_username(), note.strip()
    found.save()
    return move_on(
        on.request,
        RequestMove.MEET_CONDITION,
        at=at,
        by=on.user,
        told=f"Met the condition “{found.text[:80]}”.",
        reason=note.strip(),
        key=key,
        after={"condition": found.pk},
    )


def _why_not_met(found: ExceptionCondition, note: str) -> str:
    if found.met_at is not None:
        return f"{found.met_by_name} said already that it is met."
    if not note.strip():
        return "Say how it was met."
    if len(note) > LONGEST_REASON:
        return f"The note is longer than {LONGEST_REASON} characters."
    return why_not_kept(note)


def _bought(reservation_id: int | None) -> Reservation | None:
    if reservation_id is None:
        return None
    # Locked, so that two requests that name it at once are asked one after the other.
    found = Reservation.objects.select_for_update(of=("self",)).filter(pk=reservation_id).first()
    if found is None:
        raise UnableToMoveRequest("There is no such reservation in the inventory.")
    taken = ExceptionRequest.objects.filter(executed_with=found).values_list("pk", flat=True).first()
    if taken is not None:
        raise UnableToMoveRequest(f"{found.external_id} was bought by request {taken} already.")
    return found
