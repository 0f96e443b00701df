"""The month of every pool a person may see, together and one by one."""

from collections.abc import Sequence
from datetime import date, datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.period import days_of
from reservations.views.asking import zones_on
from reservations.views.columns import NAME as CHOICE
from reservations.views.columns import Columns, columns_asked, told_apart
from reservations.views.paging import page_asked, paged
from telemetry.charts import stacked_bars
from telemetry.tables import by_step
from telemetry.tables.compared import Figures
from telemetry.tables.pool_lines import largest_first, pool_lines, step_lines
from telemetry.tables.summaries import days_summary
from telemetry.views.addresses import FILTERS, fleet_address, kept
from telemetry.views.asked import answers_plainly, month_asked
from telemetry.views.behind import DAY_POOLS, HOURS, LABELS, STEP_POOLS, day_of_pools, step_asked
from telemetry.views.downloads import behind
from telemetry.views.month_figures import Month, month_context, month_of
from telemetry.views.month_frame import month_frame

CHOSEN = ("pool", "month")

COLUMNS = {
    "reserved": "reserved",
    "allocated": "allocated",
    "busy": "busy",
    "share": "busy ÷ reserved",
    "even": "break-even",
    "adjusted": "break-even with launches that fail",
    "points": "points on the month before",
    "idle_held": "idle, held",
    "idle_free": "idle, free",
    "coverage": "coverage",
    "cost": "cost of idle",
    "remarks": "remarks",
}
AT_FIRST = [name for name in COLUMNS if name not in {"allocated", "even", "adjusted", "idle_free"}]
"""The columns of the pools, and those that are shown where none are named."""

A_PAGE = 25
"""How many pools stand on one page."""


@require_safe
def fleet_now(request: HttpRequest) -> HttpResponse:
    """``/fleet/`` leads to the current month; with ``?pool=NAME&month=YYYY-MM``, as the switchers ask, to that one."""
    name, month = (request.GET.get(key, "") for key in CHOSEN)
    month = month or f"{timezone.now().astimezone(zones_on(request).accounting):%Y-%m}"
    try:
        address = (
            reverse("telemetry:pool-month", kwargs={"name": name, "month": month})
            if name
            else reverse("telemetry:fleet-month", kwargs={"month": month})
        )
    except NoReverseMatch:
        address = reverse("telemetry:fleet-month", kwargs={"month": "-"})
    return redirect(f"{address}{kept(request, day=None, step=None)}")


@require_safe
@answers_plainly
def fleet_month(request: HttpRequest, month: str) -> HttpResponse:
    """``/fleet/YYYY-MM/``, with ``?day=YYYY-MM-DD`` or ``?step=NAME`` for what is behind a number."""
    asked = month_asked(request, name=None, month=month, as_of=timezone.now())
    columns = columns_asked(request, COLUMNS, at_first=AT_FIRST)
    if plain := told_apart(request, columns):
        return redirect(plain)
    frame = month_frame(request, asked)
    if not asked.shown:
        return render(request, "telemetry/no_pool.html", frame)
    added = month_of(asked)
    if not added.now.whole.hours:
        return render(request, "telemetry/fleet_empty.html", frame | {"first_hour": _first_hour(frame["reach"])})
    return render(request, "telemetry/fleet_month.html", frame | _numbers(request, added) | _chosen(request, columns))


def _chosen(request: HttpRequest, columns: Columns) -> dict[str, object]:
    """The columns of the pools, and what else the address says."""
    rest = {name: request.GET[name] for name in FILTERS if name != CHOICE and request.GET.get(name)}
    return {
        "columns": columns,
        "columns_kept": rest.items(),
        "columns_at": "#pools",
        "columns_reset": f"{kept(request, columns=None) or '?'}#pools",
    }


def _first_hour(reach: object) -> datetime | None:
    assert isinstance(reach, dict)  # nosec B101
    return min((one.first_hour for one in reach.values() if one.first_hour), default=None)


def _numbers(request: HttpRequest, month: Month) -> dict[str, object]:
    asked, here = month.asked, fleet_address(month.asked.month)
    steps = f"{here}{kept(request, day=None, slot='step')}#hours"
    each_day = f"{here}{kept(request, step=None, slot='day')}#hours"
    figure = stacked_bars.figure(
        [_day(part, day) for part, day in zip(month.parts, _days(month), strict=True)],
        unit="GPU-hours per day",
        title=f"day, {notation.zone_name(asked.zone)}",
        leads=each_day,
        ahead=_ahead(month),
    )
    return month_context(request, month, steps=steps, days=each_day) | {
        "days_figure": figure,
        "days_summary": days_summary(month.parts, asked.zone),
        "key": stacked_bars.key(figure),
        "before": month.compared.month,
        "owned": _owned(request),
        **_pools(request, month),
        **_behind(request, month),
    }


def _owned(request: HttpRequest) -> tuple[str, str, str]:
    """What stands before the name of an owner to see its pools alone, or all but them, and what after it."""
    rest = kept(request, owner=None, without=None).replace("?", "&", 1)
    return "?owner=", "?without=", f"{rest}#pools"


def _pools(request: HttpRequest, month: Month) -> dict[str, object]:
    pools = largest_first(month.asked.shown, month.now)
    page = paged(
        page_asked(request),
        count=len(pools),
        a_page=A_PAGE,
        address=lambda page: f"{kept(request, page=str(page))}#pools",
    )
    shown = pools[page.start : page.end]
    return {"paged": page, "lines": pool_lines(shown, month.now, month.compared.before, month.missing)}


def _behind(request: HttpRequest, month: Month) -> dict[str, object]:
    """What is behind a day or a step: its hours and its pools."""
    asked, step = month.asked, step_asked(request)
    if asked.day and (day := day_of_pools(asked)):
        heading = f"Hours of {notation.day(asked.day)}"
        nothing = Figures(asked.month, {}, {}, {})
        return {
            "heading": heading,
            "behind_query": f"{kept(request)}#hours",
            "behind_files": behind(request, asked, HOURS, heading),
            "hours_table": by_step.hours_of(day.parts, asked.zone, dated=False, step=step),
            "pools_files": behind(request, asked, DAY_POOLS, f"pools on {notation.day(asked.day)}"),
            "day_lines": pool_lines(largest_first(asked.shown, day.figures), day.figures, nothing, day.missing),
        }
    if step:
        heading = f"Pools with most “{LABELS[step]}”"
        return {
            "heading": heading,
            "behind_query": f"{kept(request)}#hours",
            "behind_files": behind(request, asked, STEP_POOLS, heading),
            "step_lines": step_lines(asked.shown, month.now, step),
        }
    return {}


def _days(month: Month) -> Sequence[date]:
    return [part.period.start.astimezone(month.asked.zone).date() for part in month.parts]


def _ahead(month: Month) -> Sequence[str]:
    """The days of a running month that are to come."""
    known, whole = _days(month), days_of(month.asked.period, month.asked.zone)
    return [notation.day_of_month(day) for day, _ in whole if known and day > known[-1]]


def _day(part: by_step.Part, day: date) -> stacked_bars.Column:
    return stacked_bars.Column(
        key=day.isoformat(),
        label=notation.day_of_month(day),
        said=f"{day:%a} {notation.day_of_month(day)}",
        totals=part.totals,
        missing=part.missing,
        to_date=part.to_date,
    )
