"""The figures every month has, of one pool or of many: tiles, waterfall, days."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest

from reservations.domain.period import Period
from telemetry.charts import waterfall as waterfall_chart
from telemetry.domain.rollup import due_hours
from telemetry.domain.totals import Totals
from telemetry.selectors.currencies import spent_and_converted
from telemetry.selectors.month_sums import MonthSums, month_sums
from telemetry.tables import by_step
from telemetry.tables.break_even import even_told
from telemetry.tables.compared import Compared, Figures
from telemetry.tables.currencies import currencies_told
from telemetry.tables.summaries import waterfall_summary
from telemetry.tables.tiles import tiles
from telemetry.tables.waterfall import bars, shown_steps, unusable
from telemetry.views.addresses import halves, kept, more_address
from telemetry.views.asked import Asked
from telemetry.views.downloads import downloads
from telemetry.views.figures import SECTIONS


@dataclass(frozen=True, slots=True)
class Month:
    """What was asked for, added up: the month against the one before, and its days."""

    asked: Asked
    compared: Compared
    parts: Sequence[by_step.Part]
    whole: by_step.Part

    @property
    def missing(self) -> dict[int, int]:
        """How many hours were due and never collected, by pool."""
        return missing_in(self.asked.period, self.asked.until, self.now.totals, self.asked.ids)

    @property
    def now(self) -> Figures:
        """The month itself."""
        return self.compared.now


def month_of(asked: Asked) -> Month:
    """The sums of what is shown."""
    sums = month_sums(pools=asked.shown, month=asked.period, before=asked.before, days=asked.days, person=asked.person)
    parts = by_step.day_parts(asked.days, sums.days, asked.until, len(asked.shown))
    due = len(asked.shown) * due_hours(asked.period, asked.until)
    compared = _compared(asked, sums)
    # hours read before they were due don't make up for others that were never collected
    missing = max(sum(part.missing for part in parts), due - compared.now.whole.hours)
    whole = by_step.Part(asked.period, compared.now.whole, missing, asked.to_date)
    return Month(asked, compared, parts, whole)


def month_context(request: HttpRequest, month: Month, *, steps: str, days: str) -> dict[str, object]:
    """The context of the tiles, the waterfall and the days.

    ``steps`` and ``days`` are the addresses of what is behind a step and a day, with ``{}`` for it.
    """
    totals, worth = month.now.whole, month.now.money
    fall = totals.waterfall()
    rows = bars(fall, worth)
    written = [(bar.hours, bar.share) for bar in rows]
    return {
        "totals": totals,
        "money": worth,
        "basis": month.compared.basis(),
        "tiles": tiles(month.compared, month.whole.missing),
        "even": even_told(totals, worth),
        "currencies": currencies_told(*spent_and_converted(worths=month.now.worth.values(), period=month.asked.period)),
        "bars": rows,
        "unusable": unusable(totals, worth),
        "waterfall_figure": waterfall_chart.figure(fall.reserved, shown_steps(fall), written=written, leads=steps),
        "waterfall_summary": waterfall_summary(fall),
        "days": by_step.days(month.parts, month.whole, month.asked.zone),
        "step_lead": halves(steps),
        "day_lead": halves(days),
        "close": kept(request, day=None, step=None) or "?",
        "more": f"{more_address(month.asked)}{kept(request, day=None, step=None)}",
        "downloads": downloads(request, month.asked),
        "jump": _jump(request, month.asked),
    }


def _jump(request: HttpRequest, asked: Asked) -> dict[str, list[tuple[str, str]]]:
    """The sections of the page by their ids: those that stand there, and those that come when they are looked for."""
    behind = asked.day or request.GET.get("step")
    here = [
        ("break-even", "Does holding pay"),
        ("waterfall", "Where the reserved hours went"),
        ("days-chart-title", "Day by day") if asked.pool is None else ("hours-chart-title", "Hour by hour"),
        *([("hours", "What is behind the number")] if behind else []),
        *([("pools", "Pool by pool")] if asked.pool is None else []),
        ("days", "By day"),
    ]
    return {"here": here, "further": list(SECTIONS.items())}


def _compared(asked: Asked, sums: MonthSums) -> Compared:
    names = {pool.id: pool.name for pool in asked.shown}
    return Compared(
        Figures(asked.month, names, sums.now, sums.worth),
        Figures(asked.month_before, names, sums.before, sums.worth_before),
    )


def missing_in(
    period: Period, until: datetime, totals: Mapping[int, Totals], pool_ids: Sequence[int]
) -> dict[int, int]:
    """How many hours of a period were due and never collected, by pool."""
    due = due_hours(period, until)
    return {one: max(0, due - (totals[one].hours if one in totals else 0)) for one in pool_ids}
