"""What the adjusted size would be if q and L were otherwise: a small grid around what is known of them."""

from dataclasses import dataclass, replace
from decimal import Decimal, localcontext

from reservations.domain.pricing import EXACT
from scheduler.domain.sizing.cost import size_cost
from scheduler.domain.sizing.prices import ShortageTerms
from scheduler.domain.sizing.rule import rule_nodes
from scheduler.domain.sizing.stretches import Weighing

TIMES = (Decimal("0.5"), Decimal(1), Decimal(2))
"""Half, as known and double: what one guesses of either is hardly better than that."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The size at one q and L; ``regret`` is what holding the proposed adjusted size costs more than it there."""

    fail_probability: Decimal
    shortage_cost: Decimal
    break_even: Decimal
    nodes: int
    regret: Decimal


def sensitivity(
    hours: Weighing, proposed: int, interval: tuple[Decimal, Decimal] | None = None
) -> tuple[Sensitivity, ...]:
    """A row for each q (0, the ends of its interval or half and double, itself) and L (half, itself, double).

    Empty without q and L.
    """
    terms = hours.prices.shortage
    if terms is None:
        return ()
    low, high = interval or _around(terms.fail_probability)
    chances = sorted({Decimal(0), low, terms.fail_probability, high})
    losses = sorted({EXACT.multiply(terms.shortage_cost, times) for times in TIMES})
    return tuple(
        _at(hours, ShortageTerms(chance, loss, terms.convention), proposed)
        for chance in chances
        for loss in losses
        if not (terms.paid(hours.prices.on_demand) == 0 and chance == 1 and loss == 0)
    )


def _around(chance: Decimal) -> tuple[Decimal, Decimal]:
    return EXACT.multiply(chance, TIMES[0]), min(Decimal(1), EXACT.multiply(chance, TIMES[-1]))


def _at(hours: Weighing, terms: ShortageTerms, proposed: int) -> Sensitivity:
    prices = replace(hours.prices, shortage=terms)
    ratio, break_even = prices.adjusted_ratio, prices.adjusted_break_even
    assert ratio is not None  # nosec B101
    assert break_even is not None  # nosec B101
    nodes = rule_nodes(hours.curve, ratio)
    stretches = [replace(one, prices=replace(one.prices, shortage=terms)) for one in hours.stretches]
    with localcontext(EXACT):
        regret = size_cost(stretches, proposed).total - size_cost(stretches, nodes).total
    return Sensitivity(terms.fail_probability, terms.shortage_cost, break_even, nodes, regret)
