"""The one calendar: half-open UTC periods, and the local days and months hours are counted in.

Only the start of an hour decides which local day and month count it. So half-hour zones are made of whole UTC hours as
well, and a day is as long as its clock made it: 23 to 25 hours. Where a clock was put back across midnight
(St John's until 2011) a day is one unbroken run of hours all the same.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

HOUR = timedelta(hours=1)
HOUR_MS = 3_600_000
YEARS = range(1970, 2200)
"""The years a month or an instant may be written in."""


class UnableToReadTime(ValueError):
    """A month, an instant or a zone was written in a way we do not read."""


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """Half-open ``[start, end)`` between two aware UTC instants; ValueError when it is naive or not forward."""

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        if self.start.tzinfo is None or self.end.tzinfo is None:
            raise ValueError("a period needs instants with a zone")
        if self.end <= self.start:
            raise ValueError(f"a period must end after it starts: {self.start} … {self.end}")

    @property
    def start_ms(self) -> int:
        """Start in milliseconds since 1970."""
        return epoch_ms(self.start)

    @property
    def end_ms(self) -> int:
        """End in milliseconds since 1970."""
        return epoch_ms(self.end)

    @property
    def length_ms(self) -> int:
        """Length in milliseconds."""
        return self.end_ms - self.start_ms

    def hours(self) -> Iterator[datetime]:
        """The starts of its UTC hours, in order; the period must begin and end on whole hours."""
        if self.start != floor_hour(self.start) or self.end != floor_hour(self.end):
            raise ValueError(f"not whole hours: {self.start} … {self.end}")
        at = self.start
        while at < self.end:
            yield at
            at += HOUR

    def __contains__(self, at: object) -> bool:
        return isinstance(at, datetime) and self.start <= at < self.end


def epoch_ms(at: datetime) -> int:
    """Whole milliseconds since 1970 of an aware instant (exact: no float on the way)."""
    since = at - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * 1000 + since.microseconds // 1000


def from_epoch_ms(ms: int) -> datetime:
    """The UTC instant that many milliseconds after 1970."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)


def floor_hour(at: datetime) -> datetime:
    """The start of the UTC hour an aware instant lies in."""
    return at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def ceil_hour(at: datetime) -> datetime:
    """The first start of a UTC hour at or after an aware instant."""
    floor = floor_hour(at)
    return floor if floor == at else floor + HOUR


def hour_period(hour: datetime) -> Period:
    """The period of the UTC hour that starts at ``hour``."""
    return Period(hour, hour + HOUR)


def zone(name: str) -> tzinfo:
    """The zone of an IANA name; UnableToReadTime when there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UnableToReadTime(f"unknown time zone “{name}”: use an IANA name like Europe/Berlin") from error


def local_midnight(day: date, zone: tzinfo) -> datetime:
    """The UTC instant at which a local day begins, also where midnight is skipped by a clock change."""
    noon = datetime.combine(day, time(12), tzinfo=zone).astimezone(UTC)
    at = floor_hour(noon - timedelta(hours=15))
    step = timedelta(minutes=15)
    while at.astimezone(zone).date() < day:
        at += step
    return at


def day_period(day: date, zone: tzinfo) -> Period:
    """The UTC hours that start on a local day; ValueError for a day the zone skipped."""
    return Period(ceil_hour(local_midnight(day, zone)), ceil_hour(local_midnight(day + timedelta(days=1), zone)))


def month_period(month: date, zone: tzinfo) -> Period:
    """The UTC hours that start in the local month a day lies in."""
    first = month.replace(day=1)
    following = (first + timedelta(days=32)).replace(day=1)
    return Period(ceil_hour(local_midnight(first, zone)), ceil_hour(local_midnight(following, zone)))


def days_of(period: Period, zone: tzinfo) -> list[tuple[date, Period]]:
    """Every local day that has hours in a period, with those hours, clipped to the period."""
    day = period.start.astimezone(zone).date() - timedelta(days=1)
    days: list[tuple[date, Period]] = []
    while (begins := ceil_hour(local_midnight(day, zone))) < period.end:
        following = day + timedelta(days=1)
        start = max(begins, period.start)
        end = min(ceil_hour(local_midnight(following, zone)), period.end)
        if start < end:  # a day the zone skipped has no hours, and one before the period none in it
            days.append((day, Period(start, end)))
        day = following
    return days


def months_of(period: Period, zone: tzinfo) -> list[tuple[date, Period]]:
    """Every local month that has hours in a period, with those hours, clipped to the period."""
    month = (period.start.astimezone(zone).date() - timedelta(days=1)).replace(day=1)
    months: list[tuple[date, Period]] = []
    while (whole := month_period(month, zone)).start < period.end:
        start, end = max(whole.start, period.start), min(whole.end, period.end)
        if start < end:
            months.append((month, Period(start, end)))
        month = (month + timedelta(days=32)).replace(day=1)
    return months


def read_month(text: str) -> date:
    """The first day of a month written ``2026-05``, from 1970 to 2199; UnableToReadTime otherwise."""
    if not re.fullmatch(r"\d{4}-\d{2}", text, re.ASCII):
        raise UnableToReadTime(f"“{text}” is not a month: write it as 2026-05")
    if not 1 <= int(text[5:]) <= 12 or int(text[:4]) not in YEARS:
        raise UnableToReadTime(f"“{text}” is not a month: write one between 1970-01 and 2199-12")
    return date(int(text[:4]), int(text[5:]), 1)


def read_instant(text: str) -> datetime:
    """The UTC instant of an ISO 8601 text with offset; UnableToReadTime when it is naive or not a time."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise UnableToReadTime(f"“{text}” is not an instant: write it as 2026-05-01T10:00Z") from error
    if at.tzinfo is None:
        raise UnableToReadTime(f"“{text}” has no offset: add Z for UTC or one like +02:00")
    if at.year not in YEARS:
        raise UnableToReadTime(f"“{text}” is not an instant we keep: write one between 1970 and 2199")
    return at.astimezone(UTC)
