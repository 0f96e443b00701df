"""One hour of one pool: what became of it, and the queues, nodes and pods behind it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.period import HOUR, Period
from reservations.tables.sheet import Sheet
from reservations.views.downloads import FORMS, sheet_response
from telemetry.charts import waterfall as waterfall_chart
from telemetry.domain.totals import Totals, totals_of
from telemetry.domain.worth import Worth
from telemetry.selectors.details import hour_nodes, hour_pods
from telemetry.selectors.hour_worth import hour_worth
from telemetry.selectors.one_hour import OneHour, one_hour
from telemetry.tables.hour_sheets import nodes_sheet, pods_sheet, queues_sheet
from telemetry.tables.summaries import waterfall_summary
from telemetry.tables.waterfall import bars, shown_steps, waterfall_sheet
from telemetry.views.addresses import hour_address, kept
from telemetry.views.asked import Asked, UnableToAnswer, answers_plainly, hour_asked
from telemetry.views.month_frame import month_crumbs

T = TypeVar("T")

SHEETS: dict[str, Callable[[Asked, Period, OneHour | None], Sheet]] = {
    "waterfall": lambda asked, _hour, told: _waterfall(asked, told),
    "queues": lambda asked, _hour, told: queues_sheet(_of_owner(asked, told.queues if told else ())),
    "nodes": lambda asked, hour, _told: nodes_sheet(hour_nodes(pool_id=asked.ids[0], hour=hour.start)),
    "pods": lambda asked, hour, _told: pods_sheet(
        _of_owner(asked, hour_pods(pool_id=asked.ids[0], hour=hour.start)), until=hour.end
    ),
}


@require_safe
@answers_plainly
def pool_hour(request: HttpRequest, name: str, hour: str) -> HttpResponse:
    """``/pools/NAME/hours/YYYY-MM-DDTHH/``, an hour in UTC, with ``?owner=TEAM`` for one team's queues and pods."""
    asked, period = hour_asked(request, name=name, hour=hour, as_of=timezone.now())
    told = one_hour(pool_id=asked.ids[0], hour=period.start)
    context = _frame(request, asked, period)
    if told is None:
        return render(request, "telemetry/hour_empty.html", context)
    return render(request, "telemetry/hour.html", context | _numbers(request, asked, period, told))


@require_safe
@answers_plainly
def hour_sheet(request: HttpRequest, name: str, hour: str, sheet: str, suffix: str) -> HttpResponse:
    """``/pools/NAME/hours/YYYY-MM-DDTHH/SHEET.csv`` or ``.xlsx``."""
    asked, period = hour_asked(request, name=name, hour=hour, as_of=timezone.now())
    if sheet not in SHEETS or suffix not in FORMS:
        raise UnableToAnswer(404, "No such table", f"There is no table “{sheet[:40]}.{suffix[:40]}” of an hour.")
    told = one_hour(pool_id=asked.ids[0], hour=period.start)
    return sheet_response(SHEETS[sheet](asked, period, told), suffix, f"moorage-{name}-{hour}-{sheet}")


def _frame(request: HttpRequest, asked: Asked, hour: Period) -> dict[str, object]:
    local = hour.start.astimezone(asked.zone)
    on_day = replace(asked, day=local.date())
    said = notation.hour(hour.start, asked.zone)
    following = hour.end + HOUR <= asked.as_of
    return {
        "section": "month",
        "asked": asked,
        "hour": hour,
        "said": said,
        "day": local.date(),
        "earlier": f"{hour_address(_name(asked), hour.start - HOUR)}{kept(request)}",
        "later": f"{hour_address(_name(asked), hour.end)}{kept(request)}" if following else "",
        "crumbs": month_crumbs(request, on_day, said),
        "whose": asked.team or asked.owner,
        "everybody": kept(request, owner=None, team=None) or "?",
    }


def _numbers(request: HttpRequest, asked: Asked, hour: Period, told: OneHour) -> dict[str, object]:
    totals = totals_of([told.ledger])
    worth = _worth(asked, told, totals)
    fall = totals.waterfall()
    rows = bars(fall, worth)
    sheets = {name: build(asked, hour, told) for name, build in SHEETS.items() if name != "waterfall"}
    return {
        "told": told,
        "totals": totals,
        "money": worth,
        "bars": rows,
        "waterfall_summary": waterfall_summary(fall),
        "waterfall_figure": waterfall_chart.figure(
            fall.reserved, shown_steps(fall), written=[(bar.hours, bar.share) for bar in rows]
        ),
        "sheets": sheets,
        "query": kept(request),
        "hour_words": notation.instant(hour.start, asked.zone),
        "hour_key": f"{hour.start:%Y-%m-%dT%H}",
        "why_no_details": _why_no_details(asked, told, sheets["nodes"]),
    }


def _worth(asked: Asked, told: OneHour, totals: Totals) -> Worth:
    return hour_worth(pool=asked.shown[0], hour=told.ledger.hour, totals=totals, person=asked.person)


def _waterfall(asked: Asked, told: OneHour | None) -> Sheet:
    totals = totals_of([told.ledger] if told else [])
    return waterfall_sheet(totals, _worth(asked, told, totals) if told else Worth())


def _why_no_details(asked: Asked, told: OneHour, nodes: Sheet) -> str:
    """Why no node is listed; blank where there are some."""
    if nodes.rows:
        return ""
    days = settings.HOUR_DETAILS_DAYS
    if told.ledger.hour < asked.as_of - timedelta(days=days):
        return f"Nodes and pods are kept for {days} days, and this hour is older. What it came to stays in the ledger."
    if told.ledger.expected is None:
        return "Nobody told which nodes were there: expected is not known in this hour."
    if not told.ledger.expected:
        return "No node of this pool had joined the cluster in this hour."
    return (
        "This hour was put into the ledger without its nodes and pods. Collecting it again brings them, if the "
        "source still has its samples."
    )


def _of_owner(asked: Asked, rows: Sequence[T]) -> list[T]:
    wanted = asked.team or asked.owner
    return [row for row in rows if not wanted or getattr(row, "team", "") == wanted]


def _name(asked: Asked) -> str:
    return asked.shown[0].name
