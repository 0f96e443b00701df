"""The further figures of a month: a part of its page that is fetched when it comes into view, or a page by itself.

Those of all pools come in two parts: the hours of the week are read from every hour of every pool, all else is not.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from telemetry.tables import week
from telemetry.views.addresses import kept, money_address, week_address
from telemetry.views.asked import Asked, UnableToAnswer, answers_plainly, month_asked
from telemetry.views.figures import FIGURES, MONEY, Figure, Material, figures_of
from telemetry.views.month_frame import month_frame

CLOCK = "clock"
"""The form that asks for the hours of the week by another clock; it wants nothing else drawn again."""

WITHOUT_WEEK = tuple(name for name in FIGURES if name != week.NAME)


@require_safe
@answers_plainly
def pool_figures(request: HttpRequest, name: str, month: str) -> HttpResponse:
    """``/pools/NAME/YYYY-MM/figures/``."""
    return _shown(request, month_asked(request, name=name, month=month, as_of=timezone.now()))


@require_safe
@answers_plainly
def fleet_figures(request: HttpRequest, month: str) -> HttpResponse:
    """``/fleet/YYYY-MM/figures/``: all but the week, which has an address of its own."""
    return _shown(request, _fleet(request, month), WITHOUT_WEEK)


@require_safe
@answers_plainly
def fleet_week(request: HttpRequest, month: str) -> HttpResponse:
    """``/fleet/YYYY-MM/figures/week/``."""
    return _shown(request, _fleet(request, month), [week.NAME])


@require_safe
@answers_plainly
def pool_money(request: HttpRequest, name: str, month: str) -> HttpResponse:
    """``/pools/NAME/YYYY-MM/figures/money/``: what reserving saved, and what was paid twice."""
    return _shown(request, month_asked(request, name=name, month=month, as_of=timezone.now()), MONEY)


@require_safe
@answers_plainly
def fleet_money(request: HttpRequest, month: str) -> HttpResponse:
    """``/fleet/YYYY-MM/figures/money/``: the same of all pools."""
    return _shown(request, _fleet(request, month), MONEY)


def _fleet(request: HttpRequest, month: str) -> Asked:
    asked = month_asked(request, name=None, month=month, as_of=timezone.now())
    if not asked.shown:
        raise UnableToAnswer(404, "No pool", "There is no pool that you may see and that the filter leaves.")
    return asked


def _shown(request: HttpRequest, asked: Asked, names: Iterable[str] = FIGURES) -> HttpResponse:
    material = Material(request, asked, pools=asked.shown)
    if not request.htmx or request.htmx.boosted:
        parts = _parts(request, asked, figures_of(material, names))
        return render(request, "telemetry/figures_page.html", month_frame(request, asked) | parts)
    if request.htmx.trigger == CLOCK:
        response = _together(request, asked, figures_of(material, [week.NAME]))
        if page := _page_around(request):
            response["HX-Replace-Url"] = f"{page}{kept(request)}"
        return response
    return _together(request, asked, figures_of(material, names))


def _page_around(request: HttpRequest) -> str:
    """The path of our page that asks; blank where the browser names another place, or none that can be read."""
    try:
        return urlsplit(request.htmx.current_url_abs_path or "").path
    except ValueError:
        return ""


def _together(request: HttpRequest, asked: Asked, figures: dict[str, Figure]) -> HttpResponse:
    return render(request, "telemetry/figures/together.html", _parts(request, asked, figures) | {"asked": asked})


def _parts(request: HttpRequest, asked: Asked, figures: dict[str, Figure]) -> dict[str, object]:
    """The figures that are here, and where the week and what is told of money are fetched from."""
    return {
        "figures": figures,
        "money_at": f"{money_address(asked)}{kept(request, day=None, step=None)}",
        "week": {
            "name": week.NAME,
            "title": week.TITLE,
            "address": f"{week_address(asked)}{kept(request, day=None, step=None)}",
        },
    }
