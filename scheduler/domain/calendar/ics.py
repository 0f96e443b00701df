"""Events as iCalendar (RFC 5545) writes them: CRLF, folded to 75 octets, texts escaped, DTEND of a day exclusive."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import icalendar

from scheduler.domain.calendar.event import Event, plain_text

PRODUCT = "-//Moorage//Capacity calendar//EN"
ASKED_EVERY = timedelta(hours=1)
LONGEST_NAME = 300
_CLOSE = "END:VEVENT\r\n"


def event_text(event: Event, *, sequence: int, changed_at: datetime, cancelled: bool) -> str:
    """A VEVENT; its stamps are when it last changed, so that nothing else changes a character of it."""
    told = icalendar.Event()
    told.add("uid", event.uid)
    told.add("dtstamp", _second(changed_at))
    told.add("last-modified", _second(changed_at))
    told.add("sequence", sequence)
    told.add("status", "CANCELLED" if cancelled else "CONFIRMED")
    told.add("transp", "TRANSPARENT")
    if event.on is not None:
        told.add("dtstart", event.on)
        told.add("dtend", event.on + timedelta(days=1))
    else:
        told.add("dtstart", _second(event.at))
    told.add("summary", event.summary)
    told.add("description", event.description)
    told.add("categories", [event.kind.value.replace("_", " ")])
    return bytes(told.to_ical()).decode()


def with_address(text: str, url: str) -> str:
    """A VEVENT with where its reservation is looked at; a blank address leaves it as it is."""
    if not url:
        return text
    return f"{text.removesuffix(_CLOSE)}{_folded(f'URL:{url}')}\r\n{_CLOSE}"


def calendar_text(name: str, events: Iterable[str]) -> str:
    """A calendar of VEVENTs as they stand."""
    told = icalendar.Calendar()
    told.add("prodid", PRODUCT)
    told.add("version", "2.0")
    told.add("calscale", "GREGORIAN")
    told.add("method", "PUBLISH")
    told.add("x-wr-calname", plain_text(name, LONGEST_NAME))
    told.add("refresh-interval", ASKED_EVERY, parameters={"value": "DURATION"})
    told.add("x-published-ttl", ASKED_EVERY)
    head, close = bytes(told.to_ical()).decode().rsplit("END:VCALENDAR", 1)
    return f"{head}{''.join(events)}END:VCALENDAR{close}"


def _second(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(microsecond=0)


def _folded(line: str) -> str:
    """A line of ASCII cut to 75 octets, each further piece behind a blank."""
    return "\r\n ".join([line[:75], *(line[at : at + 74] for at in range(75, len(line), 74))])
