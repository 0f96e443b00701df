"""Which time a call asks about, read from its query; what cannot be read is told of in one sentence."""

from datetime import date, datetime, timedelta, tzinfo
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from reservations.api.problems import not_there, unreadable
from reservations.api.shapes import NAME, PageAsked
from reservations.domain import notation
from reservations.domain.period import (
    Period,
    UnableToReadTime,
    floor_hour,
    month_period,
    read_instant,
    read_month,
)

LONGEST = {"hour": timedelta(days=400)}
LONGEST_OTHERWISE = timedelta(days=5 * 366)
FIRST_MONTH = date(2010, 1, 1)
PATTERN = r"^(19[7-9]\d|20\d\d|21\d\d)-(0[1-9]|1[0-2])$"

Month = Annotated[str, Field(description="`YYYY-MM`", examples=["2026-05"], json_schema_extra={"pattern": PATTERN})]


class UsageAsked(PageAsked):
    """A month, or whole hours from one instant to another."""

    model_config = ConfigDict(populate_by_name=True)

    pool: str = Field("", max_length=200, pattern=NAME, description="one pool; all you may see without it")
    month: str | None = Field(
        None,
        description="`YYYY-MM` in the accounting zone; or `from` and `to`",
        examples=["2026-05"],
        json_schema_extra={"pattern": PATTERN},
    )
    start: str | None = Field(
        None,
        alias="from",
        max_length=40,
        description="ISO 8601 with offset, on a whole hour",
        examples=["2026-05-01T00:00Z"],
    )
    end: str | None = Field(
        None,
        alias="to",
        max_length=40,
        description="the first instant that no longer belongs to it",
        examples=["2026-05-08T00:00Z"],
    )
    by: Literal["hour", "day", "month"] | None = Field(None, description="one row for each; one for the whole without")


def period_asked(asked: UsageAsked, zone: tzinfo) -> Period:
    """The period of a call; UnableToAnswerCall when it is not one, backwards or too long for its cut."""
    if asked.month is not None and (asked.start is not None or asked.end is not None):
        raise unreadable("month", "Give month, or from and to, not both.")
    if asked.month is not None:
        return month_period(_month(asked.month), zone)
    if asked.start is None or asked.end is None:
        raise unreadable("month", "Say which time: month, or from and to.")
    begins, ends = _whole_hour("from", asked.start), _whole_hour("to", asked.end)
    if begins >= ends:
        raise unreadable("to", f"To must be after from, and {asked.end} is not after {asked.start}.")
    longest = LONGEST.get(asked.by or "", LONGEST_OTHERWISE)
    if ends - begins > longest:
        how = f"by {asked.by}" if asked.by else "at once"
        raise unreadable("to", f"At most {notation.grouped(longest.days)} days can be had {how}: ask for less.")
    return Period(begins, ends)


def month_begun(text: str, zone: tzinfo, as_of: datetime) -> date:
    """A month that has begun; UnableToAnswerCall for one that has not, and for what is no month."""
    month = _month(text)
    if month > as_of.astimezone(zone).date():
        raise not_there(f"{notation.month(month)} has not begun.")
    if month < FIRST_MONTH:
        raise not_there(f"The ledger begins no earlier than {notation.month(FIRST_MONTH)}.")
    return month


def _month(text: str) -> date:
    try:
        return read_month(text)
    except UnableToReadTime as unable:
        raise unreadable("month", _sentence(unable)) from unable


def _whole_hour(parameter: str, text: str) -> datetime:
    try:
        at = read_instant(text)
    except (UnableToReadTime, OverflowError) as unable:
        raise unreadable(parameter, _sentence(unable)) from unable
    if at != floor_hour(at):
        raise unreadable(parameter, f"“{text}” is not a whole hour: the ledger has no parts of hours.")
    return at


def _sentence(unable: Exception) -> str:
    text = str(unable)
    return f"{text[0].upper()}{text[1:].removesuffix('.')}."
