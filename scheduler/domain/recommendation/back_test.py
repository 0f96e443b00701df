"""What the advice of past months would have cost, month by month, against what was held (docs/recommendations.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

from reservations.domain.period import HOUR_MS, Period
from reservations.domain.pricing import money
from scheduler.domain.sizing.enough import LEAST_COVERAGE, why_not_enough
from scheduler.domain.sizing.prices import SizingPrices
from scheduler.domain.sizing.reality import FixedNodes
from scheduler.domain.sizing.rule import rule_nodes
from telemetry.domain.demand import DemandTrace
from telemetry.domain.load_duration import load_duration_curve


@dataclass(frozen=True, slots=True)
class HeldHour:
    """One ledger hour in GPU-milliseconds: what was held, and what of it was billed."""

    reserved: int
    paid: int


@dataclass(frozen=True, slots=True)
class MonthAsked:
    """One month to test: the hours that advice would have rested on, and the prices of its first day; None unknown.

    ``later`` are other prices of parts of the month: each of its hours is priced by its own.
    """

    month: date
    period: Period
    before: Period
    prices: SizingPrices | None
    later: Sequence[tuple[Period, SizingPrices]] = ()

    def prices_at(self, hour: datetime) -> SizingPrices | None:
        """What an hour of the month is priced at."""
        return next((prices for period, prices in self.later if hour in period), self.prices)


@dataclass(frozen=True, slots=True)
class MonthTested:
    """Costs of one month over its ``hours`` that are known, at the advised size and as held; ``why_not`` else."""

    month: date
    hours: int
    advised_nodes: int | None
    held_nodes: Decimal | None
    advised_cost: Decimal | None
    held_cost: Decimal | None
    currency: str
    why_not: str

    @property
    def saved(self) -> Decimal | None:
        """What the advice would have cost less; below 0: more."""
        if self.advised_cost is None or self.held_cost is None:
            return None
        return self.held_cost - self.advised_cost


@dataclass(frozen=True, slots=True)
class Kept:
    """A pool's past: demand that can be trusted, what was held in each hour, GPUs of a node, nodes kept spare."""

    trace: DemandTrace
    held: Mapping[datetime, HeldHour]
    gpus_per_node: Decimal
    fixed: FixedNodes


def back_test(kept: Kept, months: Sequence[MonthAsked]) -> list[MonthTested]:
    """Each month in the order given; advice is the naive rule's size with spare nodes, overflow is bought on demand."""
    return [_tested(kept, asked) for asked in months]


def _tested(kept: Kept, asked: MonthAsked) -> MonthTested:
    within = kept.trace.within(asked.period)
    needed = [
        _Hour(nodes, kept.held[hour], prices)
        for hour, nodes in zip(within.hours, within.nodes, strict=True)
        if hour in kept.held and (prices := asked.prices_at(hour)) is not None
    ]
    before = kept.trace.within(asked.before)
    told = [hour for hour in within.hours if hour in kept.held]
    why_not = _why_not(told, asked, within, before)
    if why_not or asked.prices is None:
        return MonthTested(asked.month, len(told), None, None, None, None, "", why_not)
    prices = asked.prices
    advised = kept.fixed.to_hold(rule_nodes(load_duration_curve(before.nodes), prices.ratio))
    node_ms = int(kept.gpus_per_node * HOUR_MS)
    advised_cost = sum((one.cost_of(advised) for one in needed), Fraction(0))
    held_cost = sum((one.cost_as_held(node_ms) for one in needed), Fraction(0))
    reserved = Fraction(sum(one.held.reserved for one in needed), node_ms * len(needed))
    return MonthTested(
        month=asked.month,
        hours=len(needed),
        advised_nodes=advised,
        held_nodes=money(reserved.numerator, reserved.denominator),
        advised_cost=money(advised_cost.numerator, advised_cost.denominator),
        held_cost=money(held_cost.numerator, held_cost.denominator),
        currency=prices.currency,
        why_not="",
    )


@dataclass(frozen=True, slots=True)
class _Hour:
    nodes: int
    held: HeldHour
    prices: SizingPrices

    def cost_of(self, size: int) -> Fraction:
        over = max(0, self.nodes - size)
        return size * Fraction(self.prices.reserved) + over * Fraction(self.prices.on_demand)

    def cost_as_held(self, node_ms: int) -> Fraction:
        short = max(0, self.nodes * node_ms - self.held.reserved)
        return (self.held.paid * Fraction(self.prices.reserved) + short * Fraction(self.prices.on_demand)) / node_ms


def _why_not(told: Sequence[datetime], asked: MonthAsked, within: DemandTrace, before: DemandTrace) -> str:
    """Why a month says nothing, blank where it does."""
    off = len(within.not_held)
    hours = len(list(asked.period.hours())) - off
    if not told:
        return "nothing was held in it" if off and off >= hours else "no hour of it is known"
    if Fraction(len(told), hours) < LEAST_COVERAGE:
        held = " in which something was held" if off else ""
        return f"only {len(told)} of its {hours} hours{held} are known"
    if why := why_not_enough(before):
        return f"before it, {why}"
    return "" if asked.prices is not None else "no on-demand and reserved price is known on its first day"
