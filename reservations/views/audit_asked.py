"""Which events a page is asked for, read from its address; the whole state of the page stands there."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from django.http import HttpRequest
from django.utils.http import urlencode

from reservations.domain.access import Action, may
from reservations.domain.audit_chain import Via
from reservations.domain.period import local_midnight
from reservations.selectors.audit import TrailFilter
from reservations.views.answers import UnableToAnswer, quoted
from reservations.views.asking import person_on, zones_on
from reservations.views.paging import Paged, page_asked, paged

NAMES = ("from", "to", "act", "person", "about", "ident", "via")
LONGEST = 200
A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """Which events, as texts of the address; days are whole ones by the accounting zone, the last one included."""

    texts: dict[str, str]
    wanted: TrailFilter
    page: int

    @property
    def narrowed(self) -> bool:
        """Whether anything is filtered."""
        return any(self.texts.values())

    def address(self, **changed: str | int) -> str:
        """``?…`` of the same question with some parts changed."""
        kept = {name: value for name, value in {**self.texts, **changed}.items() if value}
        return f"?{urlencode(kept)}" if kept else ""

    def paged(self, count: int) -> Paged:
        """The page asked for of so many events."""
        return paged(self.page, count=count, a_page=A_PAGE, address=lambda page: self.address(page=page) or "?")


def asked_for(request: HttpRequest) -> Asked:
    """The filter and page of an address, of somebody who may see the trail; UnableToAnswer otherwise."""
    if not may(person_on(request), Action.SEE_AUDIT):
        sentence = "The audit trail is the organisation's: an auditor or an admin of all of it may see it."
        raise UnableToAnswer(403, "Not yours to see", sentence)
    texts = {name: _text(request, name) for name in NAMES}
    if texts["via"] and texts["via"] not in tuple(Via):
        raise UnableToAnswer(400, "No such way", f"{quoted(texts['via'])} is no way to come: {', '.join(Via)}.")
    zone = zones_on(request).accounting
    start, end = _day(texts["from"], zone), _day(texts["to"], zone, after=True)
    if start and end and end <= start:
        raise UnableToAnswer(400, "Backwards", f"“to” ({texts['to']}) lies before “from” ({texts['from']}).")
    wanted = TrailFilter(start, end, texts["act"], texts["person"], texts["about"], texts["ident"], texts["via"])
    return Asked(texts, wanted, page_asked(request))


def _text(request: HttpRequest, name: str) -> str:
    text = request.GET.get(name, "").strip()
    if len(text) > LONGEST or "\0" in text:
        raise UnableToAnswer(400, "That cannot be looked for", f"“{name}” holds a text nothing here is called by.")
    return text


def _day(text: str, zone: tzinfo, *, after: bool = False) -> datetime | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
        return local_midnight(day + timedelta(days=1) if after else day, zone)
    except (ValueError, OverflowError) as unable:
        said = f"{quoted(text)} is no day: write it as 2026-05-31."
        raise UnableToAnswer(400, "That is not a day", said) from unable
