"""Where a request for an exception stands, which move leads where, and what each move needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reservations.domain.free_text import why_no_reason

LONGEST_REASON = 2_000


class RequestState(StrEnum):
    """One request; ``LAPSED``: what was approved, or waited, is not valid any more."""

    DRAFT = "draft"
    SUBMITTED = "submitted"
    RETURNED = "returned"
    WITHDRAWN = "withdrawn"
    APPROVED = "approved"
    REJECTED = "rejected"
    LAPSED = "lapsed"
    EXECUTED = "executed"


class RequestMove(StrEnum):
    """What happens to a request; ``KEEP`` is a minor edit that leaves an approval standing."""

    DRAFT = "draft"
    SUBMIT = "submit"
    KEEP = "keep"
    WITHDRAW = "withdraw"
    REVISE = "revise"
    APPROVE_STEP = "approve_step"
    APPROVE = "approve"
    RETURN = "return"
    REJECT = "reject"
    LAPSE = "lapse"
    EXECUTE = "execute"
    BREAK_GLASS = "break_glass"
    SIGN_OFF = "sign_off"
    REFUSE_SIGN_OFF = "refuse_sign_off"
    MEET_CONDITION = "meet_condition"


@dataclass(frozen=True, slots=True)
class Leads:
    """From which states a move leads to which one; ``after`` None: it stays where it is."""

    before: frozenset[RequestState | None]
    after: RequestState | None
    by_person: bool = True
    needs_reason: bool = False


_S = RequestState

LEGAL: Mapping[RequestMove, Leads] = {
    RequestMove.DRAFT: Leads(frozenset({None}), _S.DRAFT),
    RequestMove.SUBMIT: Leads(frozenset({_S.DRAFT}), _S.SUBMITTED),
    RequestMove.KEEP: Leads(frozenset({_S.DRAFT}), _S.APPROVED),
    RequestMove.WITHDRAW: Leads(frozenset({_S.DRAFT, _S.SUBMITTED, _S.RETURNED, _S.APPROVED}), _S.WITHDRAWN),
    RequestMove.REVISE: Leads(frozenset({_S.SUBMITTED, _S.RETURNED, _S.WITHDRAWN, _S.APPROVED, _S.LAPSED}), _S.DRAFT),
    RequestMove.APPROVE_STEP: Leads(frozenset({_S.SUBMITTED}), _S.SUBMITTED),
    RequestMove.APPROVE: Leads(frozenset({_S.SUBMITTED}), _S.APPROVED),
    RequestMove.RETURN: Leads(frozenset({_S.SUBMITTED}), _S.RETURNED, needs_reason=True),
    RequestMove.REJECT: Leads(frozenset({_S.SUBMITTED}), _S.REJECTED, needs_reason=True),
    RequestMove.LAPSE: Leads(
        frozenset({_S.SUBMITTED, _S.RETURNED, _S.APPROVED}), _S.LAPSED, by_person=False, needs_reason=True
    ),
    RequestMove.EXECUTE: Leads(frozenset({_S.APPROVED}), _S.EXECUTED),
    RequestMove.BREAK_GLASS: Leads(frozenset({_S.SUBMITTED}), _S.APPROVED, needs_reason=True),
    RequestMove.SIGN_OFF: Leads(frozenset({_S.APPROVED, _S.EXECUTED, _S.LAPSED, _S.WITHDRAWN}), None),
    RequestMove.REFUSE_SIGN_OFF: Leads(
        frozenset({_S.APPROVED, _S.EXECUTED, _S.LAPSED, _S.WITHDRAWN}), None, needs_reason=True
    ),
    RequestMove.MEET_CONDITION: Leads(frozenset({_S.APPROVED, _S.EXECUTED}), None),
}

OVER = frozenset({RequestState.REJECTED, RequestState.EXECUTED})
"""States after which a new request is needed."""

STATE_WORDS: Mapping[RequestState, str] = {
    _S.DRAFT: "a draft",
    _S.SUBMITTED: "waiting for approval",
    _S.RETURNED: "returned for changes",
    _S.WITHDRAWN: "withdrawn",
    _S.APPROVED: "approved",
    _S.REJECTED: "rejected",
    _S.LAPSED: "lapsed",
    _S.EXECUTED: "executed",
}

_DONE: Mapping[RequestMove, str] = {
    RequestMove.DRAFT: "drafted",
    RequestMove.SUBMIT: "submitted",
    RequestMove.KEEP: "submitted",
    RequestMove.WITHDRAW: "withdrawn",
    RequestMove.REVISE: "revised",
    RequestMove.APPROVE_STEP: "approved",
    RequestMove.APPROVE: "approved",
    RequestMove.RETURN: "returned",
    RequestMove.REJECT: "rejected",
    RequestMove.LAPSE: "left to lapse",
    RequestMove.EXECUTE: "executed",
    RequestMove.BREAK_GLASS: "approved in an emergency",
    RequestMove.SIGN_OFF: "signed off",
    RequestMove.REFUSE_SIGN_OFF: "refused its second sign-off",
    RequestMove.MEET_CONDITION: "said to meet its conditions",
}


def why_not_move(now: RequestState | None, move: RequestMove, *, reason: str = "") -> str:
    """Why a move is not legal, in one sentence; blank where it is."""
    leads = LEGAL[move]
    if now not in leads.before:
        where = "There is no such request" if now is None else f"It is {STATE_WORDS[now]}"
        return f"{where}, so it can’t be {_DONE[move]} now."
    return why_no_reason(reason, longest=LONGEST_REASON, needed=leads.needs_reason)


def state_after(now: RequestState, move: RequestMove) -> RequestState:
    """Where a legal move leads."""
    return LEGAL[move].after or now
