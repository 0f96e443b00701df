"""Where a renewal stands, which move leads where, and what each move needs."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reservations.domain.free_text import why_no_reason

LONGEST_REASON = 2_000
LONGEST_FALLBACK = 200


class RenewalState(StrEnum):
    """One record for each end of a reservation; ``SUPERSEDED``: the end moved, and the new one has a record."""

    PROPOSED = "proposed"
    DECIDED = "decided"
    EXECUTED = "executed"
    SUPERSEDED = "superseded"


class RenewalMove(StrEnum):
    """What happens to a renewal; the first makes it."""

    PROPOSE = "propose"
    DECIDE = "decide"
    REVISE = "revise"
    EXECUTE = "execute"
    SUPERSEDE = "supersede"
    REOPEN = "reopen"


class Choice(StrEnum):
    """What follows the end: the same size again, another size, or nothing."""

    RENEW = "renew"
    RESIZE = "resize"
    LAPSE = "lapse"


class AtEnd(StrEnum):
    """What becomes of the work that runs at the end."""

    RENEW = "renew"
    FALL_BACK = "fall_back"
    PAUSE = "pause"


class ResumeTest(StrEnum):
    """How the last try to resume on the fallback went."""

    PASSED = "passed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """From which states a move leads to which one; ``by_person`` False: only the inventory makes it."""

    before: frozenset[RenewalState | None]
    after: RenewalState
    by_person: bool
    needs_reason: bool = False


LEGAL: Mapping[RenewalMove, Step] = {
    RenewalMove.PROPOSE: Step(frozenset({None}), RenewalState.PROPOSED, False),
    RenewalMove.DECIDE: Step(frozenset({RenewalState.PROPOSED}), RenewalState.DECIDED, True),
    RenewalMove.REVISE: Step(frozenset({RenewalState.DECIDED}), RenewalState.PROPOSED, True, needs_reason=True),
    RenewalMove.EXECUTE: Step(frozenset({RenewalState.DECIDED}), RenewalState.EXECUTED, True),
    RenewalMove.SUPERSEDE: Step(
        frozenset({RenewalState.PROPOSED, RenewalState.DECIDED}), RenewalState.SUPERSEDED, False, needs_reason=True
    ),
    # An extension that is not paid for moves the end back to where it was: then it must be decided again.
    RenewalMove.REOPEN: Step(
        frozenset({RenewalState.SUPERSEDED, RenewalState.EXECUTED}), RenewalState.PROPOSED, False, needs_reason=True
    ),
}

STANDS = frozenset({RenewalState.DECIDED, RenewalState.EXECUTED})
"""States in which it is known what follows the end."""

CHOICE_WORDS: Mapping[Choice, str] = {
    Choice.RENEW: "renew",
    Choice.RESIZE: "resize",
    Choice.LAPSE: "let lapse",
}

AT_END_WORDS: Mapping[AtEnd, str] = {
    AtEnd.RENEW: "goes on on what follows",
    AtEnd.FALL_BACK: "falls back to other capacity",
    AtEnd.PAUSE: "pauses from a checkpoint",
}


def why_not_move(now: RenewalState | None, move: RenewalMove, *, reason: str = "") -> str:
    """Why a move is not legal, in one sentence; blank where it is."""
    step = LEGAL[move]
    if now not in step.before:
        where = "There is no renewal yet" if now is None else f"It is {now.value} already"
        return f"{where}: {_only(step)}."
    return why_no_reason(reason, longest=LONGEST_REASON, needed=step.needs_reason)


def _only(step: Step) -> str:
    named = [state.value for state in RenewalState if state in step.before]
    if not named:
        return "one is proposed once for each end"
    return f"only one that is {' or '.join(named)} can become {step.after.value}"
