"""What every size costs over the hours of a trace: reserved + overflow + expected shortage, exact to the last digit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, localcontext
from itertools import accumulate

from reservations.domain.pricing import EXACT
from scheduler.domain.sizing.prices import SizingPrices, WorkloadOverflow
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


@dataclass(frozen=True, slots=True)
class Stretch:
    """Hours with one set of prices: their curve, how overflow is bought by workload, and their places in the trace.

    ``places`` None: all hours of it.
    """

    curve: LoadDuration
    prices: SizingPrices
    ways: Mapping[str, WorkloadOverflow] = field(default_factory=dict)
    places: tuple[int, ...] | None = None


def overflow_hours(curve: LoadDuration) -> tuple[int, ...]:
    """Σ max(0, demand − n) in node-hours for n = 0 … peak: what does not fit on n nodes."""
    return (*reversed(list(accumulate(reversed(curve.needed)))), 0)


def size_cost(stretches: Sequence[Stretch], nodes: int) -> SizeCost:
    """n·hours·p_res, the overflow at the on-demand price, and with q and L what failed launches cost besides.

    Each hour counts at the prices of its own stretch.
    """
    return added([cost_of(nodes, one.curve.hours, sum(one.curve.needed[nodes:]), one.prices) for one in stretches])


def cost_curve(stretches: Sequence[Stretch], *, until: int = 0) -> tuple[SizeCost, ...]:
    """The cost of 0 … n nodes, n the peak or ``until`` where that is more."""
    over = [overflow_hours(one.curve) for one in stretches]
    most = max((one.curve.peak for one in stretches), default=0)
    return tuple(
        added(
            [
                cost_of(nodes, one.curve.hours, its[nodes] if nodes < len(its) else 0, one.prices)
                for one, its in zip(stretches, over, strict=True)
            ]
        )
        for nodes in range(max(most, until) + 1)
    )


def added(costs: Sequence[SizeCost]) -> SizeCost:
    """One size's costs of several stretches together."""
    first, *rest = costs
    with localcontext(EXACT):
        for one in rest:
            shortage = None if first.shortage is None or one.shortage is None else first.shortage + one.shortage
            first = SizeCost(first.nodes, first.reserved + one.reserved, first.overflow + one.overflow, shortage)
    return first


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
