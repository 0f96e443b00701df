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
    """One month to test: the hours that advice would have rested on, and the prices of its first day; None unknown."""

    month: date
    period: Period
    before: Period
    prices: SizingPrices | None


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
        (nodes, kept.held[hour]) for hour, nodes in zip(within.hours, within.nodes, strict=True) if hour in kept.held
    ]
    before = kept.trace.within(asked.before)
    why_not = _why_not(needed, asked, before)
    if why_not or asked.prices is None:
        return MonthTested(asked.month, len(needed), None, None, None, None, "", why_not)
    prices = asked.prices
    advised = kept.fixed.to_hold(rule_nodes(load_duration_curve(before.nodes), prices.ratio))
    node_ms = int(kept.gpus_per_node * HOUR_MS)
    over = sum(max(0, nodes - advised) for nodes, _ in needed)
    advised_cost = Fraction(prices.reserved) * advised * len(needed) + Fraction(prices.on_demand) * over
    paid = sum(hour.paid for _, hour in needed)
    short = sum(max(0, nodes * node_ms - hour.reserved) for nodes, hour in needed)
    held_cost = (Fraction(prices.reserved) * paid + Fraction(prices.on_demand) * short) / node_ms
    reserved = Fraction(sum(hour.reserved for _, hour in needed), node_ms * len(needed))
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


def _why_not(needed: Sequence[object], asked: MonthAsked, before: DemandTrace) -> str:
    """Why a month says nothing, blank where it does."""
    hours = len(list(asked.period.hours()))
    if not needed:
        return "no hour of it is known"
    if Fraction(len(needed), hours) < LEAST_COVERAGE:
        return f"only {len(needed)} of its {hours} hours are known"
    if why := why_not_enough(before):
        return f"before it, {why}"
    return "" if asked.prices is not None else "no on-demand and reserved price is known on its first day"
