"""Which time a command asks about: a month, or whole hours from one instant to another."""

from datetime import tzinfo

from reservations.domain.period import Period, UnableToReadTime, read_month
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
