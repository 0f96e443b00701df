"""What was bought beside what was approved, as commands and calls tell it."""

from typing import Any

from scheduler.selectors.exception_purchases import Purchase

PURCHASE_KEYS = (
    "fate",
    "request",
    "reservation",
    "pool",
    "approved_nodes",
    "held_nodes",
    "approved_start",
    "approved_end",
    "start",
    "end",
    "differences",
)


def purchase_told(one: Purchase) -> dict[str, Any]:
    """One match; null: there is no request, or no reservation, or it has no end."""
    approved, bought = one.match.approved, one.match.bought
    return {
        "fate": one.fate.value,
        "request": approved.request_id if approved else None,
        "reservation": bought.external_id if bought else None,
        "pool": one.request.pool if one.request else (one.reservation.pool or None) if one.reservation else None,
        "approved_nodes": approved.nodes if approved else None,
        "held_nodes": bought.nodes if bought else None,
        "approved_start": approved.start if approved else None,
        "approved_end": approved.end if approved else None,
        "start": bought.start if bought else None,
        "end": bought.end if bought else None,
        "differences": list(one.match.differences),
    }
