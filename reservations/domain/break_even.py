"""The utilization above which a reserved GPU is cheaper than one on demand (docs/prices.md#break-even)."""

from decimal import Decimal
from enum import StrEnum

from reservations.domain.pricing import EXACT


class Shortage(StrEnum):
    """What a failed launch costs: L on top of still paying on demand later, or L in place of it."""

    EXTRA = "extra"
    INSTEAD = "instead"


class UnableToBreakEven(ValueError):
    """No break-even exists for these numbers; the message is one sentence."""


def break_even_share(*, reserved: Decimal | None, on_demand: Decimal | None) -> Decimal | None:
    """u* = p_res ÷ p_od, both in one unit and currency; None when a price is unknown.

    UnableToBreakEven for an on-demand price of 0 or a price below 0.
    """
    if reserved is None or on_demand is None:
        return None
    return _share(reserved, on_demand, "the on-demand price is 0, so there is nothing to break even with")


def adjusted_break_even_share(
    *,
    reserved: Decimal | None,
    on_demand: Decimal | None,
    fail_probability: Decimal,
    shortage_cost: Decimal,
    convention: Shortage,
) -> Decimal | None:
    """u*_a: the break-even where q of all launches fail and each costs L per hour; None when a price is unknown.

    extra: p_res ÷ (p_od + q·L); instead: p_res ÷ ((1 − q)·p_od + q·L). UnableToBreakEven for q outside
    0–1, a negative L or price, or a denominator of 0.
    """
    if not 0 <= fail_probability <= 1:
        raise UnableToBreakEven(f"the fail probability is {fail_probability}: give one from 0 to 1")
    if shortage_cost < 0:
        raise UnableToBreakEven(f"the shortage cost is {shortage_cost}: it can't be below 0")
    if reserved is None or on_demand is None:
        return None
    paid = on_demand if convention is Shortage.EXTRA else EXACT.multiply(1 - fail_probability, on_demand)
    expected = EXACT.add(paid, EXACT.multiply(fail_probability, shortage_cost))
    if on_demand < 0:
        raise UnableToBreakEven("a price can't be below 0")
    return _share(
        reserved, expected, "an hour without the reservation costs nothing, so there is nothing to break even with"
    )


def _share(reserved: Decimal, other: Decimal, when_zero: str) -> Decimal:
    if reserved < 0 or other < 0:
        raise UnableToBreakEven("a price can't be below 0")
    if other == 0:
        raise UnableToBreakEven(when_zero)
    return EXACT.divide(reserved, other)
