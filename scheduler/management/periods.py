"""Which time a command asks about: a month, whole hours from one instant to another, or one instant."""

from datetime import date, datetime, timedelta, tzinfo

from reservations.domain.period import Period, UnableToReadTime, day_period, read_instant, read_month
from reservations.selectors.organisation import accounting_zone
from scheduler.domain.sizing.when import MOST_MONTHS, months_period
from telemetry.management.period import asked_period


def period_of(*, month: str | None, start: str | None, end: str | None, zone: tzinfo, months: int = 1) -> Period:
    """The period of ``--month`` in a zone, or of ``--from`` and ``--to``; UnableToReadTime for neither and both.

    With ``months`` as many whole months, that month the last of them.
    """
    if months == 1 or (month is not None and (start is not None or end is not None)):
        return asked_period(month, start, end, zone)
    if not 1 <= months <= MOST_MONTHS:
        raise UnableToReadTime(f"--months is {months}: give a number from 1 to {MOST_MONTHS}")
    if month is None:
        raise UnableToReadTime("--months goes with --month")
    return months_period(read_month(month), months, zone)


def instant_asked(text: str | None, now: datetime) -> datetime:
    """The instant asked for, the end of a day that is over; UnableToReadTime for one that has not come."""
    if text is None:
        return now
    try:
        day = date.fromisoformat(text)
    except ValueError:
        as_of = read_instant(text)
    else:
        as_of = min(day_period(day, accounting_zone()).end - timedelta(microseconds=1), now)
        if day > now.astimezone(accounting_zone()).date():
            raise UnableToReadTime(f"{text} has not come yet: nobody knows what will be held then")
    if as_of > now:
        raise UnableToReadTime(f"{text} has not come yet: nobody knows what will be held then")
    return as_of
