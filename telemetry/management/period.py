"""The time a command is asked about: a month, or the hours from one instant to another."""

from argparse import ArgumentParser
from datetime import tzinfo

from reservations.domain.period import Period, UnableToReadTime, floor_hour, month_period, read_instant, read_month
from reservations.tables.writing import FORMATS


def add_period_options(parser: ArgumentParser) -> None:
    """The options of every command about a time and some pools: which time, which pool, in which form."""
    parser.add_argument("--month", help="YYYY-MM in the organisation's accounting zone")
    parser.add_argument("--from", dest="start", help="ISO 8601 with offset, on a whole hour")
    parser.add_argument("--to", dest="end", help="the first instant that no longer belongs to it")
    parser.add_argument("--pool", help="one pool; all of them without it")
    parser.add_argument("--format", choices=FORMATS, default="table")


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
