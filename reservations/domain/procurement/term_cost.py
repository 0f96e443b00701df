"""What a whole term costs."""

from datetime import date
from decimal import ROUND_HALF_EVEN, Decimal

from reservations.domain.pricing import EXACT


def term_cost(*, nodes: int, start: date, end: date, node_hour: Decimal | None) -> Decimal | None:
    """nodes × 24 × days of ``[start, end)`` × price of a node-hour, rounded once to a cent; None without a price."""
    if node_hour is None:
        return None
    exact = EXACT.multiply(node_hour, Decimal(nodes * 24 * (end - start).days))
    return exact.quantize(Decimal("0.01"), rounding=ROUND_HALF_EVEN, context=EXACT)
