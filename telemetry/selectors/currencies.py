"""What pools were paid for in several currencies, and together by the rates of the period's days."""

from collections.abc import Iterable

from reservations.domain.exchange import Converted, conversions
from reservations.domain.period import Period
from reservations.selectors.exchange import rates_between
from reservations.selectors.terms import utc_days
from telemetry.domain.worth import Spent, Worth, spent_by_currency


def spent_and_converted(*, worths: Iterable[Worth], period: Period) -> tuple[tuple[Spent, ...], list[Converted]]:
    """Each currency by itself, and the sum in each into which the others can be converted.

    In no query where there is but one currency, else in one.
    """
    spent = spent_by_currency(worths)
    if len(spent) < 2:
        return spent, []
    first, following = utc_days(period)
    rates = rates_between(currencies=[one.currency for one in spent], first=first, following=following)
    paid = {one.currency: one.paid for one in spent if one.paid is not None}
    return spent, conversions(paid, rates, first=first, following=following)
