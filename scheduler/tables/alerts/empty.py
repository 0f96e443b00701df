"""Why a list of alerts is empty: nothing wrong, nothing that matches, nobody who looked, or nothing one may see."""

from datetime import datetime, timedelta

from reservations.domain import notation
from reservations.domain.access import Person

LATE = timedelta(minutes=30)
"""An evaluation every few minutes is due: after half an hour without any, silence says nothing."""


AHEAD = timedelta(minutes=5)
"""So far clocks of one installation may lie apart; what was evaluated beyond it keeps the rules from being asked."""


def why_no_alerts(person: Person, *, narrowed: bool, mine: bool) -> str:
    """One sentence."""
    if not person.grants:
        return "Nobody has granted you a role yet, so there is no alert that you may see."
    if mine:
        return "No alert that matches is assigned to you."
    if narrowed:
        return "No alert matches."
    return "Nothing is wrong with what you may see."


def evaluation_words(evaluated_at: datetime | None, as_of: datetime) -> tuple[str, bool]:
    """When the rules were last asked, and whether that is too long ago or lies ahead."""
    if evaluated_at is None:
        return "the rules were never asked yet", True
    ago = as_of - evaluated_at
    if ago < -AHEAD:
        return f"rules asked about a time {notation.duration(-ago)} ahead, by a clock that was wrong", True
    ago = max(ago, timedelta(0))
    return f"rules asked {notation.duration(ago)} ago", ago > LATE
