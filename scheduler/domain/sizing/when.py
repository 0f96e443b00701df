"""Which months a size is asked of: so many whole ones, the last of them named."""

from datetime import date, datetime, timedelta, tzinfo

from reservations.domain.period import Period, UnableToReadTime, month_period, read_month
from scheduler.domain.sizing.prices import UnableToSize

DEFAULT_MONTHS = 3
"""A quarter: thirteen weeks, so that the band has something to draw from."""

MOST_MONTHS = 60
FIRST_MONTH = date(2010, 1, 1)


def months_period(last: date, months: int, zone: tzinfo) -> Period:
    """So many whole months in a zone, the one that ``last`` lies in at the end."""
    first = last
    for _ in range(months - 1):
        first = month_before(first)
    return Period(month_period(first, zone).start, month_period(last, zone).end)


def month_before(month: date) -> date:
    """The first day of the month before the one a day lies in."""
    return (month.replace(day=1) - timedelta(days=1)).replace(day=1)


def read_last_month(text: str, zone: tzinfo, as_of: datetime) -> date:
    """The month of a text, or without one the last full month; UnableToReadTime for one that has not begun."""
    today = as_of.astimezone(zone).date()
    if not text:
        return month_before(today)
    month = read_month(text)
    if not FIRST_MONTH <= month <= today:
        raise UnableToReadTime(f"there is no demand of {month:%B %Y}: it has not begun, or lies before the ledger")
    return month


def read_months(text: str) -> int:
    """How many months a text says, a quarter without one; UnableToSize for what is no such number."""
    if not text:
        return DEFAULT_MONTHS
    if not (text.isascii() and text.isdigit()) or len(text) > 3 or not 1 <= int(text) <= MOST_MONTHS:
        raise UnableToSize(f"“{text[:40]}” is not a number of months from 1 to {MOST_MONTHS}")
    return int(text)
