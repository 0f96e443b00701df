"""Which move the inventory alone makes: what was decided came to be, the end moved, or an end came back."""

from dataclasses import dataclass
from datetime import datetime

from reservations.domain import notation
from scheduler.domain.renewal.continuity import Outcome, Seen
from scheduler.domain.renewal.standing import Choice, RenewalMove, RenewalState


@dataclass(frozen=True, slots=True)
class Settled:
    """A move that is due, and why, in one sentence."""

    move: RenewalMove
    reason: str


def settled(
    state: RenewalState,
    *,
    end_at: datetime,
    seen: Seen,
    outcome: Outcome | None,
    choice: Choice | None,
    followed: bool,
    now: datetime,
) -> Settled | None:
    """The move that is due; None: it stands as it is. ``outcome`` is that of what was decided, if anything was."""
    if state in (RenewalState.EXECUTED, RenewalState.SUPERSEDED):
        return _reopened(state, end_at, seen, choice, followed, now)
    if state is RenewalState.DECIDED and outcome is not None and outcome.fits:
        return Settled(RenewalMove.EXECUTE, outcome.sentence)
    if seen.gone:
        gone = "It is over before the end that this was about."
        return Settled(RenewalMove.SUPERSEDE, gone) if now < end_at else None
    if seen.end_at == end_at:
        return None
    if outcome is not None and outcome.waits:
        return None if now < end_at else Settled(RenewalMove.SUPERSEDE, outcome.sentence)
    return Settled(RenewalMove.SUPERSEDE, _moved(seen.end_at))


def _reopened(
    state: RenewalState, end_at: datetime, seen: Seen, choice: Choice | None, followed: bool, now: datetime
) -> Settled | None:
    if seen.gone or seen.end_at != end_at or end_at <= now:
        return None
    if state is RenewalState.EXECUTED and (followed or choice is Choice.LAPSE):
        return None
    return Settled(RenewalMove.REOPEN, f"The end is {notation.instant(end_at)} again: decide anew.")


def _moved(end_at: datetime | None) -> str:
    return "It has no end any more." if end_at is None else f"The end moved to {notation.instant(end_at)}."
