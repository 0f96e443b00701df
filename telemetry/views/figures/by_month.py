"""Was it worth it: the last twelve months against the break-even."""

from telemetry.charts import by_month as chart
from telemetry.tables import by_month
from telemetry.views.figures.figure import Figure, even_key
from telemetry.views.figures.material import Material


def worth_by_month(material: Material) -> Figure:
    """Busy ÷ reserved by month; the month that still runs apart."""
    months, worth = material.months, material.worth
    why = by_month.why_no_months(months)
    columns = [
        (one.month, one.share, one.totals.busy_paid_share if one.totals else None, one.to_date) for one in months
    ]
    no_even = worth.why_no_even if material.hours else "no hour of this month is in the ledger yet."
    runs = any(one.to_date for one in months)
    return Figure(
        name=by_month.NAME,
        title=by_month.TITLE,
        summary="" if why else by_month.by_month_summary(months, worth.break_even, no_even, worth.adjusted),
        sheet=by_month.by_month_sheet(months),
        label="Busy ÷ reserved by month",
        chart=None if why else chart.figure(columns, worth.break_even, worth.adjusted),
        key=() if why else (*_key(runs), *even_key(worth.break_even, worth.adjusted)),
        shape="chart-by-month",
        why_empty=why,
        term="break_even",
        term_label="break-even",
    )


def _key(runs: bool) -> tuple[tuple[str, str], ...]:
    return (("owner_busy", "full month"), ("running", "to date")) if runs else ()
