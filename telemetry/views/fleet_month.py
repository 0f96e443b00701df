"""The month of every pool a person may see, together."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.selectors.organisation import accounting_zone
from telemetry.views.asked import answers_plainly, month_asked

CHOSEN = ("pool", "month")


@require_safe
def fleet_now(request: HttpRequest) -> HttpResponse:
    """``/fleet/`` leads to the current month; with ``?pool=NAME&month=YYYY-MM``, as the switchers ask, to that one."""
    kept = request.GET.copy()
    name, month = (kept.pop(key, [""])[-1] for key in CHOSEN)
    month = month or f"{timezone.now().astimezone(accounting_zone()):%Y-%m}"
    try:
        address = (
            reverse("telemetry:pool-month", kwargs={"name": name, "month": month})
            if name
            else reverse("telemetry:fleet-month", kwargs={"month": month})
        )
    except NoReverseMatch:
        address = reverse("telemetry:fleet-month", kwargs={"month": "-"})
    return redirect(f"{address}?{kept.urlencode()}" if kept else address)


@require_safe
@answers_plainly
def fleet_month(request: HttpRequest, month: str) -> HttpResponse:
    """``/fleet/YYYY-MM/``."""
    asked = month_asked(request, name=None, month=month, as_of=timezone.now())
    template = "telemetry/fleet_month.html" if asked.pools else "telemetry/no_pool.html"
    return render(request, template, {"section": "month", "asked": asked})
