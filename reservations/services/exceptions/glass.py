"""Break-glass: one person approves in an emergency, everybody hears of it, and another signs it off afterwards."""

from datetime import datetime, tzinfo
from uuid import UUID

from django.db import transaction

from reservations.domain.access import Role
from reservations.domain.procurement.authority import emergency_role, why_not_alone
from reservations.domain.procurement.lapse import SECOND_SIGN_OFF_WORKING_DAYS, valid_until
from reservations.domain.procurement.request_state import RequestMove, RequestState
from reservations.domain.procurement.rule import Rule
from reservations.domain.procurement.separation import Part, is_marked, why_not_part
from reservations.domain.procurement.working_days import due_after
from reservations.models import BreakGlass, ExceptionApproval, ExceptionPart
from reservations.selectors.approvers import role_granted_at
from reservations.services.exceptions.acting import (
    Locked,
    Moved,
    UnableToMoveRequest,
    locked,
    move_on,
    repeated,
    require_legal,
)
from reservations.services.exceptions.authority import GLASS_STEP, require_standing, required_of, rule_of_version

REFUSED = "Its second sign-off was refused."


@transaction.atomic
def break_glass(
    *,
    request_id: int,
    content_hash: str,
    reason: str,
    by: int,
    at: datetime,
    zone: tzinfo,
    key: UUID | str | None = None,
) -> Moved:
    """Approve a submitted request alone and at once; a second sign-off is due at the end of two working days.

    Only somebody who holds the role of its last step, and never who asks. UnableToMoveRequest otherwise.
    """
    on = locked(request_id, by)
    before = repeated(key, by, request_id)
    if before is not None:
        return before
    require_legal(on, RequestMove.BREAK_GLASS, reason)
    if content_hash != on.version.content_hash:
        raise UnableToMoveRequest("It was changed since you opened it: read it again before you decide.")
    require_standing(on, at, at.astimezone(zone).date())
    _take_part(on, Part.APPROVER)
    role = _role(on)
    rule = rule_of_version(on.version)
    due = due_after(at, SECOND_SIGN_OFF_WORKING_DAYS, zone)
    _open(on, role, rule, reason.strip(), at, due)
    on.request.approved_at, on.request.valid_until = at, valid_until(at, days=rule.approval_valid_days)
    told = "Approved it alone in an emergency; a second sign-off is due."
    after: dict[str, object] = {"content_hash": content_hash, "sign_off_due_at": due.isoformat(), "role": role.value}
    return move_on(
        on.request,
        RequestMove.BREAK_GLASS,
        at=at,
        by=on.user,
        told=told,
        reason=reason.strip(),
        key=key,
        after=after,
    )


@transaction.atomic
def second_sign_off(
    *, request_id: int, agree: bool, by: int, at: datetime, note: str = "", key: UUID | str | None = None
) -> Moved:
    """Sign an emergency off afterwards, or refuse to, with a reason: by another person with that role."""
    on = locked(request_id, by)
    before = repeated(key, by, request_id)
    if before is not None:
        return before
    move = RequestMove.SIGN_OFF if agree else RequestMove.REFUSE_SIGN_OFF
    require_legal(on, move, note)
    glass = BreakGlass.objects.filter(version=on.version).first()
    if glass is None:
        raise UnableToMoveRequest("It was approved in the usual way: there is nothing to sign off.")
    if glass.verdict:
        raise UnableToMoveRequest(f"{glass.signed_by_name} has signed it off already: {glass.verdict}.")
    _take_part(on, Part.SECOND)
    glass.signed_by, glass.signed_by_name, glass.signed_at = on.user, on.user.get_username(), at
    glass.verdict = BreakGlass.Verdict.AGREED if agree else BreakGlass.Verdict.REFUSED
    glass.note = note.strip()
    glass.save()
    late = " late" if at > glass.sign_off_due_at else ""
    told = f"Signed the emergency off{late}." if agree else f"Refused the second sign-off{late}."
    moved = move_on(on.request, move, at=at, by=on.user, told=told, reason=note.strip(), key=key)
    if agree or moved.state is not RequestState.APPROVED:
        return moved
    return move_on(on.request, RequestMove.LAPSE, at=at, by=None, told=f"It lapsed. {REFUSED}", reason=REFUSED)


def _open(on: Locked, role: Role, rule: Rule, reason: str, at: datetime, due: datetime) -> None:
    """The approval of one person alone, and what is owed for it."""
    ExceptionApproval.objects.create(
        version=on.version,
        step=GLASS_STEP,
        person=on.user,
        person_name=on.user.get_username(),
        requester=on.request.requester,
        role=role.value,
        authority=f"{role.value}, alone in an emergency, rule version {rule.version}",
        content_hash=on.version.content_hash,
        role_is_recent=is_marked(
            role_granted_at(user_id=on.user.pk, role=role, team=on.team), at=at, days=rule.role_change_days
        ),
        note=reason,
        approved_at=at,
    )
    BreakGlass.objects.create(
        version=on.version,
        reason=reason,
        opened_by=on.user,
        opened_by_name=on.user.get_username(),
        opened_at=at,
        sign_off_due_at=due,
    )


def _take_part(on: Locked, part: Part) -> None:
    why = why_not_part(on.played(), user_id=on.user.pk, part=part)
    if why:
        raise UnableToMoveRequest(why)
    _role(on)
    ExceptionPart.objects.create(version=on.version, user=on.user, part=part.value)


def _role(on: Locked) -> Role:
    """The role of the last step of its amount, which they hold: nobody decides alone what is above their limit."""
    required = required_of(on.version)
    why = why_not_alone(required, on.person, on.team)
    if why:
        raise UnableToMoveRequest(why)
    return emergency_role(required)
