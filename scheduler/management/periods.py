"""Which time a command asks about: a month, or whole hours from one instant to another."""

from datetime import date, timedelta, tzinfo

from reservations.domain.period import Period, UnableToReadTime, floor_hour, month_period, read_instant, read_month

MOST_MONTHS = 60


def period_of(*, month: str | None, start: str | None, end: str | None, zone: tzinfo, months: int = 1) -> Period:
    """The period of ``--month`` in a zone, or of ``--from`` and ``--to``; UnableToReadTime for neither and both.

    With ``months`` as many whole months, that month the last of them.
    """
    if month is not None and (start is not None or end is not None):
        raise UnableToReadTime("give --month or --from and --to, not both")
    if not 1 <= months <= MOST_MONTHS:
        raise UnableToReadTime(f"--months is {months}: give a number from 1 to {MOST_MONTHS}")
    if month is not None:
        last = read_month(month)
        return Period(month_period(_before(last, months - 1), zone).start, month_period(last, zone).end)
    if months > 1:
        raise UnableToReadTime("--months goes with --month")
    if start is None or end is None:
        raise UnableToReadTime("say which time: --month YYYY-MM, or --from and --to")
    return _hours(start, end)


def _hours(start: str, end: str) -> Period:
    begins, ends = read_instant(start), read_instant(end)
    for text, at in ((start, begins), (end, ends)):
        if at != floor_hour(at):
            raise UnableToReadTime(f"“{text}” is not a whole hour: the ledger has no parts of hours")
    if begins >= ends:
        raise UnableToReadTime(f"--to must be after --from, and {end} is not after {start}")
    return Period(begins, ends)


def _before(month: date, months: int) -> date:
    """The first day of the month so many months earlier."""
    for _ in range(months):
        month = (month.replace(day=1) - timedelta(days=1)).replace(day=1)
    return month
