"""The hours that sizes are weighed over, each at its own price: one stretch for each set of prices among them."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from reservations.domain.period import Period
from scheduler.domain.sizing.cost import SizeCost, Stretch, cost_curve, size_cost
from scheduler.domain.sizing.prices import SizingPrices, WorkloadOverflow
from telemetry.domain.demand import DemandTrace
from telemetry.domain.load_duration import LoadDuration, load_duration_curve


@dataclass(frozen=True, slots=True)
class Earlier:
    """Prices that held in a part of the hours and do so no more, and how overflow was bought by workload then."""

    period: Period
    prices: SizingPrices
    ways: Mapping[str, WorkloadOverflow] = field(default_factory=dict)


@dataclass(frozen=True)
class Weighing:
    """All hours with their curve, the prices in force at the decision, and the hours in stretches of one price each."""

    trace: DemandTrace
    curve: LoadDuration
    prices: SizingPrices
    stretches: tuple[Stretch, ...]

    @cached_property
    def naive(self) -> tuple[Stretch, ...]:
        """The stretches with q and L left out."""
        return tuple(replace(one, prices=one.prices.without_shortage) for one in self.stretches)

    def cost(self, nodes: int) -> SizeCost:
        """What a size costs by price alone."""
        return size_cost(self.naive, nodes)

    def weighed(self, nodes: int) -> SizeCost:
        """What it costs with the expected shortage, where q and L are known."""
        return size_cost(self.stretches, nodes)

    def adjusted_cost(self, nodes: int) -> SizeCost | None:
        """The same; None without q and L."""
        return size_cost(self.stretches, nodes) if self.prices.shortage else None

    def costs(self, *, until: int = 0) -> tuple[SizeCost, ...]:
        """The cost of none to the peak, or to ``until`` nodes, with the expected shortage where it is known."""
        return cost_curve(self.stretches, until=until)

    def naive_costs(self) -> tuple[SizeCost, ...]:
        """The cost of none to the peak by price alone."""
        return cost_curve(self.naive)

    @cached_property
    def price_of_hour(self) -> NDArray[np.int64]:
        """Of each hour the place of its stretch."""
        found = np.zeros(len(self.trace.hours), dtype=np.int64)
        for at, one in enumerate(self.stretches):
            if one.places is not None:
                found[list(one.places)] = at
        return found


def weighing(
    trace: DemandTrace,
    prices: SizingPrices,
    *,
    ways: Mapping[str, WorkloadOverflow] | None = None,
    earlier: Sequence[Earlier] = (),
) -> Weighing:
    """The hours at their prices: those of an earlier period at that one's, all others at those in force."""
    curve = load_duration_curve(trace.nodes)
    places = _places(trace, earlier)
    if places is None:
        return Weighing(trace, curve, prices, (Stretch(curve, prices, ways or {}),))
    found = []
    for at, kept in sorted(places.items()):
        its_prices, its_ways = (prices, ways or {}) if at < 0 else (earlier[at].prices, earlier[at].ways)
        part = load_duration_curve(trace.nodes[place] for place in kept)
        found.append(Stretch(part, its_prices, its_ways, tuple(kept)))
    return Weighing(trace, curve, prices, tuple(found))


def _places(trace: DemandTrace, earlier: Sequence[Earlier]) -> dict[int, list[int]] | None:
    """By earlier period (−1: none) the places of its hours; None where no hour lies in any."""
    of_hour = [-1] * len(trace.hours)
    for at, one in enumerate(earlier):
        first, end = (bisect_left(trace.hours, edge) for edge in (one.period.start, one.period.end))
        of_hour[first:end] = [at] * (end - first)
    found: defaultdict[int, list[int]] = defaultdict(list)
    for place, at in enumerate(of_hour if earlier else ()):
        found[at].append(place)
    return dict(found) if found.keys() - {-1} else None
