"""Overflow that is bought otherwise than on demand: each workload at its own price, or shed and not run at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal, localcontext

from reservations.domain.pricing import EXACT
from scheduler.domain.sizing.cost import SizeCost, overflow_hours
from scheduler.domain.sizing.prices import SizingPrices, UnableToSize, WorkloadOverflow
from telemetry.domain.demand import DemandTrace
from telemetry.domain.load_duration import load_duration_curve


@dataclass(frozen=True, slots=True)
class Layer:
    """``over[n]``: node-hours of one workload that do not fit on n nodes, and what each costs."""

    price: Decimal
    over: tuple[int, ...]


def layers(trace: DemandTrace, ways: Mapping[str, WorkloadOverflow], prices: SizingPrices) -> tuple[Layer, ...]:
    """The workloads as they lie on the reserved nodes: the dearest to buy elsewhere lowest, so the cheapest overflows.

    A workload without a way is bought on demand. Between two workloads whole nodes are shared by rounding up from
    below, so all layers together are the trace's whole nodes.
    """
    for name in ways:
        if name not in trace.by_workload:
            told = ", ".join(sorted(trace.by_workload)) or "none at all"
            raise UnableToSize(f"the demand has no workload “{name}”: it has {told}")
    priced = sorted((-_price(ways.get(name), prices.on_demand), name) for name in trace.by_workload)
    below = (0,) * len(trace.hours)
    lower = overflow_hours(load_duration_curve(below))
    total: Sequence[Decimal] = (Decimal(0),) * len(trace.hours)
    found: list[Layer] = []
    for price, name in priced:
        total = [had + more for had, more in zip(total, trace.by_workload[name], strict=True)]
        upper = overflow_hours(load_duration_curve(int(nodes.to_integral_value(ROUND_CEILING)) for nodes in total))
        over = (nodes - (lower[at] if at < len(lower) else 0) for at, nodes in enumerate(upper))
        found.append(Layer(-price, tuple(over)))
        lower = upper
    return tuple(found)


def layered_cost(nodes: int, hours: int, parts: Sequence[Layer], prices: SizingPrices) -> SizeCost:
    """The cost of a size whose overflow is bought layer by layer."""
    terms = prices.shortage
    with localcontext(EXACT):
        bought = Decimal(0)
        missed = Decimal(0)
        for part in parts:
            over = part.over[nodes] if nodes < len(part.over) else 0
            bought += over * (part.price if terms is None else terms.paid(part.price))
            missed += over * (terms.expected if terms is not None else 0)
        return SizeCost(nodes, nodes * hours * prices.reserved, bought, None if terms is None else missed)


def shed_cost(nodes: int, hours: int, overflow: int, reserved: Decimal, lost: Decimal) -> SizeCost:
    """The cost of a size whose overflow is turned away: nothing is bought, and each node-hour of it loses ``lost``."""
    with localcontext(EXACT):
        return SizeCost(nodes, nodes * hours * reserved, Decimal(0), overflow * lost)


def _price(way: WorkloadOverflow | None, on_demand: Decimal) -> Decimal:
    return on_demand if way is None else way.price
