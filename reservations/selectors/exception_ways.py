"""What a person may do with a request now, each refusal in the words of the rule that the service asks as well."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from reservations.domain.access import Action, Person, may
from reservations.domain.procurement.authority import RequiredStep, why_not_alone
from reservations.domain.procurement.lapse import price_move_share, why_lapsed
from reservations.domain.procurement.request_state import RequestMove, RequestState, why_not_move
from reservations.domain.procurement.separation import Part, why_not_part
from reservations.selectors.approvers import Lent
from reservations.selectors.exception_told import ExceptionCase
from reservations.selectors.exceptions import ExceptionRow, inbox_of

UNASKED = "a reason"
"""Stands for a reason that a move needs and its form will ask for."""


@dataclass(frozen=True, slots=True)
class Ways:
    """What a person may do with a request now: a move → blank where they may, else one sentence why not."""

    why_not: Mapping[str, str]
    acting_for: Lent | None = None
    step: RequiredStep | None = None

    def may(self, move: str) -> bool:
        """Whether it is theirs to do now."""
        return self.why_not.get(move) == ""


def ways(
    case: ExceptionCase, person: Person, *, user_id: int, at: datetime, today: date, price: Decimal | None = None
) -> Ways:
    """What a person may do now, with the sentence for what they may not; services look again under the lock."""
    row = case.row
    item = next(iter(inbox_of([row], person, user_id=user_id, at=at)), None)
    acting = item.acting_for if item else None
    asks = _leave(person, Action.REQUEST_EXCEPTION, row)
    decides = "" if item and not item.sign_off else _why_not_decide(row, person, user_id)
    lapsed = _why_lapsed(case, at, today, price)
    glass_free = why_not_part(row.played, user_id=user_id, part=Part.APPROVER) or _why_not_alone(row, person)
    said = {
        "save": asks or ("" if row.state is RequestState.DRAFT else "It is no draft any more."),
        "submit": asks or _legal(row, RequestMove.SUBMIT),
        "withdraw": asks or _legal(row, RequestMove.WITHDRAW),
        "revise": asks or _legal(row, RequestMove.REVISE) or _unsigned(case),
        "approve": _legal(row, RequestMove.APPROVE_STEP) or decides or lapsed,
        "return": _legal(row, RequestMove.RETURN) or decides,
        "reject": _legal(row, RequestMove.REJECT) or decides,
        "execute": _legal(row, RequestMove.EXECUTE)
        or _leave(person, Action.EXECUTE_EXCEPTION, row)
        or why_not_part(row.played, user_id=user_id, part=Part.EXECUTOR)
        or lapsed,
        "break_glass": _legal(row, RequestMove.BREAK_GLASS) or glass_free,
        "sign_off": "" if item and item.sign_off else _why_not_sign(case, person, user_id),
        "meet_condition": _legal(row, RequestMove.MEET_CONDITION) or asks,
    }
    return Ways(said, acting, item.step if item else None)


def _legal(row: ExceptionRow, move: RequestMove) -> str:
    return why_not_move(row.state, move, reason=UNASKED)


def _leave(person: Person, action: Action, row: ExceptionRow) -> str:
    return "" if may(person, action, row.teams) else f"You may not do this for {row.team}."


def _why_not_alone(row: ExceptionRow, person: Person) -> str:
    return why_not_alone(row.required, person, row.team) if row.required else "It was not submitted yet."


def _why_not_decide(row: ExceptionRow, person: Person, user_id: int) -> str:
    why = why_not_part(row.played, user_id=user_id, part=Part.APPROVER)
    if why:
        return why
    roles = " or ".join(sorted({step.role.value for step in row.waiting}))
    return f"What waits now needs the role {roles} for {row.team}, which you don’t hold." if roles else "Nothing waits."


def _why_not_sign(case: ExceptionCase, person: Person, user_id: int) -> str:
    if case.glass is None or case.glass.verdict:
        return "There is nothing to sign off."
    why = why_not_part(case.row.played, user_id=user_id, part=Part.SECOND)
    return why or _why_not_alone(case.row, person)


def _why_lapsed(case: ExceptionCase, at: datetime, today: date, price: Decimal | None) -> str:
    row = case.row
    if case.rule is None:
        return ""
    approved = row.state is RequestState.APPROVED
    return why_lapsed(
        now=at,
        today=today,
        valid=row.valid_until if approved else None,
        decide_by=row.decide_by,
        moved=price_move_share(row.node_hour_price, price) if approved else None,
        limit=case.rule.price_move_limit_share,
    )


def _unsigned(case: ExceptionCase) -> str:
    awaited = case.glass is not None and not case.glass.verdict
    return "It was approved in an emergency: its second sign-off comes first." if awaited else ""
