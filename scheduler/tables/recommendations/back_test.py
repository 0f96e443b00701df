"""The back-test as a sheet, and in one sentence."""

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from reservations.domain import notation
from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.domain.recommendation.back_test import MonthTested

COLUMNS = (
    Column("month", "month", Kind.TEXT),
    Column("hours", "hours known", Kind.COUNT),
    Column("held_nodes", "held on average", Kind.NODES, "nodes"),
    Column("advised_nodes", "advised", Kind.COUNT, "nodes"),
    Column("held_cost", "cost as held", Kind.MONEY),
    Column("advised_cost", "cost as advised", Kind.MONEY),
    Column("saved", "saved", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
    Column("reason", "why nothing", Kind.TEXT),
)


def back_test_sheet(pool: str, months: Sequence[MonthTested], about: tuple[tuple[str, str], ...] = ()) -> Sheet:
    """A row for each month, oldest first; a month that says nothing has its reason."""
    rows = tuple(
        (
            f"{one.month:%Y-%m}",
            one.hours,
            one.held_nodes,
            one.advised_nodes,
            one.held_cost,
            one.advised_cost,
            one.saved,
            one.currency or None,
            one.why_not or None,
        )
        for one in months
    )
    return Sheet("back-test", f"What past advice would have cost, {pool}", COLUMNS, rows, about)


def back_test_words(months: Sequence[MonthTested]) -> str:
    """What all months that say something come to; currencies stand beside one another."""
    sums: defaultdict[str, Decimal] = defaultdict(Decimal)
    told = [one for one in months if one.saved is not None]
    for one in told:
        sums[one.currency] += one.saved or Decimal(0)
    if not told:
        return f"None of the {len(months)} months says anything: the reasons stand beside them."
    said = " and ".join(
        f"{notation.amount(abs(amount), currency)} {'less' if amount >= 0 else 'more'}"
        for currency, amount in sorted(sums.items())
    )
    of = f"{len(told)} of {len(months)} months" if len(told) < len(months) else f"{len(told)} months"
    return f"To hold what was advised would have cost {said} over {of}."
