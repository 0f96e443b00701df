"""What was paid in several currencies, each by itself, and together only by rates that somebody entered."""

from collections.abc import Sequence

from reservations.domain import notation
from reservations.domain.exchange import Converted
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.worth import Spent

NAME = "currencies"
TITLE = "Paid by currency"
COLUMNS = (
    Column("currency", "currency", Kind.TEXT),
    Column("paid_cost", "paid", Kind.MONEY),
    Column("cost_of_idle", "cost of idle", Kind.MONEY, term="cost_of_idle"),
    Column("converted", "converted", Kind.YES_NO),
    Column("by_rate", "by rate", Kind.TEXT),
)


def currencies_sheet(spent: Sequence[Spent], sums: Sequence[Converted], about: tuple[tuple[str, str], ...]) -> Sheet:
    """A row for each currency, then one for each into which all others could be converted."""
    rows = (
        *((one.currency, one.paid, one.idle, False, "") for one in spent),
        *((one.currency, one.amount, None, True, _rates(one)) for one in sums),
    )
    return Sheet(NAME, TITLE, COLUMNS, rows, about)


def currencies_told(spent: Sequence[Spent], sums: Sequence[Converted]) -> list[str]:
    """The same in sentences; none where there is but one currency."""
    if len(spent) < 2:
        return []
    paid = " and ".join(notation.amount(one.paid, one.currency) for one in spent if one.paid is not None)
    idle = " and ".join(notation.amount(one.idle, one.currency) for one in spent if one.idle is not None)
    said = [f"Paid: {paid}.{f' Idle of it: {idle}.' if idle else ''}"]
    said += [f"Together {notation.amount(one.amount, one.currency)}, converted by {_rates(one)}." for one in sums]
    if not sums:
        said.append("They are not added: no exchange rate between them was entered for a day of this month.")
    return said


def _rates(one: Converted) -> str:
    return " and ".join(
        f"{rate.rate.normalize():f} {rate.target} for 1 {rate.source} of {notation.day(rate.day)}"
        f"{f' ({rate.said_by})' if rate.said_by else ''}"
        for rate in one.rates
    )
