"""What a page of reservations is asked for, read from its address; the whole state of the page stands there."""

from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from django.http import HttpRequest
from django.utils.http import urlencode

from reservations.domain.access import Person
from reservations.domain.reservation_filter import HELD_FIRST, MISSING, ORDERS, ReservationFilter
from reservations.domain.reservation_state import Kind, State
from reservations.views.answers import UnableToAnswer
from reservations.views.asking import person_on, zones_on
from reservations.views.paging import Paged, page_asked, paged

LONGEST = 256
DEFAULT_ORDER = HELD_FIRST

#: The names in the address of what may be filtered by, and the field each one fills.
NAMES = {
    "q": "text",
    "owner": "owner",
    "pool": "pool",
    "state": "state",
    "kind": "kind",
    "zone": "zone",
    "tag": "tag",
}
KNOWN = {"state": {*State, MISSING}, "kind": set(Kind)}


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for which reservations in which order; ``zone`` is the reader's."""

    person: Person
    as_of: datetime
    zone: tzinfo
    filter: ReservationFilter
    order: str
    page: int
    kept: tuple[tuple[str, str], ...] = ()

    def address(self, **changed: str | int) -> str:
        """``?…`` of the same question with some parts changed; a page is kept only where it is named."""
        return "?" + urlencode(self.parts(**changed))

    def parts(self, **changed: str | int) -> dict[str, str | int]:
        """What :meth:`address` says, by name; what is blank is left out."""
        parts: dict[str, str | int] = {name: getattr(self.filter, field) for name, field in NAMES.items()}
        parts |= {"order": "" if self.order == DEFAULT_ORDER else self.order, **dict(self.kept), **changed}
        return {name: value for name, value in parts.items() if value}

    def paged(self, count: int, a_page: int) -> Paged:
        """The page asked for of so many rows; UnableToAnswer for one after the last."""
        return paged(self.page, count=count, a_page=a_page, address=lambda page: self.address(page=page))

    @property
    def narrowed(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.filter.said)


def asked_for(request: HttpRequest, *, as_of: datetime, kept: tuple[str, ...] = ()) -> Asked:
    """The filter, order and page of an address; UnableToAnswer for words that mean nothing. ``kept``: further names."""
    texts = {name: _text(request, name) for name in (*NAMES, "order", *kept)}
    for name, words in KNOWN.items():
        if texts[name] and texts[name] not in words:
            sentence = f"“{texts[name]}” is no {name}: use one of {', '.join(sorted(words))}."
            raise UnableToAnswer(400, f"No such {name}", sentence)
    order = texts["order"] or DEFAULT_ORDER
    if order.removeprefix("-") not in ORDERS:
        raise UnableToAnswer(
            400, "No such order", f"“{order}” is no column to order by: use one of {', '.join(ORDERS)}."
        )
    return Asked(
        person=person_on(request),
        as_of=as_of.astimezone(UTC),
        zone=zones_on(request).seen,
        filter=ReservationFilter(**{field: texts[name] for name, field in NAMES.items()}),
        order=order,
        page=page_asked(request),
        kept=tuple((name, texts[name]) for name in kept),
    )


def _text(request: HttpRequest, name: str) -> str:
    text = request.GET.get(name, "").strip()
    if len(text) > LONGEST or "\0" in text:
        raise UnableToAnswer(400, "That cannot be looked for", f"“{name}” holds a text nothing here is called by.")
    return text
