"""Every table of a month as a file, made of the very figures that its page shows."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.tables.sheet import Sheet
from reservations.views.downloads import FORMS, sheet_response
from telemetry.selectors.currencies import spent_and_converted
from telemetry.selectors.demand import demand_trace
from telemetry.selectors.usage import UsageAsked, usage_parts
from telemetry.tables.break_even import even_sheet
from telemetry.tables.currencies import currencies_sheet
from telemetry.tables.demand import demand_sheet
from telemetry.tables.month_sheets import tiles_sheet, together_sheet, usage_sheet
from telemetry.tables.pool_lines import pools_sheet
from telemetry.tables.usage import part_row, usage_cuts
from telemetry.tables.waterfall import waterfall_sheet
from telemetry.views.asked import Asked, UnableToAnswer, answers_plainly, month_asked
from telemetry.views.behind import sheet_behind
from telemetry.views.downloads import TITLES, about, stem
from telemetry.views.figures import Material, figure_named
from telemetry.views.month_figures import month_of

CUTS = {"by-hour": "hour", "by-day": "day", "month": "month"}
"""The sheets that are rows of `usage`, and how each cuts the month."""

MOST_ROWS = 100_000
"""More than the hours of any pool's month; what somebody still waits for."""


@require_safe
@answers_plainly
def pool_sheet(request: HttpRequest, name: str, month: str, sheet: str, suffix: str) -> HttpResponse:
    """``/pools/NAME/YYYY-MM/SHEET.csv`` or ``.xlsx``."""
    asked = month_asked(request, name=name, month=month, as_of=timezone.now())
    return _answer(request, asked, sheet, suffix)


@require_safe
@answers_plainly
def fleet_sheet(request: HttpRequest, month: str, sheet: str, suffix: str) -> HttpResponse:
    """``/fleet/YYYY-MM/SHEET.csv`` or ``.xlsx``, of the pools this person may see."""
    asked = month_asked(request, name=None, month=month, as_of=timezone.now())
    if not asked.shown:
        raise UnableToAnswer(404, "No pool", "There is no pool that you may see.")
    return _answer(request, asked, sheet, suffix)


def _answer(request: HttpRequest, asked: Asked, name: str, suffix: str) -> HttpResponse:
    build = SHEETS.get(name)
    if suffix not in FORMS or (asked.pool is not None and name == "pools"):
        build = None
    elif build is None:
        build = sheet_behind(request, name) or _figure(request, name)
    if build is None:
        raise UnableToAnswer(404, "No such table", f"There is no table “{name[:40]}.{suffix[:40]}” of a month.")
    return sheet_response(build(asked), suffix, stem(asked, name))


def _usage(name: str) -> Callable[[Asked], Sheet]:
    def built(asked: Asked) -> Sheet:
        if asked.pool is None and name == "by-day":
            return together_sheet(name, TITLES[name], month_of(asked).parts, about(asked))
        parts = usage_cuts(asked.period, by=CUTS[name], zone=asked.zone)
        wanted = UsageAsked(asked.shown, asked.period, parts, asked.until, whole=False)
        fits = len(asked.shown) * len(parts) <= MOST_ROWS
        rows, total = usage_parts(wanted, offset=0, limit=MOST_ROWS if fits else 0)
        if total > len(rows):
            said = f"These are {notation.grouped(total)} rows: take them by day, or those of one pool."
            raise UnableToAnswer(413, "Too much at once", said)
        return usage_sheet(name, TITLES.get(name, "Month"), [part_row(row) for row in rows], about(asked))

    return built


def _tiles(asked: Asked) -> Sheet:
    month = month_of(asked)
    return tiles_sheet(month.compared, month.whole.missing, about(asked))


def _waterfall(asked: Asked) -> Sheet:
    now = month_of(asked).now
    return waterfall_sheet(now.whole, now.money, about(asked))


def _demand(asked: Asked) -> Sheet:
    if asked.pool is None:
        raise UnableToAnswer(404, "No such table", "Nodes of different pools can't stand in for each other.")
    return demand_sheet(demand_trace(pool_id=asked.pool.id, period=asked.period), about(asked))


def _break_even(asked: Asked) -> Sheet:
    now = month_of(asked).now
    return even_sheet(now.whole, now.money, about(asked))


def _currencies(asked: Asked) -> Sheet:
    worths = month_of(asked).now.worth.values()
    return currencies_sheet(*spent_and_converted(worths=worths, period=asked.period), about(asked))


def _pools(asked: Asked) -> Sheet:
    month = month_of(asked)
    return pools_sheet(asked.shown, month.now, month.compared.before, month.missing, about(asked))


SHEETS: dict[str, Callable[[Asked], Sheet]] = {
    **{name: _usage(name) for name in CUTS},
    "tiles": _tiles,
    "break-even": _break_even,
    "currencies": _currencies,
    "waterfall": _waterfall,
    "pools": _pools,
    "demand": _demand,
}


def _figure(request: HttpRequest, name: str) -> Callable[[Asked], Sheet] | None:
    """One of the further figures of a month, by its name."""

    def built(asked: Asked) -> Sheet:
        figure = figure_named(name, Material(request, asked, pools=asked.shown))
        if figure is None:
            raise UnableToAnswer(404, "No such table", f"There is no table “{name[:40]}” of a month.")
        return figure.sheet

    return built
