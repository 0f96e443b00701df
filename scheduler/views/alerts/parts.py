"""Alerts as parts of other pages: how many are open in the frame, and those of one reservation or pool."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reservations.views.answers import answers_plainly
from reservations.views.asking import person_on, zones_on
from scheduler.selectors.alerts import EpisodeFilter, episode_count, episodes, open_alerts_of
from scheduler.tables.alerts.lines import lines
from scheduler.views.alerts.asked import asked_for

TOLD = 5
"""So many stand in a part; the inbox has the rest."""


@require_safe
def open_alerts(request: HttpRequest) -> HttpResponse:
    """``/alerts/open/``: the number that stands in the row of sections, fetched so that no page waits for it."""
    return render(request, "scheduler/alerts/open.html", {"open_alerts": open_alerts_of(person_on(request))})


@require_safe
@answers_plainly
def alerts_of(request: HttpRequest) -> HttpResponse:
    """``/alerts/of/?reservation=17`` or ``?pool=NAME``: its live alerts in a few lines, without the frame."""
    asked, as_of = asked_for(request), timezone.now()
    reservation, pool = asked.texts["reservation"], asked.texts["pool"]
    wanted = EpisodeFilter(pool=pool, reservation_id=int(reservation) if reservation else None, order="pressing")
    count = episode_count(wanted, teams=asked.teams)
    rows = episodes(wanted, teams=asked.teams, end=TOLD) if count else []
    shown = lines(rows, person=asked.person, as_of=as_of, zone=zones_on(request).seen)
    query = asked.address(state="", sort="")
    context = {"lines": shown, "count": count, "query": query}
    return render(request, "scheduler/alerts/of.html", context)
