"""What a purchase assumed, held against the months since: where reality left it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from telemetry.domain.demand import DemandTrace

FAR = Fraction(1, 10)
"""A tenth off is no news; a purchase was never justified more exactly than that."""


@dataclass(frozen=True, slots=True)
class Assumed:
    """What was expected; None: nothing was said of it."""

    mean_nodes: Decimal | None
    peak_nodes: Decimal | None
    busy_share: Decimal | None


@dataclass(frozen=True, slots=True)
class MonthSince:
    """One month since the purchase: nodes needed on average and at most, and busy ÷ reserved; None unknown."""

    month: date
    hours: int
    mean_nodes: Decimal | None
    peak_nodes: int | None
    busy_share: Decimal | None


def month_since(month: date, trace: DemandTrace, busy_share: Decimal | None) -> MonthSince:
    """A month's figures out of its hours of demand."""
    if not trace.hours:
        return MonthSince(month, 0, None, None, busy_share)
    mean = (sum(trace.total, Decimal(0)) / len(trace.hours)).quantize(Decimal("0.0001"))
    return MonthSince(month, len(trace.hours), mean, max(trace.nodes), busy_share)


def verdict(assumed: Assumed, since: Sequence[MonthSince]) -> str:
    """Where reality left the assumptions, in one sentence: how many months were a tenth off, and the first of them."""
    known = [one for one in since if one.hours]
    if not known:
        return "No month since then is known yet."
    for name, words in (("mean_nodes", "nodes needed on average"), ("busy_share", "busy ÷ reserved")):
        wanted = getattr(assumed, name)
        if wanted is None:
            continue
        told = [(one.month, getattr(one, name)) for one in known if getattr(one, name) is not None]
        off = [(month, value) for month, value in told if abs(value - wanted) > FAR * Fraction(wanted)]
        if off:
            less = sum(value < wanted for _, value in off)
            side = "less" if less * 2 >= len(off) else "more"
            return (
                f"Expected {_plain(wanted)} {words}: {len(off)} of {len(told)} months were over a tenth off,"
                f" most of them {side}, the first in {off[0][0]:%B %Y}."
            )
    return "Every month since then was within a tenth of what was expected."


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
