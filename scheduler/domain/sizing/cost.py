"""What every size costs over the hours of a trace: reserved + overflow + expected shortage, exact to the last digit."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from itertools import accumulate

from reservations.domain.pricing import EXACT
from scheduler.domain.sizing.prices import SizingPrices
from telemetry.domain.load_duration import LoadDuration

PLATEAU = Decimal("1.01")
"""Sizes that cost at most so many times the least are as good as it: a trace is no better known than that."""


@dataclass(frozen=True, slots=True)
class SizeCost:
    """Money over the hours of a trace while ``nodes`` are held; ``shortage`` None where q and L are left out."""

    nodes: int
    reserved: Decimal
    overflow: Decimal
    shortage: Decimal | None

    @property
    def total(self) -> Decimal:
        """All of it."""
        with localcontext(EXACT):
            return self.reserved + self.overflow + (self.shortage or Decimal(0))


def overflow_hours(curve: LoadDuration) -> tuple[int, ...]:
    """Σ max(0, demand − n) in node-hours for n = 0 … peak: what does not fit on n nodes."""
    return (*reversed(list(accumulate(reversed(curve.needed)))), 0)


def size_cost(curve: LoadDuration, nodes: int, prices: SizingPrices) -> SizeCost:
    """n·hours·p_res, the overflow at the on-demand price, and with q and L what failed launches cost besides."""
    return cost_of(nodes, curve.hours, sum(curve.needed[nodes:]), prices)


def cost_curve(curve: LoadDuration, prices: SizingPrices, *, until: int = 0) -> tuple[SizeCost, ...]:
    """The cost of 0 … n nodes, n the peak or ``until`` where that is more."""
    over = overflow_hours(curve)
    return tuple(
        cost_of(nodes, curve.hours, over[nodes] if nodes <= curve.peak else 0, prices)
        for nodes in range(max(curve.peak, until) + 1)
    )


def cost_of(nodes: int, hours: int, overflow: int, prices: SizingPrices) -> SizeCost:
    """The cost of a size with so many node-hours of overflow."""
    terms = prices.shortage
    with localcontext(EXACT):
        return SizeCost(
            nodes=nodes,
            reserved=nodes * hours * prices.reserved,
            overflow=overflow * (prices.on_demand if terms is None else terms.paid(prices.on_demand)),
            shortage=None if terms is None else overflow * terms.expected,
        )


def cheapest(costs: Sequence[SizeCost]) -> SizeCost:
    """The least cost, of the smallest size that has it; ValueError without any."""
    return min(costs, key=lambda cost: (cost.total, cost.nodes))


def plateau(costs: Sequence[SizeCost]) -> tuple[int, int]:
    """The smallest and the largest size within 1 % of the least cost; all between are, for the curve bends one way."""
    with localcontext(EXACT):
        most = cheapest(costs).total * PLATEAU
    within = [cost.nodes for cost in costs if cost.total <= most]
    return min(within), max(within)
