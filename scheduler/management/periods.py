"""Which time a command asks about: a month, or whole hours from one instant to another."""

from datetime import tzinfo

from reservations.domain.period import Period, UnableToReadTime, floor_hour, read_instant, read_month
from scheduler.domain.sizing.when import MOST_MONTHS, months_period


def period_of(*, month: str | None, start: str | None, end: str | None, zone: tzinfo, months: int = 1) -> Period:
    """The period of ``--month`` in a zone, or of ``--from`` and ``--to``; UnableToReadTime for neither and both.

    With ``months`` as many whole months, that month the last of them.
    """
    if month is not None and (start is not None or end is not None):
        raise UnableToReadTime("give --month or --from and --to, not both")
    if not 1 <= months <= MOST_MONTHS:
        raise UnableToReadTime(f"--months is {months}: give a number from 1 to {MOST_MONTHS}")
    if month is not None:
        return months_period(read_month(month), months, zone)
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
