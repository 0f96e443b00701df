"""Every other way to decide, and what each costs more than the best size: the regret table (docs/sizing.md#regret)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from functools import cached_property

from reservations.domain.pricing import EXACT
from scheduler.domain.sizing.cost import SizeCost, added, cheapest, plateau
from scheduler.domain.sizing.overflow import layered_cost, layers, shed_cost
from scheduler.domain.sizing.prices import SizingPrices, WorkloadOverflow
from scheduler.domain.sizing.stretches import Weighing


class Way(StrEnum):
    """What an alternative is."""

    NONE = "none"
    CURRENT = "current"
    RULE = "rule"
    ADJUSTED = "adjusted"
    PLATEAU_LOW = "plateau_low"
    PLATEAU_HIGH = "plateau_high"
    PEAK = "peak"
    SHED = "shed"
    BY_WORKLOAD = "by_workload"
    BY_WORKLOAD_BEST = "by_workload_best"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way and its cost; ``regret`` against the cheapest size, below 0 where it is cheaper still.

    ``adjusted`` and its regret count the expected shortage, None without q and L. ``cost`` is None where nobody said
    what a shed node-hour loses; ``why_not`` says so.
    """

    way: Way
    nodes: int
    cost: SizeCost | None
    regret: Decimal | None
    adjusted: SizeCost | None
    adjusted_regret: Decimal | None
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the table is asked for beside the sizes: today's, how overflow is bought, what shedding loses an hour."""

    current: int | None = None
    ways: Mapping[str, WorkloadOverflow] = field(default_factory=dict)
    shed_cost: Decimal | None = None


@dataclass(frozen=True)
class Sizes:
    """What the rule found, naive and (with q and L) adjusted, with the costs of every size either way."""

    rule: int
    adjusted: int | None
    costs: Sequence[SizeCost]
    adjusted_costs: Sequence[SizeCost] | None

    @cached_property
    def plateau(self) -> tuple[int, int]:
        """The sizes within 1 % of the least cost without shortage."""
        return plateau(self.costs)

    @cached_property
    def adjusted_plateau(self) -> tuple[int, int] | None:
        """The same with the expected shortage."""
        return None if self.adjusted_costs is None else plateau(self.adjusted_costs)

    @cached_property
    def least(self) -> Decimal:
        """The least cost of any size."""
        return cheapest(self.costs).total

    @cached_property
    def adjusted_least(self) -> Decimal | None:
        """The same with the expected shortage."""
        return None if self.adjusted_costs is None else cheapest(self.adjusted_costs).total

    @property
    def smaller(self) -> int:
        """The smaller of the two sizes: what is kept where the overflow is shed."""
        return self.rule if self.adjusted is None else min(self.rule, self.adjusted)


def alternatives(hours: Weighing, sizes: Sizes, asked: Choices) -> tuple[Alternative, ...]:
    """Each way once, in the order of Way; sizes that several of them share are told by each."""
    return (
        *_sizes(hours, sizes, asked.current),
        _shed(hours, sizes, asked.shed_cost),
        *(_by_workload(hours, sizes) if asked.ways else ()),
    )


def _sizes(hours: Weighing, sizes: Sizes, current: int | None) -> Iterator[Alternative]:
    low, high = sizes.adjusted_plateau or sizes.plateau
    wanted: tuple[tuple[Way, int | None], ...] = (
        (Way.NONE, 0),
        (Way.CURRENT, current),
        (Way.RULE, sizes.rule),
        (Way.ADJUSTED, sizes.adjusted),
        (Way.PLATEAU_LOW, low),
        (Way.PLATEAU_HIGH, high),
        (Way.PEAK, hours.curve.peak),
    )
    for way, nodes in wanted:
        if nodes is not None:
            yield _told(way, sizes, hours.cost(nodes), hours.adjusted_cost(nodes))


def _shed(hours: Weighing, sizes: Sizes, given: Decimal | None) -> Alternative:
    """Keep the smaller size and turn away what does not fit: each hour of it loses what was said, else L."""
    nodes, terms = sizes.smaller, hours.prices.shortage
    lost = given if given is not None else terms.shortage_cost if terms else None
    if lost is None:
        why = "nobody said what a node-hour that is turned away loses: give it, or the shortage cost"
        return Alternative(Way.SHED, nodes, None, None, None, None, why)
    cost = added(
        [
            shed_cost(nodes, one.curve.hours, sum(one.curve.needed[nodes:]), one.prices.reserved, lost)
            for one in hours.stretches
        ]
    )
    return _told(Way.SHED, sizes, cost, cost if sizes.adjusted_costs else None)


def _by_workload(hours: Weighing, sizes: Sizes) -> Iterator[Alternative]:
    """The rule's size with overflow bought as each workload's is, and the size that is cheapest then."""
    parts = [
        (one, layers(hours.trace if one.places is None else hours.trace.picked(one.places), one.ways, one.prices))
        for one in hours.stretches
    ]

    def cost(nodes: int, price: Callable[[SizingPrices], SizingPrices]) -> SizeCost:
        return added([layered_cost(nodes, one.curve.hours, some, price(one.prices)) for one, some in parts])

    def whole(prices: SizingPrices) -> SizingPrices:
        return prices

    for way, best in ((Way.BY_WORKLOAD, False), (Way.BY_WORKLOAD_BEST, True)):
        nodes = sizes.adjusted if sizes.adjusted is not None else sizes.rule
        if best:
            nodes = cheapest([cost(n, whole) for n in range(hours.curve.peak + 1)]).nodes
        adjusted = cost(nodes, whole) if hours.prices.shortage else None
        yield _told(way, sizes, cost(nodes, lambda prices: prices.without_shortage), adjusted)


def _told(way: Way, sizes: Sizes, cost: SizeCost, adjusted: SizeCost | None) -> Alternative:
    return Alternative(
        way=way,
        nodes=cost.nodes,
        cost=cost,
        regret=_more(cost, sizes.least),
        adjusted=adjusted,
        adjusted_regret=_more(adjusted, sizes.adjusted_least),
    )


def _more(cost: SizeCost | None, least: Decimal | None) -> Decimal | None:
    return None if cost is None or least is None else EXACT.subtract(cost.total, least)
