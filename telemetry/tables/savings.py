"""What reserving saved, covered and wasted: a row for each pool and one for all, and the sentence above them."""

from collections.abc import Sequence
from decimal import Decimal

from reservations.domain import notation
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.savings import Savings
from telemetry.selectors.savings import Saved
from telemetry.tables.usage import share

NAME = "savings"
TITLE = "What reserving saved"

COLUMNS = (
    Column("pool", "pool", Kind.TEXT),
    Column("effective_savings_rate", "effective savings rate", Kind.SHARE, term="effective_savings_rate"),
    Column("spent_cost", "paid", Kind.MONEY),
    Column("on_demand_equivalent_cost", "busy time on demand", Kind.MONEY),
    Column("reserved_coverage_share", "coverage", Kind.SHARE, term="reserved_coverage"),
    Column("reserved_used_gpus", "ran reserved", Kind.NODES, "GPUs"),
    Column("on_demand_used_gpus", "ran on demand", Kind.NODES, "GPUs"),
    Column("not_busy_cost", "not busy", Kind.MONEY, term="waste_not_busy"),
    Column("not_allocated_cost", "not allocated", Kind.MONEY, term="waste_not_allocated"),
    Column("currency", "currency", Kind.TEXT),
    Column("why_unknown", "why unknown", Kind.TEXT),
)
GPU_STEP = Decimal("0.0001")
NO_LISTING = "what ran on demand was not looked at."


def savings_sheet(together: Saved, each: Sequence[Saved]) -> Sheet:
    """A row for each pool, and one for all of them where there are several."""
    rows = [*each, together] if len(each) > 1 else each
    return Sheet(NAME, TITLE, COLUMNS, tuple(_row(one) for one in rows))


def savings_row(one: Saved) -> dict[str, object]:
    """One row under the names that commands and the API have."""
    return dict(zip((column.name for column in COLUMNS), _row(one), strict=True))


def savings_summary(one: Saved) -> str:
    """What reserving saved, how much of what ran was reserved, and what went to waste."""
    without = f"Without {', '.join(one.savings.left_out)}, of which it is not known." if one.savings.left_out else ""
    return " ".join(filter(None, (_rate(one.savings), _coverage(one), _waste(one.savings), without)))


def _row(one: Saved) -> tuple[object, ...]:
    savings, gpus = one.savings, one.gpus
    return (
        one.name,
        share(savings.rate),
        savings.spent,
        savings.equivalent,
        share(gpus.coverage),
        _gpus(gpus.reserved),
        _gpus(gpus.on_demand),
        savings.not_busy,
        savings.not_allocated,
        savings.currency or None,
        _why(one) or None,
    )


def _why(saved: Saved) -> str:
    savings = saved.savings
    said = [savings.why_not]
    if savings.currency and savings.spent is None:
        said.append("busy time is not known, or a day has no reserved price.")
    elif savings.currency and savings.equivalent is None:
        said.append("some of these days have no on-demand price.")
    if savings.left_out:
        said.append(f"without {', '.join(savings.left_out)}.")
    if saved.gpus.on_demand is None:
        said.append(NO_LISTING)
    elif saved.gpus.reserved is None:
        said.append("what ran in the reservations is not known.")
    return f"{'; '.join(one.removesuffix('.') for one in said if one)}." if any(said) else ""


def _rate(savings: Savings) -> str:
    if savings.rate is None or savings.spent is None or savings.equivalent is None:
        return f"What reserving saved is not known{f': {savings.why_not}' if savings.why_not else '.'}"
    paid, instead = (notation.amount(value, savings.currency) for value in (savings.spent, savings.equivalent))
    kept = "saved" if savings.rate >= 0 else "cost"
    more = "" if savings.rate >= 0 else " more"
    return (
        f"Reserving {kept} {notation.percent(abs(savings.rate))}{more}: {paid} paid, and the time that was busy "
        f"would have cost {instead} on demand."
    )


def _coverage(one: Saved) -> str:
    if one.gpus.coverage is None:
        return "" if one.gpus.on_demand is not None else f"Coverage is not known: {NO_LISTING}"
    return f"{notation.percent(one.gpus.coverage)} of the GPUs that ran were reserved."


def _waste(savings: Savings) -> str:
    told = [
        f"{notation.amount(cost, savings.currency)} for time {what}"
        for cost, what in ((savings.not_busy, "not busy"), (savings.not_allocated, "not allocated"))
        if cost is not None
    ]
    return f"Of what was reserved, {', '.join(told)}." if told else ""


def _gpus(value: Decimal | None) -> Decimal | None:
    return None if value is None else value.quantize(GPU_STEP)
