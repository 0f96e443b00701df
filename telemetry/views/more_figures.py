"""The further figures of a month: a part of its page that is fetched when it comes into view, or a page by itself."""

from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from telemetry.tables import week
from telemetry.views.addresses import kept
from telemetry.views.asked import Asked, UnableToAnswer, answers_plainly, month_asked
from telemetry.views.figures import Figure, Material, figures_of
from telemetry.views.month_frame import month_frame

CLOCK = "clock"
"""The form that asks for the hours of the week by another clock; it wants nothing else drawn again."""


@require_safe
@answers_plainly
def pool_figures(request: HttpRequest, name: str, month: str) -> HttpResponse:
    """``/pools/NAME/YYYY-MM/figures/``."""
    return _shown(request, month_asked(request, name=name, month=month, as_of=timezone.now()))


@require_safe
@answers_plainly
def fleet_figures(request: HttpRequest, month: str) -> HttpResponse:
    """``/fleet/YYYY-MM/figures/``."""
    asked = month_asked(request, name=None, month=month, as_of=timezone.now())
    if not asked.shown:
        raise UnableToAnswer(404, "No pool", "There is no pool that you may see and that the filter leaves.")
    return _shown(request, asked)


def _shown(request: HttpRequest, asked: Asked) -> HttpResponse:
    material = Material(request, asked, pools=asked.shown)
    if not request.htmx or request.htmx.boosted:
        figures = {"figures": figures_of(material)}
        return render(request, "telemetry/figures_page.html", month_frame(request, asked) | figures)
    if request.htmx.trigger == CLOCK:
        response = _together(request, asked, figures_of(material, [week.NAME]))
        if page := _page_around(request):
            response["HX-Replace-Url"] = f"{page}{kept(request)}"
        return response
    return _together(request, asked, figures_of(material))


def _page_around(request: HttpRequest) -> str:
    """The path of our page that asks; blank where the browser names another place, or none that can be read."""
    try:
        return urlsplit(request.htmx.current_url_abs_path or "").path
    except ValueError:
        return ""


def _together(request: HttpRequest, asked: Asked, figures: dict[str, Figure]) -> HttpResponse:
    return render(request, "telemetry/figures/together.html", {"figures": figures, "asked": asked})
