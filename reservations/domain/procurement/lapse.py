"""When an approval is not valid any more: its days are over, the price moved, or the decision date has passed."""

from datetime import date, datetime, timedelta
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.pricing import EXACT

SECOND_SIGN_OFF_WORKING_DAYS = 2


def valid_until(approved_at: datetime, *, days: int) -> datetime:
    """Until when an approval may be executed."""
    return approved_at + timedelta(days=days)


def price_move_share(before: Decimal | None, now: Decimal | None) -> Decimal | None:
    """|now − before| ÷ before; None where either is unknown or nothing was paid before."""
    if before is None or now is None or before <= 0:
        return None
    return EXACT.divide(abs(now - before), before)


def why_lapsed(
    *,
    now: datetime,
    today: date,
    valid: datetime | None,
    decide_by: date | None,
    moved: Decimal | None,
    limit: Decimal,
) -> str:
    """Why what was approved does not hold any more, in one sentence; blank while it does.

    ``moved`` is the share by which its price moved since; None is unknown and ends nothing.
    """
    if valid is not None and now >= valid:
        return f"Its approval was valid until {notation.instant(valid)}."
    if decide_by is not None and today > decide_by:
        return f"Its decision date, {notation.day(decide_by)}, has passed."
    if moved is not None and moved > limit:
        return f"The price moved by {notation.percent(moved)}, more than {notation.percent(limit)}."
    return ""
