"""The month of one pool: its figures, its waterfall, its hours and the same numbers as a table."""

from datetime import date, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.selectors.organisation import accounting_zone
from telemetry.charts import stacked_hours
from telemetry.charts import waterfall as waterfall_chart
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.replacement import MADE_UP_WITHIN
from telemetry.domain.rollup import by_day, due_until, roll_up
from telemetry.domain.waterfall import waterfall
from telemetry.selectors.as_of import DataAsOf, data_as_of, metrics_source_of
from telemetry.selectors.ledger import ledger_hours
from telemetry.services.collection import DUE_HOURS_A_RUN
from telemetry.tables import by_step
from telemetry.tables.sources import LATE_AFTER
from telemetry.tables.summaries import hours_summary, waterfall_summary
from telemetry.tables.tiles import tiles
from telemetry.tables.waterfall import bars, shown_steps, unusable
from telemetry.views.asked import Asked, answers_plainly, month_asked
from telemetry.views.behind import hours_behind
from telemetry.views.money import money_of


@require_safe
@answers_plainly
def pool_now(request: HttpRequest, name: str) -> HttpResponse:
    """``/pools/NAME/`` leads to the pool's current month."""
    this_month = timezone.now().astimezone(accounting_zone())
    return redirect("telemetry:pool-month", name=name, month=f"{this_month:%Y-%m}")


@require_safe
@answers_plainly
def pool_month(request: HttpRequest, name: str, month: str) -> HttpResponse:
    """``/pools/NAME/YYYY-MM/``, with ``?day=YYYY-MM-DD`` or ``?step=NAME`` for the hours behind a number."""
    asked = month_asked(request, name=name, month=month, as_of=timezone.now())
    assert asked.pool
    reach = data_as_of(pool_id=asked.pool.id)
    hours = ledger_hours(pool_id=asked.pool.id, period=asked.period)
    until = min(due_until(asked.as_of), asked.period.end)
    context = {
        "section": "month",
        "asked": asked,
        "reach": reach,
        "inventory_late": reach.inventory_at is not None and asked.as_of - reach.inventory_at > LATE_AFTER["inventory"],
        "months": _months(asked, reach),
        "until": until,
    }
    if not hours:
        source = metrics_source_of(pool_id=asked.pool.id)
        made_up = {"hours_a_run": DUE_HOURS_A_RUN, "days_back": MADE_UP_WITHIN.days}
        return render(request, "telemetry/month_empty.html", context | made_up | {"metrics_source": source})
    return render(request, "telemetry/month.html", context | _numbers(request, asked, hours))


def _numbers(request: HttpRequest, asked: Asked, hours: list[LedgerHour]) -> dict[str, object]:
    until = due_until(asked.as_of)
    total = roll_up(hours=hours, period=asked.period, until=until)
    daily = by_day(hours=hours, period=asked.period, zone=asked.zone, until=until)
    fall = waterfall(hours)
    steps = shown_steps(fall)
    money = money_of(asked, hours)
    hours_figure = stacked_hours.figure(hours, asked.period, until, asked.zone)
    return {
        "total": total,
        "tiles": tiles(hours, total, money.cost),
        "money": money,
        "bars": bars(fall, steps, money.steps),
        "unusable": unusable(total, money.unusable, money.currency),
        "waterfall_figure": waterfall_chart.figure(fall.reserved, steps),
        "waterfall_summary": waterfall_summary(fall),
        "hours_figure": hours_figure,
        "hours_summary": hours_summary(hours, total.hours_missing, asked.zone),
        "key": stacked_hours.key(hours_figure),
        "days": by_step.days(hours, daily, total, asked.zone),
        "behind": hours_behind(request, asked, hours),
    }


def _months(asked: Asked, reach: DataAsOf) -> list[date]:
    """The months to choose from, newest first: from the first that was collected, and the one on the page."""
    newest = asked.as_of.astimezone(asked.zone).date().replace(day=1)
    first = reach.first_hour.astimezone(asked.zone).date().replace(day=1) if reach.first_hour else newest
    months = [newest]
    while months[-1] > first:
        months.append((months[-1] - timedelta(days=1)).replace(day=1))
    return sorted({*months, asked.month}, reverse=True)
