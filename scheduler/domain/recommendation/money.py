"""What a proposal saves a month, between what and what, and what staying costs more than the best choice."""

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from reservations.domain.pricing import EXACT, money
from scheduler.domain.sizing.stretches import Weighing
from scheduler.domain.sizing.weeks import saving_band, week_draws, whole_weeks
from telemetry.domain.demand import DemandTrace

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
    """What is weighed: the hours that were sized at their prices, those that were measured, and the two sizes."""

    measured: DemandTrace
    hours: Weighing
    current: int
    proposed: int
    packed: int | None
    draws: int
    seed: int


def money_of(asked: Weighed) -> Money:
    """The month's money: (cost at today's size − cost at the proposal) × 730 ÷ hours, and the band over whole weeks.

    Where something was held in a share of the hours alone, in that share of the 730. Where better placement was found
    to deliver today's work on the proposed size, no more overflow is bought there than today; the low end of the band
    stays what it is if none of that comes true.
    """
    hours = asked.hours
    placed = asked.packed is not None and asked.packed <= asked.proposed < asked.current
    before, after = hours.weighed(asked.current), hours.weighed(asked.proposed)
    if placed:
        after = replace(before, nodes=asked.proposed, reserved=after.reserved)
    least = min(after.total, *(one.total for one in hours.costs()))
    saving = _monthly(asked, Fraction(before.total) - Fraction(after.total))
    low, high = _band(asked)
    if placed and high is not None:
        high = max(high, saving)
    regret = max(Fraction(0), Fraction(before.total) - Fraction(least))
    return Money(saving, low, high, _monthly(asked, regret), hours.prices.currency)


def _band(asked: Weighed) -> tuple[Decimal | None, Decimal | None]:
    hours, seen = asked.hours, whole_weeks(asked.measured)
    drawn = week_draws(hours.trace, seen=seen, draws=asked.draws, seed=asked.seed, price=hours.price_of_hour)
    if drawn is None:
        return None, None
    prices = [one.prices for one in hours.stretches]
    band = saving_band(drawn, held=asked.current, proposed=asked.proposed, prices=prices, hours=hours.curve.hours)
    return _monthly(asked, Fraction(band.low)), _monthly(asked, Fraction(band.high))


def _monthly(asked: Weighed, amount: Fraction) -> Decimal:
    share = amount * MONTH_HOURS * asked.hours.trace.held_share / asked.hours.curve.hours
    return EXACT.plus(money(share.numerator, share.denominator))
