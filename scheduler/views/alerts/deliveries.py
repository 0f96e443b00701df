"""The delivery log: what was owed to whom, when, and what became of it."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from reservations.domain import notation
from reservations.domain.access import Person
from reservations.views.answers import UnableToAnswer, answers_plainly, quoted
from reservations.views.asking import person_on, zones_on
from reservations.views.downloads import sheet_response
from reservations.views.paging import page_asked, paged
from scheduler.domain.alert.delivery import DeliveryState
from scheduler.selectors.notification_routes import DeliveryRow, delivery_count, delivery_log
from scheduler.tables.alerts.deliveries import deliveries_sheet, deliveries_shown
from scheduler.views.alerts.asked import LONGEST, seen_teams

A_PAGE = 50
STATES = {
    DeliveryState.DUE.value: "due",
    DeliveryState.SENT.value: "sent",
    DeliveryState.FAILED.value: "given up",
    DeliveryState.DROPPED.value: "dropped",
}


@dataclass(frozen=True, slots=True)
class Log:
    """Which part of the log is asked for; blank is all of it."""

    person: Person
    state: str
    mine: str
    text: str

    @property
    def query(self) -> dict[str, str]:
        """What of it stands in the address."""
        named = (("state", self.state), ("to", self.mine), ("q", self.text))
        return {name: value for name, value in named if value}

    def rows(self, start: int = 0, end: int | None = None) -> list[DeliveryRow]:
        """Newest first."""
        return delivery_log(
            reader=self.person,
            teams=seen_teams(self.person),
            user=self._user,
            states=self._states,
            text=self.text,
            start=start,
            end=end,
        )

    def count(self) -> int:
        """How many there are."""
        return delivery_count(
            reader=self.person, teams=seen_teams(self.person), user=self._user, states=self._states, text=self.text
        )

    @property
    def _user(self) -> str:
        return self.person.name if self.mine else ""

    @property
    def _states(self) -> frozenset[DeliveryState]:
        return frozenset({DeliveryState(self.state)} if self.state else ())


@require_safe
@answers_plainly
def deliveries(request: HttpRequest) -> HttpResponse:
    """``/alerts/deliveries/?state=&to=me&q=&page=``."""
    log = _log(request)
    page = paged(
        page_asked(request),
        count=log.count(),
        a_page=A_PAGE,
        address=lambda at: f"?{urlencode({**log.query, 'page': at})}",
    )
    rows = log.rows(page.start, page.end) if page.count else []
    query = f"?{urlencode(log.query)}" if log.query else ""
    context = {
        "section": "alerts",
        "log": log,
        "rows": deliveries_shown(rows, zones_on(request).seen),
        "paged": page,
        "states": STATES.items(),
        "query": query,
        "csv": reverse("scheduler:alert-deliveries-sheet", args=["csv"]) + query,
        "xlsx": reverse("scheduler:alert-deliveries-sheet", args=["xlsx"]) + query,
    }
    return render(request, "scheduler/alerts/deliveries.html", context)


@require_safe
@answers_plainly
def deliveries_download(request: HttpRequest, suffix: str) -> HttpResponse:
    """``/alerts/deliveries/deliveries.csv`` or ``.xlsx`` with the page's own query."""
    log, as_of = _log(request), timezone.now()
    about = (
        ("as of", notation.instant(as_of, zones_on(request).seen)),
        ("for", log.person.name),
        *log.query.items(),
    )
    return sheet_response(deliveries_sheet(log.rows(), about), suffix, f"moorage-deliveries-{as_of:%Y-%m-%d}")


def _log(request: HttpRequest) -> Log:
    state, mine, text = (request.GET.get(name, "").strip() for name in ("state", "to", "q"))
    if state and state not in STATES:
        raise UnableToAnswer(400, "No such state", f"{quoted(state)} is no state: use one of {', '.join(STATES)}.")
    if mine not in ("", "me"):
        raise UnableToAnswer(400, "Sent to whom?", f"{quoted(mine)} is nobody here: use me, or leave it out.")
    if len(text) > LONGEST or "\0" in text:
        raise UnableToAnswer(400, "That cannot be looked for", "“q” holds a text nothing here is called by.")
    return Log(person_on(request), state, mine, text)
