"""Whether holding was worth it, month by month: busy against reserved and paid, and the break-even."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from reservations.domain import notation
from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.totals import UseTotals
from telemetry.tables.usage import gpu_hours

NAME = "by-month"
TITLE = "Was it worth it"

COLUMNS = (
    Column("month", "month", Kind.TEXT),
    Column("to_date", "to date", Kind.YES_NO),
    Column("busy_gpu_hours", "busy", Kind.GPU_HOURS, "GPU-hours", "busy"),
    Column("reserved_gpu_hours", "reserved", Kind.GPU_HOURS, "GPU-hours", "reserved"),
    Column("busy_share", "busy ÷ reserved", Kind.SHARE, "", "busy_share"),
    Column("busy_paid_share", "busy ÷ paid", Kind.SHARE, "", "busy_paid_share"),
    Column("coverage_share", "coverage", Kind.SHARE, "", "coverage"),
)


@dataclass(frozen=True, slots=True)
class MonthOfUse:
    """One month's use, None where nothing was collected; ``to_date``: it still runs."""

    month: date
    totals: UseTotals | None
    to_date: bool

    @property
    def share(self) -> Decimal | None:
        """Busy ÷ reserved."""
        return None if self.totals is None else self.totals.busy_share


def by_month_sheet(months: Sequence[MonthOfUse]) -> Sheet:
    """One row for each month, oldest first."""
    return Sheet(NAME, TITLE, COLUMNS, tuple(_row(one) for one in months))


def by_month_summary(
    months: Sequence[MonthOfUse], break_even: Decimal | None, why_no_even: str, adjusted: Decimal | None = None
) -> str:
    """In how many full months busy ÷ paid was above the break-even, or what it was where none is known."""
    full = [one.totals.busy_paid_share for one in months if one.totals is not None and not one.to_date]
    known = [share for share in full if share is not None]
    running = [one for one in months if one.to_date and one.share is not None]
    apart = f" {notation.month(running[0].month)} to date: {notation.percent(running[0].share)}." if running else ""
    if not known:
        return f"Busy ÷ paid is not known for any full month.{apart}"
    counted = "1 full month" if len(known) == 1 else f"{len(known)} full months"
    if break_even is None:
        span = f"{notation.percent(min(known))} to {notation.percent(max(known))}"
        return f"Busy ÷ paid was {span} in {counted}.{apart} No break-even: {why_no_even}"
    above = sum(share > break_even for share in known)
    even = notation.percent(break_even)
    fails = ""
    if adjusted is not None:
        over = sum(share > adjusted for share in known)
        fails = f", and above the {notation.percent(adjusted)} with launches that fail in {over}"
    return f"Busy ÷ paid was above this month's break-even of {even} in {above} of {counted}{fails}.{apart}"


def why_no_months(months: Sequence[MonthOfUse]) -> str:
    """Why there is nothing to draw; blank where there is."""
    if any(one.share is not None for one in months):
        return ""
    if not any(one.totals is not None for one in months):
        return "No hour of these months is in the ledger."
    return "Busy time is not known in any hour of these months."


def _row(one: MonthOfUse) -> tuple[object, ...]:
    totals = one.totals or UseTotals()
    return (
        f"{one.month:%Y-%m}",
        one.to_date,
        gpu_hours(totals.busy),
        gpu_hours(totals.reserved),
        totals.busy_share,
        totals.busy_paid_share,
        totals.coverage,
    )
