"""What a proposal saves a month, between what and what, and what staying costs more than the best choice."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from reservations.domain.pricing import EXACT, money
from scheduler.domain.sizing.cost import cost_of, overflow_hours
from scheduler.domain.sizing.prices import SizingPrices
from scheduler.domain.sizing.weeks import saving_band, week_draws, whole_weeks
from telemetry.domain.demand import DemandTrace
from telemetry.domain.load_duration import LoadDuration

MONTH_HOURS = 730
"""A twelfth of a year of 8,760 hours: what a saving is told for."""


@dataclass(frozen=True, slots=True)
class Money:
    """Money of one month of 730 hours in one currency; ``low`` and ``high`` None under two whole weeks of hours.

    ``saving`` is below 0 where the proposal costs more than staying; ``regret`` never is.
    """

    saving: Decimal
    low: Decimal | None
    high: Decimal | None
    regret: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Weighed:
    """What is weighed: the hours that were sized, those that were measured, and the two sizes."""

    measured: DemandTrace
    trace: DemandTrace
    curve: LoadDuration
    prices: SizingPrices
    current: int
    proposed: int
    packed: int | None
    draws: int
    seed: int


def money_of(asked: Weighed) -> Money:
    """The month's money: (cost at today's size − cost at the proposal) × 730 ÷ hours, and the band over whole weeks.

    Where better placement was found to deliver today's work on the proposed size, no more overflow is bought there
    than today; the low end of the band stays what it is if none of that comes true.
    """
    over = overflow_hours(asked.curve)
    now, then = (over[min(nodes, asked.curve.peak)] for nodes in (asked.current, asked.proposed))
    placed = asked.packed is not None and asked.packed <= asked.proposed < asked.current
    before = _cost(asked, asked.current, now)
    after = _cost(asked, asked.proposed, min(now, then) if placed else then)
    least = min(after, *(_cost(asked, nodes, over[nodes]) for nodes in range(asked.curve.peak + 1)))
    saving = _monthly(before - after, asked.curve.hours)
    low, high = _band(asked)
    if placed and high is not None:
        high = max(high, saving)
    return Money(
        saving, low, high, _monthly(max(Fraction(0), before - least), asked.curve.hours), asked.prices.currency
    )


def _cost(asked: Weighed, nodes: int, overflow: int) -> Fraction:
    return Fraction(cost_of(nodes, asked.curve.hours, overflow, asked.prices).total)


def _band(asked: Weighed) -> tuple[Decimal | None, Decimal | None]:
    drawn = week_draws(asked.trace, seen=whole_weeks(asked.measured), draws=asked.draws, seed=asked.seed)
    if drawn is None:
        return None, None
    hours = asked.curve.hours
    band = saving_band(drawn, held=asked.current, proposed=asked.proposed, prices=asked.prices, hours=hours)
    return _monthly(Fraction(band.low), hours), _monthly(Fraction(band.high), hours)


def _monthly(amount: Fraction, hours: int) -> Decimal:
    share = amount * MONTH_HOURS / hours
    return EXACT.plus(money(share.numerator, share.denominator))
