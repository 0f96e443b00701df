"""The trail of a request in words."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from reservations.domain.procurement.request_state import RequestMove
from reservations.selectors.exception_told import MoveTold

MOVE_WORDS: Mapping[RequestMove, str] = {
    RequestMove.DRAFT: "drafted",
    RequestMove.SUBMIT: "submitted",
    RequestMove.KEEP: "submitted, approval kept",
    RequestMove.WITHDRAW: "withdrawn",
    RequestMove.REVISE: "revised",
    RequestMove.APPROVE_STEP: "step approved",
    RequestMove.APPROVE: "approved",
    RequestMove.RETURN: "returned",
    RequestMove.REJECT: "rejected",
    RequestMove.LAPSE: "lapsed",
    RequestMove.EXECUTE: "bought",
    RequestMove.BREAK_GLASS: "emergency",
    RequestMove.SIGN_OFF: "signed off",
    RequestMove.REFUSE_SIGN_OFF: "sign-off refused",
    RequestMove.MEET_CONDITION: "condition met",
}


@dataclass(frozen=True, slots=True)
class TrailLine:
    """One move: what, by whom and for whom, when, and what was told and said."""

    number: int
    version: int
    move: str
    told: str
    reason: str
    by: str
    acting_for: str
    at: datetime


def trail_lines(moves: Iterable[MoveTold]) -> list[TrailLine]:
    """The moves in their order; what the clock did is told as the rule's."""
    return [
        TrailLine(
            one.number,
            one.version,
            MOVE_WORDS.get(one.move, one.move.value),
            one.told,
            one.reason,
            one.by or "the rule",
            one.acting_for,
            one.at,
        )
        for one in moves
    ]
