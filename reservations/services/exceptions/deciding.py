"""Decisions: approving a step, with conditions or without, returning and rejecting; one outcome whoever comes first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from django.db import transaction

from reservations.domain.free_text import why_not_kept
from reservations.domain.procurement.authority import RequiredStep, open_steps
from reservations.domain.procurement.lapse import valid_until
from reservations.domain.procurement.request_state import LONGEST_REASON, RequestMove
from reservations.domain.procurement.rule import Rule
from reservations.domain.procurement.separation import Part, parts_of, why_not_part
from reservations.models import ExceptionApproval, ExceptionCondition, ExceptionPart
from reservations.services.exceptions.acting import (
    Locked,
    Moved,
    UnableToMoveRequest,
    locked,
    move_on,
    repeated,
    require_legal,
)
from reservations.services.exceptions.authority import (
    Authority,
    authority_for,
    require_standing,
    required_of,
    rule_of_version,
)

MOST_CONDITIONS = 20


@dataclass(frozen=True, slots=True)
class Condition:
    """What must come about, by when."""

    text: str
    due_on: date


@transaction.atomic
def approve_exception(
    *,
    request_id: int,
    content_hash: str,
    by: int,
    at: datetime,
    today: date,
    acting_for: int | None = None,
    step: str | None = None,
    note: str = "",
    conditions: Sequence[Condition] = (),
    key: UUID | str | None = None,
) -> Moved:
    """Approve one step of exactly the content with this hash; with the last step the request is approved.

    ``acting_for`` is whose delegated authority is used; ``step`` None: the one that is theirs to give.
    UnableToMoveRequest where it was changed, decided or lapsed meanwhile, or is not theirs to approve.
    """
    on = locked(request_id, by)
    before = repeated(key, by, request_id)
    if before is not None:
        return before
    require_legal(on, RequestMove.APPROVE_STEP, note)
    _same_content(on, content_hash)
    require_standing(on, at, today)
    _check_conditions(conditions, today)
    authority = authority_for(on, at=at, acting_for=acting_for, step=step)
    why = why_not_part(on.played(), user_id=by, part=Part.APPROVER, acting_for=acting_for)
    if why:
        raise UnableToMoveRequest(why)
    approval = _approve(on, authority, note.strip(), at)
    ExceptionCondition.objects.bulk_create(
        ExceptionCondition(request=on.request, approval=approval, text=one.text.strip(), due_on=one.due_on)
        for one in conditions
    )
    return _step_on(on, authority, approval, at, len(conditions), key)


def approve_with_conditions(
    *,
    request_id: int,
    content_hash: str,
    conditions: Sequence[Condition],
    by: int,
    at: datetime,
    today: date,
    acting_for: int | None = None,
    step: str | None = None,
    note: str = "",
    key: UUID | str | None = None,
) -> Moved:
    """``approve_exception`` tied to at least one condition."""
    if not conditions:
        raise UnableToMoveRequest("Name at least one condition with its date, or approve without.")
    return approve_exception(
        request_id=request_id,
        content_hash=content_hash,
        by=by,
        at=at,
        today=today,
        acting_for=acting_for,
        step=step,
        note=note,
        conditions=conditions,
        key=key,
    )


@transaction.atomic
def return_exception(
    *,
    request_id: int,
    content_hash: str,
    reason: str,
    by: int,
    at: datetime,
    acting_for: int | None = None,
    key: UUID | str | None = None,
) -> Moved:
    """Give a request back for changes, with a reason; approvals given so far are void. UnableToMoveRequest."""
    return _turn_down(RequestMove.RETURN, request_id, content_hash, reason, by, at, acting_for, key)


@transaction.atomic
def reject_exception(
    *,
    request_id: int,
    content_hash: str,
    reason: str,
    by: int,
    at: datetime,
    acting_for: int | None = None,
    key: UUID | str | None = None,
) -> Moved:
    """Reject a request for good, with a reason. UnableToMoveRequest otherwise."""
    return _turn_down(RequestMove.REJECT, request_id, content_hash, reason, by, at, acting_for, key)


def _turn_down(
    move: RequestMove,
    request_id: int,
    content_hash: str,
    reason: str,
    by: int,
    at: datetime,
    acting_for: int | None,
    key: UUID | str | None,
) -> Moved:
    on = locked(request_id, by)
    before = repeated(key, by, request_id)
    if before is not None:
        return before
    require_legal(on, move, reason)
    _same_content(on, content_hash)
    authority = authority_for(on, at=at, acting_for=acting_for)
    if any(one.user_id in (by, acting_for) and one.part is Part.REQUESTER for one in on.played()):
        raise UnableToMoveRequest("You asked for it: withdraw it instead.")
    told = f"{'Returned' if move is RequestMove.RETURN else 'Rejected'} it as {authority.clause}."
    return move_on(
        on.request,
        move,
        at=at,
        by=on.user,
        told=told,
        reason=reason.strip(),
        key=key,
        acting_for=authority.acting_for_name,
        after={"content_hash": content_hash, "authority": authority.clause},
    )


def _same_content(on: Locked, content_hash: str) -> None:
    if content_hash != on.version.content_hash:
        said = f"It was changed since you opened it: read version {on.version.number}"
        raise UnableToMoveRequest(f"{said} before you decide.")


def _check_conditions(conditions: Sequence[Condition], today: date) -> None:
    if len(conditions) > MOST_CONDITIONS:
        raise UnableToMoveRequest(f"An approval has {MOST_CONDITIONS} conditions at most.")
    for one in conditions:
        if not one.text.strip():
            raise UnableToMoveRequest("A condition says what must come about.")
        if len(one.text) > LONGEST_REASON or why_not_kept(one.text):
            raise UnableToMoveRequest(why_not_kept(one.text) or f"A condition has {LONGEST_REASON} characters at most.")
        if one.due_on < today:
            raise UnableToMoveRequest("A condition is due today or later.")


def _approve(on: Locked, authority: Authority, note: str, at: datetime) -> ExceptionApproval:
    approval = ExceptionApproval.objects.create(
        version=on.version,
        step=authority.step.key,
        person=on.user,
        person_name=on.user.get_username(),
        requester=on.request.requester,
        acting_for_id=authority.acting_for,
        acting_for_name=authority.acting_for_name,
        delegation_id=authority.delegation,
        role=authority.step.role.value,
        authority=authority.clause,
        content_hash=on.version.content_hash,
        role_is_recent=authority.recent,
        note=note,
        approved_at=at,
    )
    ExceptionPart.objects.bulk_create(
        ExceptionPart(version=on.version, user_id=one.user_id, part=one.part.value)
        for one in parts_of(user_id=on.user.pk, part=Part.APPROVER, acting_for=authority.acting_for)
    )
    return approval


def _step_on(
    on: Locked, authority: Authority, approval: ExceptionApproval, at: datetime, conditions: int, key: UUID | str | None
) -> Moved:
    rule = rule_of_version(on.version)
    done = not open_steps(required_of(on.version), _given(on))
    if done:
        on.request.approved_at = at
        on.request.valid_until = valid_until(at, days=rule.approval_valid_days)
    tied = f" with {conditions} condition{'' if conditions == 1 else 's'}" if conditions else ""
    told = f"Approved it as {authority.clause}{tied}{_missing(on, rule, done)}."
    return move_on(
        on.request,
        RequestMove.APPROVE if done else RequestMove.APPROVE_STEP,
        at=at,
        by=on.user,
        told=told,
        reason=approval.note,
        key=key,
        acting_for=authority.acting_for_name,
        after={
            "content_hash": approval.content_hash,
            "step": approval.step,
            "role": approval.role,
            "authority": approval.authority,
            "role_is_recent": approval.role_is_recent,
            "delegation": authority.delegation,
        },
    )


def _given(on: Locked) -> list[str]:
    return list(ExceptionApproval.objects.filter(version=on.version).values_list("step", flat=True))


def _missing(on: Locked, rule: Rule, done: bool) -> str:
    if done:
        return f"; it is approved for {rule.approval_valid_days} days"
    waiting: Sequence[RequiredStep] = open_steps(required_of(on.version), _given(on))
    return f"; {' and '.join(f'one {step.role.value} ({step.why})' for step in waiting)} comes next"
