"""Tables of a sizing as the page shows them, where people want other rows than machines."""

from collections.abc import Iterable
from decimal import Decimal

from reservations.domain import notation
from reservations.tables.sheet import Column, Kind, Sheet
from scheduler.domain.sizing.alternatives import Alternative, Way
from scheduler.domain.sizing.question import Answer
from scheduler.domain.sizing.sensitivity import Sensitivity
from scheduler.tables.sizing.words import WAYS, nodes_text

SAME = (Way.RULE, Way.ADJUSTED, Way.PLATEAU_LOW, Way.PLATEAU_HIGH)
"""Ways that are left out of the table where another way already has their size."""


def regret_shown(answer: Answer) -> Sheet:
    """Each way once, by what it costs, with the expected shortage where that is known."""
    currency = answer.priced.prices.currency
    adjusted = answer.priced.prices.shortage is not None
    rows = [_row(one, adjusted) for one in _once(answer.sizing.sized.alternatives if answer.sizing.sized else ())]
    columns = (
        Column("way", "what one may do", Kind.TEXT),
        Column("nodes", "held", Kind.COUNT, "nodes"),
        Column("reserved_cost", "reserved", Kind.MONEY, currency),
        Column("overflow_cost", "overflow", Kind.MONEY, currency, "overflow"),
        *((Column("shortage_cost", "shortage", Kind.MONEY, currency, "shortage_cost"),) if adjusted else ()),
        Column("total_cost", "total", Kind.MONEY, currency),
        Column("regret", "regret", Kind.MONEY, currency, "regret"),
    )
    return Sheet("regret", "What every other way costs", columns, tuple(rows))


def _once(alternatives: Iterable[Alternative]) -> list[Alternative]:
    """Known costs first, cheapest on top; what has no cost at the end."""
    kept: list[Alternative] = []
    for one in alternatives:
        if one.way in SAME and any(other.nodes == one.nodes and other.way is not Way.SHED for other in kept):
            continue
        kept.append(one)
    return sorted(kept, key=lambda one: (one.cost is None, _total(one)))


def _total(one: Alternative) -> Decimal:
    cost = one.adjusted or one.cost
    return Decimal(0) if cost is None else cost.total


def _row(one: Alternative, adjusted: bool) -> tuple[object, ...]:
    cost = one.adjusted if adjusted else one.cost
    regret = one.adjusted_regret if adjusted else one.regret
    name = f"{WAYS[one.way]} ({one.why_not})" if one.why_not else WAYS[one.way]
    if cost is None:
        return (name, one.nodes, None, None, *((None,) if adjusted else ()), None, None)
    shortage = (cost.shortage,) if adjusted else ()
    return (name, one.nodes, cost.reserved, cost.overflow, *shortage, cost.total, regret)


def sensitivity_shown(answer: Answer) -> Sheet:
    """A row for each q and a column for each L: the size, and what the proposal would cost more than it."""
    sized = answer.sizing.sized
    cells = sized.sensitivity if sized else ()
    losses = sorted({cell.shortage_cost for cell in cells})
    currency = answer.priced.prices.currency
    unit = f"{currency} a node-hour".strip()
    columns = (
        Column("fail_probability", "launches that fail", Kind.SHARE, "", "fail_probability"),
        *(Column(f"at_{loss:f}", f"L {notation.grouped(loss, 0 if loss == int(loss) else 2)}", Kind.TEXT, unit)
          for loss in losses),
    )  # fmt: skip
    found = {(cell.fail_probability, cell.shortage_cost): cell for cell in cells}
    rows = tuple(
        (chance, *(_cell(found.get((chance, loss))) for loss in losses))
        for chance in sorted({cell.fail_probability for cell in cells})
    )
    return Sheet("sensitivity", "If q and L were otherwise", columns, rows)


def _cell(cell: Sensitivity | None) -> str | None:
    if cell is None:
        return None
    size = nodes_text(cell.nodes)
    return size if not cell.regret else f"{size}, {notation.grouped(cell.regret)} regret"
