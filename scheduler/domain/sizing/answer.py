"""How many nodes to hold: one trace and its prices in, the whole answer out (docs/sizing.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from fractions import Fraction

from reservations.domain.period import HOUR, Period
from reservations.domain.pricing import EXACT
from scheduler.domain.sizing.alternatives import Alternative, Choices, Sizes, alternatives
from scheduler.domain.sizing.cost import SizeCost, cost_curve, size_cost
from scheduler.domain.sizing.enough import why_not_enough
from scheduler.domain.sizing.growth import GrowthLine, grown, over_term
from scheduler.domain.sizing.prices import SizingPrices, UnableToSize, price_warnings
from scheduler.domain.sizing.reality import FixedNodes
from scheduler.domain.sizing.rule import rule_nodes
from scheduler.domain.sizing.sensitivity import Sensitivity, sensitivity
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
from telemetry.domain.load_duration import LoadDuration, load_duration_curve


@dataclass(frozen=True, slots=True)
class SizingAsked:
    """What a trace is sized with; ``draws`` 0 leaves the band out, ``interval`` is that of q where it was estimated.

    ``term``: the time to size for, over which the trace is laid; None: the hours of the trace themselves.
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

    ``measured`` is the trace as it was given, ``trace`` what was sized: laid over the term and grown.
    """

    asked: SizingAsked
    measured: DemandTrace
    trace: DemandTrace
    curve: LoadDuration
    reason: str
    sized: Sized | None
    warnings: tuple[str, ...]

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
        return size_cost(self.curve, nodes, self.asked.prices.without_shortage)

    def adjusted_cost(self, nodes: int) -> SizeCost | None:
        """The same with the expected shortage; None without q and L."""
        return size_cost(self.curve, nodes, self.asked.prices) if self.asked.prices.shortage else None


def sizing(measured: DemandTrace, asked: SizingAsked) -> Sizing:
    """The answer for a trace; UnableToSize for one without any hour, and for what does not go with it."""
    if not measured.hours:
        raise UnableToSize("there is no hour of demand to size")
    trace = over_term(measured, asked.term) if asked.term else measured
    if not trace.hours:
        raise UnableToSize("the term to size for has no hour")
    grew = grown(trace, asked.growth)
    curve = load_duration_curve(grew.trace.nodes)
    reason = why_not_enough(measured)
    warnings = [*price_warnings(asked.prices), *grew.warnings, *_of_trace(measured)]
    if reason and asked.allow_short:
        reason = f"{reason}; sized all the same, as it was asked for"
        warnings.append(reason)
    sized = _sized(measured, grew.trace, curve, asked) if not reason or asked.allow_short else None
    return Sizing(asked, measured, grew.trace, curve, reason, sized, tuple(warnings))


def _of_trace(trace: DemandTrace) -> list[str]:
    said = []
    if len(trace.hours) < trace.span_hours:
        count, first = len(trace.missing), f"{trace.missing[0]:%Y-%m-%dT%H:%MZ}"
        hours = "hour in the middle is" if count == 1 else "hours in the middle are"
        said.append(f"{count} {hours} missing, the first at {first}: missing, not zero")
    if trace.bound_only:
        count = len(trace.bound_only)
        said.append(
            f"in {count} of {len(trace.hours)} hours nobody knows what was queued: their demand is a lower bound"
        )
    return said


def _sized(measured: DemandTrace, trace: DemandTrace, curve: LoadDuration, asked: SizingAsked) -> Sized:
    prices, current = asked.prices, asked.choices.current
    adjusted_ratio = prices.adjusted_ratio
    sizes = Sizes(
        rule=rule_nodes(curve, prices.ratio),
        adjusted=None if adjusted_ratio is None else rule_nodes(curve, adjusted_ratio),
        costs=cost_curve(curve, prices.without_shortage),
        adjusted_costs=None if adjusted_ratio is None else cost_curve(curve, prices),
    )
    proposed = sizes.rule if sizes.adjusted is None else sizes.adjusted
    to_hold = asked.fixed.to_hold(proposed)
    saving = None
    if current is not None:
        before, after = (size_cost(curve, nodes, prices).total for nodes in (current, to_hold))
        saving = EXACT.subtract(before, after)
    return Sized(
        sizes=sizes,
        alternatives=alternatives(trace, curve, prices, sizes, asked.choices),
        sensitivity=sensitivity(curve, prices, proposed, asked.interval),
        band=_band(measured, trace, asked, to_hold) if asked.draws else None,
        to_hold=to_hold,
        saving=saving,
    )


def _band(measured: DemandTrace, trace: DemandTrace, asked: SizingAsked, to_hold: int) -> Band | None:
    drawn = week_draws(trace, seen=whole_weeks(measured), draws=asked.draws, seed=asked.seed)
    if drawn is None:
        return None
    prices, current = asked.prices, asked.choices.current
    adjusted = prices.adjusted_ratio
    saving = None
    if current is not None:
        saving = saving_band(drawn, held=current, proposed=to_hold, prices=prices, hours=len(trace.hours))
    return Band(
        weeks=int(drawn.weights[0].sum()),
        draws=drawn.draws,
        seed=asked.seed,
        left_out=drawn.left_out,
        rule=nodes_band(drawn.sizes(prices.ratio)),
        adjusted=None if adjusted is None else nodes_band(drawn.sizes(adjusted)),
        saving=saving,
    )
