"""When an approval is not valid any more: its days are over, the price moved, or the decision date has passed."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.pricing import EXACT

SECOND_SIGN_OFF_WORKING_DAYS = 2


@dataclass(frozen=True, slots=True)
class HourPrice:
    """What a node-hour costs, in its currency."""

    amount: Decimal
    currency: str

    def __str__(self) -> str:
        return f"{self.amount.normalize():f} {self.currency}"


def valid_until(approved_at: datetime, *, days: int) -> datetime:
    """Until when an approval may be executed."""
    return approved_at + timedelta(days=days)


def price_move_share(before: Decimal | None, now: Decimal | None) -> Decimal | None:
    """|now − before| ÷ before; None where either is unknown or nothing was paid before."""
    if before is None or now is None or before <= 0:
        return None
    return EXACT.divide(abs(now - before), before)


def price_moved(before: HourPrice | None, now: HourPrice | None) -> Decimal | None:
    """The share by which a price moved; None where either is unknown, or they are in two currencies."""
    if before is None or now is None or before.currency != now.currency:
        return None
    return price_move_share(before.amount, now.amount)


def why_not_compared(before: HourPrice | None, now: HourPrice | None) -> str:
    """Why a price that was approved can't be held against today's, in one sentence; blank where it can."""
    if before is None:
        return ""
    if now is None:
        return f"It was approved at {before} per node-hour, and today’s price is unknown: enter it first."
    if now.currency != before.currency:
        return f"It was approved at {before} per node-hour, and today’s price is in {now.currency}: revise it."
    return ""


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
