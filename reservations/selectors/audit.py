"""The audit trail as it is read: in order, by period, person, act and object."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from reservations.domain.audit_chain import Event, Head
from reservations.models import AuditEvent, AuditHead

FIELDS = tuple(field.name for field in fields(Event))
A_READ = 5_000


@dataclass(frozen=True, slots=True)
class TrailFilter:
    """Which events are asked for; blank and None leave none out, a period is half-open."""

    start: datetime | None = None
    end: datetime | None = None
    act: str = ""
    person: str = ""
    about: str = ""
    ident: str = ""
    via: str = ""

    def condition(self) -> Q:
        """The same for the database."""
        texts = {"act": self.act, "by_name": self.person, "about": self.about, "ident": self.ident, "via": self.via}
        wanted = Q(**{name: text for name, text in texts.items() if text})
        if self.start is not None:
            wanted &= Q(at__gte=self.start)
        if self.end is not None:
            wanted &= Q(at__lt=self.end)
        return wanted


def trail_head() -> Head | None:
    """How far the trail has come by the count beside it; None where nothing was ever counted."""
    row = AuditHead.objects.values_list("count", "hash").first()
    return None if row is None else Head(*row)


def trail_events(asked: TrailFilter = TrailFilter()) -> Iterator[Event]:
    """Events in order of their number, read in pieces by a cursor of the server: never all at once in memory."""
    with transaction.atomic():
        rows = _rows(asked).order_by("sequence").values_list(*FIELDS)
        for row in rows.iterator(chunk_size=A_READ):
            yield Event(*row)


def trail_page(asked: TrailFilter, *, start: int, end: int) -> list[Event]:
    """The events ``[start, end)`` of these, the newest first."""
    return [Event(*row) for row in _rows(asked).order_by("-sequence").values_list(*FIELDS)[start:end]]


def trail_count(asked: TrailFilter) -> int:
    """How many events there are of these."""
    return _rows(asked).count()


def trail_event(sequence: int) -> Event | None:
    """One event by its number."""
    row = AuditEvent.objects.filter(sequence=sequence).values_list(*FIELDS).first()
    return None if row is None else Event(*row)


def trail_words() -> Mapping[str, list[str]]:
    """The acts and kinds of object that occur, for the filters."""
    return {name: list(_distinct(name)) for name in ("act", "about")}


def _distinct(name: str) -> Iterator[str]:
    """By steps through the index, one question a value: a trail is long and its words are few."""
    last = ""
    while True:
        rows = AuditEvent.objects.filter(**{f"{name}__gt": last}).order_by(name).values_list(name, flat=True)
        last = rows.first() or ""
        if not last:
            return
        yield last


def _rows(asked: TrailFilter) -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(asked.condition())
