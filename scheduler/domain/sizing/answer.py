"""How many nodes to hold: one trace and its prices in, the whole answer out (docs/sizing.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from reservations.domain.period import HOUR, Period
from reservations.domain.pricing import EXACT
from scheduler.domain.sizing.alternatives import Alternative, Choices, Sizes, alternatives
from scheduler.domain.sizing.cost import SizeCost
from scheduler.domain.sizing.enough import why_not_enough
from scheduler.domain.sizing.growth import GrowthLine, grown, over_term
from scheduler.domain.sizing.prices import SizingPrices, UnableToSize, price_warnings
from scheduler.domain.sizing.reality import FixedNodes
from scheduler.domain.sizing.rule import rule_nodes
from scheduler.domain.sizing.sensitivity import Sensitivity, sensitivity
from scheduler.domain.sizing.stretches import Earlier, Weighing, weighing
from scheduler.domain.sizing.weeks import (
    DRAWS,
    SEED,
    MoneyBand,
    NodesBand,
    nodes_band,
    saving_band,
    week_draws,
    whole_weeks,
)
from telemetry.domain.demand import DemandTrace
from telemetry.domain.load_duration import LoadDuration


@dataclass(frozen=True, slots=True)
class SizingAsked:
    """What a trace is sized with; ``draws`` 0 leaves the band out, ``interval`` is that of q where it was estimated.

    ``prices`` are those in force at the decision: the break-even is theirs. ``earlier`` are others that hours of the
    trace had. ``term``: the time to size for, over which the trace is laid; None: the hours of the trace themselves.
    """

    prices: SizingPrices
    choices: Choices = field(default_factory=Choices)
    fixed: FixedNodes = field(default_factory=FixedNodes)
    growth: Sequence[GrowthLine] = ()
    term: Period | None = None
    interval: tuple[Decimal, Decimal] | None = None
    allow_short: bool = False
    draws: int = DRAWS
    seed: int = SEED
    earlier: Sequence[Earlier] = ()


@dataclass(frozen=True, slots=True)
class Band:
    """The band over whole weeks, naive and adjusted, and that of what the proposal saves against today's size."""

    weeks: int
    draws: int
    seed: int
    left_out: int
    rule: NodesBand
    adjusted: NodesBand | None
    saving: MoneyBand | None


@dataclass(frozen=True, slots=True)
class Sized:
    """The sizes and everything shown with them."""

    sizes: Sizes
    alternatives: tuple[Alternative, ...]
    sensitivity: tuple[Sensitivity, ...]
    band: Band | None
    to_hold: int
    saving: Decimal | None

    @property
    def proposed(self) -> int:
        """The adjusted size, or the rule's where q and L are unknown: before spare nodes and blocks."""
        return self.sizes.rule if self.sizes.adjusted is None else self.sizes.adjusted


@dataclass(frozen=True, slots=True)
class Sizing:
    """The answer; ``sized`` is None where there is not enough data, and ``reason`` says why, or that it was overridden.

    ``measured`` is the trace as it was given, ``hours`` what was sized: laid over the term and grown, at their prices.
    """

    asked: SizingAsked
    measured: DemandTrace
    hours: Weighing
    reason: str
    sized: Sized | None
    warnings: tuple[str, ...]

    @property
    def trace(self) -> DemandTrace:
        """The hours that were sized."""
        return self.hours.trace

    @property
    def curve(self) -> LoadDuration:
        """Their load-duration curve."""
        return self.hours.curve

    @property
    def start(self) -> datetime:
        """The first hour that was sized."""
        return self.trace.hours[0]

    @property
    def end(self) -> datetime:
        """The end of the last one."""
        return self.trace.hours[-1] + HOUR

    @property
    def mean_nodes(self) -> Fraction:
        """Whole nodes needed on average."""
        return self.curve.mean_nodes or Fraction(0)

    def cost(self, nodes: int) -> SizeCost:
        """What a size costs by price alone."""
        return self.hours.cost(nodes)

    def adjusted_cost(self, nodes: int) -> SizeCost | None:
        """The same with the expected shortage; None without q and L."""
        return self.hours.adjusted_cost(nodes)


def sizing(measured: DemandTrace, asked: SizingAsked) -> Sizing:
    """The answer for a trace; UnableToSize for one without any hour, and for what does not go with it."""
    if not measured.hours:
        raise UnableToSize("there is no hour of demand to size")
    trace = over_term(measured, asked.term) if asked.term else measured
    if not trace.hours:
        raise UnableToSize("the term to size for has no hour")
    grew = grown(trace, asked.growth)
    # What a term to come will cost nobody knows better than by the prices in force.
    earlier = () if asked.term else asked.earlier
    hours = weighing(grew.trace, asked.prices, ways=asked.choices.ways, earlier=earlier)
    reason = why_not_enough(measured)
    warnings = [*price_warnings(asked.prices), *grew.warnings, *_of_prices(hours), *_of_trace(measured)]
    if reason and asked.allow_short:
        reason = f"{reason}; sized all the same, as it was asked for"
        warnings.append(reason)
    sized = _sized(measured, hours, asked) if not reason or asked.allow_short else None
    return Sizing(asked, measured, hours, reason, sized, tuple(warnings))


def _of_prices(hours: Weighing) -> list[str]:
    if len(hours.stretches) == 1:
        return []
    return [
        "prices changed within these hours: each hour is weighed at its own,"
        " and the break-even is that of the prices in force at their end"
    ]


def _of_trace(trace: DemandTrace) -> list[str]:
    said = []
    if trace.held_share < 1:
        said.append(
            f"it speaks of the {trace.asked_hours} hours in which something was held;"
            f" {trace.off_hours} others, in which nothing was, count neither as demand nor as cost"
        )
    if trace.missing:
        count, first = len(trace.missing), f"{trace.missing[0]:%Y-%m-%dT%H:%MZ}"
        hours = "hour in the middle is" if count == 1 else "hours in the middle are"
        said.append(f"{count} {hours} missing, the first at {first}: missing, not zero")
    if trace.bound_only:
        count = len(trace.bound_only)
        said.append(
            f"in {count} of {len(trace.hours)} hours nobody knows what was queued: their demand is a lower bound"
        )
    return said


def _sized(measured: DemandTrace, hours: Weighing, asked: SizingAsked) -> Sized:
    prices, current = asked.prices, asked.choices.current
    adjusted_ratio = prices.adjusted_ratio
    sizes = Sizes(
        rule=rule_nodes(hours.curve, prices.ratio),
        adjusted=None if adjusted_ratio is None else rule_nodes(hours.curve, adjusted_ratio),
        costs=hours.naive_costs(),
        adjusted_costs=None if adjusted_ratio is None else hours.costs(),
    )
    proposed = sizes.rule if sizes.adjusted is None else sizes.adjusted
    to_hold = asked.fixed.to_hold(proposed)
    saving = None
    if current is not None:
        saving = EXACT.subtract(hours.weighed(current).total, hours.weighed(to_hold).total)
    return Sized(
        sizes=sizes,
        alternatives=alternatives(hours, sizes, asked.choices),
        sensitivity=sensitivity(hours, proposed, asked.interval),
        band=_band(measured, hours, asked, to_hold) if asked.draws else None,
        to_hold=to_hold,
        saving=saving,
    )


def _band(measured: DemandTrace, hours: Weighing, asked: SizingAsked, to_hold: int) -> Band | None:
    trace, price = hours.trace, hours.price_of_hour
    drawn = week_draws(trace, seen=whole_weeks(measured), draws=asked.draws, seed=asked.seed, price=price)
    if drawn is None:
        return None
    current, adjusted = asked.choices.current, asked.prices.adjusted_ratio
    saving = None
    if current is not None:
        each = [one.prices for one in hours.stretches]
        saving = saving_band(drawn, held=current, proposed=to_hold, prices=each, hours=len(trace.hours))
    return Band(
        weeks=int(drawn.weights[0].sum()),
        draws=drawn.draws,
        seed=asked.seed,
        left_out=drawn.left_out,
        rule=nodes_band(drawn.sizes(asked.prices.ratio)),
        adjusted=None if adjusted is None else nodes_band(drawn.sizes(adjusted)),
        saving=saving,
    )
