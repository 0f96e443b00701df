"""What was done about several alerts, in one or two sentences."""

from collections import Counter

from reservations.domain import notation
from scheduler.services.alerts import Moved

DONE = {
    "acknowledge": "acknowledged",
    "snooze": "snoozed",
    "resolve": "resolved",
    "assign": "assigned",
    "open": "opened again",
}
TOLD = 3
"""So many different reasons are said: a longer list is not read."""


def moved_words(move: str, moved: Moved, *, to: str = "") -> str:
    """``3 alerts acknowledged. 2 were not: It is acknowledged already.``"""
    done = DONE[move] if move != "assign" else f"assigned to {to}" if to else "assigned to nobody"
    count = notation.grouped(moved.moved)
    said = [f"{count} alert{'' if moved.moved == 1 else 's'} {done}." if moved.moved else f"None was {done}."]
    if moved.unmoved:
        said.append(_unmoved(moved))
    return " ".join(said)


def _unmoved(moved: Moved) -> str:
    reasons = Counter(moved.unmoved).most_common()
    told = [f"{why}{f' ({notation.grouped(count)} times)' if count > 1 else ''}" for why, count in reasons[:TOLD]]
    rest = len(moved.unmoved) - sum(count for _, count in reasons[:TOLD])
    more = f" And {notation.grouped(rest)} more." if rest else ""
    if not moved.moved:
        return " ".join(told) + more
    count = len(moved.unmoved)
    return f"{notation.grouped(count)} {'was' if count == 1 else 'were'} not: {' '.join(told)}{more}"
