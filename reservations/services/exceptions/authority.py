"""What gives somebody the authority to decide a step now: their own role, or one that was delegated to them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from reservations.domain.access import Person, Role
from reservations.domain.procurement.authority import RequiredStep, holds, limit_of, open_steps
from reservations.domain.procurement.delegation import why_not_use
from reservations.domain.procurement.exception_type import ExceptionType
from reservations.domain.procurement.lapse import HourPrice, why_lapsed
from reservations.domain.procurement.rule import Rule, rule_of
from reservations.domain.procurement.separation import Part, is_marked
from reservations.models import Delegation, ExceptionApproval, ExceptionVersion
from reservations.selectors.approvers import lent_of, role_granted_at
from reservations.services.exceptions.acting import Locked, UnableToMoveRequest, acting_user

GLASS_STEP = "break-glass"
"""The step that one person approved alone in an emergency."""


@dataclass(frozen=True, slots=True)
class Authority:
    """The step that is theirs, the clause in words, and whose authority it is."""

    step: RequiredStep
    clause: str
    recent: bool
    acting_for: int | None = None
    acting_for_name: str = ""
    delegation: int | None = None


def required_of(version: ExceptionVersion) -> tuple[RequiredStep, ...]:
    """The steps a submitted version needs, as the rule in force then said."""
    return tuple(RequiredStep(**{**step, "role": Role(step["role"])}) for step in version.required)


def rule_of_version(version: ExceptionVersion) -> Rule:
    """The rule under which a version was submitted, which holds for it for good."""
    if version.rule is None:
        raise UnableToMoveRequest("It was not submitted yet.")
    return rule_of(version.rule.document, version=version.rule.version, owner=version.rule.owner.name)


def require_standing(on: Locked, at: datetime, today: date) -> None:
    """UnableToMoveRequest where nobody who is there asks for it any more, or its decision date has passed."""
    if not on.version.author.is_active:
        left = f"{on.version.author_name}, who asked for it, has left"
        raise UnableToMoveRequest(f"{left}: return it, so that somebody else revises it in their own name.")
    limit = rule_of_version(on.version).price_move_limit_share
    decide_by = on.request.decide_by
    why = why_lapsed(now=at, today=today, valid=None, decide_by=decide_by, moved=None, limit=limit)
    if why:
        raise UnableToMoveRequest(f"{why} It can’t be approved any more.")


def given_on(approval: ExceptionApproval) -> ExceptionVersion:
    """The version that its person read: approvals are carried on, and each of them still is of that one."""
    while approval.carried_from is not None:
        approval = approval.carried_from
    return approval.version


def approved_price(version: ExceptionVersion) -> HourPrice | None:
    """The price of a node-hour that was approved: that of the version which its oldest approval was given on."""
    oldest = ExceptionApproval.objects.filter(version=version).order_by("approved_at", "pk").first()
    return frozen_price(version if oldest is None else given_on(oldest))


def frozen_price(version: ExceptionVersion) -> HourPrice | None:
    """The price of a node-hour a version was submitted with, in the currency its evidence was frozen in."""
    if version.node_hour_price is None:
        return None
    frozen = json.loads(version.evidence or "{}")
    return HourPrice(version.node_hour_price, str(frozen.get("currency") or version.currency))


def authority_for(on: Locked, *, at: datetime, acting_for: int | None = None, step: str | None = None) -> Authority:
    """The open step that somebody may decide; UnableToMoveRequest where none is theirs.

    Whatever role a rule names, and in whoever's name: money is decided by a person with a second factor.
    """
    if on.person.program or not on.person.second_factor:
        raise UnableToMoveRequest("Who decides needs a second factor: set one up first.")
    given = ExceptionApproval.objects.filter(version=on.version).values_list("step", flat=True)
    waiting = open_steps(required_of(on.version), list(given))
    if step is not None:
        waiting = tuple(one for one in waiting if one.key == step)
        if not waiting:
            raise UnableToMoveRequest("This step was decided meanwhile, or is not its turn yet.")
    if acting_for is None:
        return _own(on, waiting, at)
    return _lent(on, waiting, at, acting_for)


def _own(on: Locked, waiting: Sequence[RequiredStep], at: datetime) -> Authority:
    mine = _mine(on.person, waiting, on.team)
    if mine is None:
        raise UnableToMoveRequest(_not_theirs(waiting, on.team))
    return Authority(mine, _clause(on, mine), _recent(on, on.user.pk, mine.role, at))


def _lent(on: Locked, waiting: Sequence[RequiredStep], at: datetime, acting_for: int) -> Authority:
    delegator, person = acting_user(acting_for)
    found = Delegation.objects.select_related("delegator", "delegate").filter(
        delegator_id=acting_for, delegate=on.user, period__contains=at
    )
    row = found.first()
    if row is None:
        raise UnableToMoveRequest(f"{delegator.get_username()} delegates nothing to you now.")
    version = on.version
    asking = {one.user_id for one in on.played() if one.part is Part.REQUESTER}
    amount = version.authority_amount or Decimal(0)
    why = why_not_use(
        lent_of(row).given,
        at=at,
        amount=amount,
        currency=version.currency,
        kind=ExceptionType(version.kind),
        asking=asking,
    )
    if why:
        raise UnableToMoveRequest(why)
    mine = _mine(person, waiting, on.team)
    if mine is None:
        raise UnableToMoveRequest(f"{delegator.get_username()} has no authority for this step.")
    if amount > limit_of(rule_of_version(version), person, on.team):
        raise UnableToMoveRequest(f"{delegator.get_username()} no longer has the authority that was delegated.")
    name = delegator.get_username()
    clause = f"{_clause(on, mine)}, for {name} by delegation {row.pk}"
    recent = _recent(on, acting_for, mine.role, at)
    return Authority(mine, clause, recent, acting_for, name, row.pk)


def _mine(person: Person, waiting: Sequence[RequiredStep], team: str) -> RequiredStep | None:
    return next((step for step in waiting if holds(person, step.role, team)), None)


def _clause(on: Locked, step: RequiredStep) -> str:
    version = on.version.rule.version if on.version.rule else 0
    return f"{step.role.value} ({step.why}, rule version {version})"


def _recent(on: Locked, user_id: int, role: Role, at: datetime) -> bool:
    granted = role_granted_at(user_id=user_id, role=role, team=on.team)
    return is_marked(granted, at=at, days=rule_of_version(on.version).role_change_days)


def _not_theirs(waiting: Sequence[RequiredStep], team: str) -> str:
    roles = " or ".join(sorted({step.role.value for step in waiting}))
    return f"What waits now needs the role {roles} for {team}, which you don’t hold."
