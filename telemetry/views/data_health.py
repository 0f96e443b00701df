"""Whether the numbers can be trusted: sources, what they last said, and the hours that are in doubt."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from reservations.views.answers import answers_plainly
from telemetry.views.health_asked import PARTS, HealthAsked, health_asked
from telemetry.views.health_parts import collection_part, hours_part, overview_part, suspects_part

CONTEXTS: dict[str, Callable[[HealthAsked, HttpRequest], dict[str, object]]] = {
    "overview": overview_part,
    "hours": hours_part,
    "suspects": suspects_part,
    "collection": collection_part,
}


@require_safe
@answers_plainly
def data_health(request: HttpRequest) -> HttpResponse:
    """``/health/data/?see=PART``: the sources and the hours of the pools somebody may see."""
    asked = health_asked(request)
    context = {
        "section": "data",
        "crumbs": []
        if asked.part == "overview"
        else [("Data", reverse("telemetry:data-health")), (PARTS[asked.part], "")],
        "health": asked,
        "parts": PARTS.items(),
        "zone": asked.seen,
        "empty": not asked.pools and not asked.everything,
    }
    if not context["empty"]:
        context |= CONTEXTS[asked.part](asked, request)
    return render(request, "telemetry/data_health.html", context)
