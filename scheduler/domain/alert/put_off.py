"""Until when an alert is put off: the choices that a person has, by their own clock."""

from datetime import datetime, time, timedelta, tzinfo
from enum import StrEnum

from reservations.domain.period import UnableToReadTime, read_instant

MORNING = time(9)
"""When a working day begins: what is put off until tomorrow is seen then, not at midnight."""


class UnableToPutOff(ValueError):
    """No instant that something could be put off until; the message is one sentence."""


class Until(StrEnum):
    """What may be chosen; ``at`` is any time, said in words."""

    HOUR = "hour"
    TODAY = "today"
    TOMORROW = "tomorrow"
    WEEK = "week"
    AT = "at"


LABELS: dict[Until, str] = {
    Until.HOUR: "for an hour",
    Until.TODAY: "until the end of today",
    Until.TOMORROW: "until tomorrow, 9:00",
    Until.WEEK: "for a week",
    Until.AT: "until the time beside",
}


def put_off_until(chosen: str, *, as_of: datetime, zone: tzinfo, at: str = "") -> datetime:
    """The instant of a choice, by the clock of ``zone``; ``at`` is what was written for a time of one's own.

    UnableToPutOff for what is no choice or no time. How far it may lie ahead is not asked here.
    """
    today = as_of.astimezone(zone).date()
    if chosen == Until.HOUR:
        return as_of + timedelta(hours=1)
    if chosen == Until.TODAY:
        return datetime.combine(today + timedelta(days=1), time(), zone)
    if chosen == Until.TOMORROW:
        return datetime.combine(today + timedelta(days=1), MORNING, zone)
    if chosen == Until.WEEK:
        return as_of + timedelta(weeks=1)
    if chosen == Until.AT:
        return _written(at, zone)
    raise UnableToPutOff("Say until when it is put off.")


def _written(text: str, zone: tzinfo) -> datetime:
    text = text.strip()
    if not text:
        raise UnableToPutOff("Say until when it is put off: choose a day and a time.")
    try:
        plain = datetime.fromisoformat(text)
    except ValueError:
        raise UnableToPutOff(f"“{text[:40]}” is no time: write it as 2027-05-09 13:00.") from None
    if plain.tzinfo is not None:
        try:
            return read_instant(text)
        except UnableToReadTime:
            raise UnableToPutOff(f"“{text[:40]}” is no time: write it as 2027-05-09 13:00.") from None
    return plain.replace(tzinfo=zone)
