"""Days on which people work: Monday to Friday; holidays are not known."""

from datetime import date, datetime, time, timedelta, tzinfo

SATURDAY = 5


def working_days_later(day: date, count: int) -> date:
    """The ``count``-th working day after a day, which itself does not count."""
    while count > 0:
        day += timedelta(days=1)
        count -= day.weekday() < SATURDAY
    return day


def due_after(at: datetime, count: int, zone: tzinfo) -> datetime:
    """The end of the ``count``-th working day after an instant, on that zone's clocks."""
    day = working_days_later(at.astimezone(zone).date(), count) + timedelta(days=1)
    return datetime.combine(day, time.min, tzinfo=zone)
