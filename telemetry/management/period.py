"""The time a command is asked about: a month, or the hours from one instant to another."""

from datetime import tzinfo

from reservations.domain.period import Period, UnableToReadTime, floor_hour, month_period, read_instant, read_month


def asked_period(month: str | None, start: str | None, end: str | None, zone: tzinfo) -> Period:
    """The month or the whole hours that a command was asked for; UnableToReadTime in one sentence otherwise."""
    if month is not None and (start is not None or end is not None):
        raise UnableToReadTime("give --month or --from and --to, not both")
    if month is not None:
        return month_period(read_month(month), zone)
    if start is None or end is None:
        raise UnableToReadTime("say which time: --month YYYY-MM, or --from and --to")
    begins, ends = read_instant(start), read_instant(end)
    for text, at in ((start, begins), (end, ends)):
        if at != floor_hour(at):
            raise UnableToReadTime(f"“{text}” is not a whole hour: the ledger has no parts of hours")
    if begins >= ends:
        raise UnableToReadTime(f"--to must be after --from, and {end} is not after {start}")
    return Period(begins, ends)
