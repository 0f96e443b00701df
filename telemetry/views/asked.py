"""What a page is asked for, read from its address; a question that cannot be answered says so in one sentence."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import cached_property

from django.http import HttpRequest

from reservations.domain import notation
from reservations.domain.access import Action, Person, may
from reservations.domain.period import (
    HOUR,
    Period,
    UnableToReadTime,
    days_of,
    hour_period,
    month_period,
    read_month,
    zone,
)
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.views.answers import READABLE, UnableToAnswer, answers_plainly, no_such_owner, quoted
from reservations.views.asking import person_on, zones_on
from telemetry.domain.rollup import due_until

__all__ = ["Asked", "UnableToAnswer", "answers_plainly", "hour_asked", "month_asked"]

FIRST_MONTH = date(2010, 1, 1)
"""There were no GPU reservations to speak of before, and calendars get strange long before year 1."""


@dataclass(frozen=True)
class Asked:
    """One pool's month as asked for, or with ``pool`` None that of all ``pools`` this person may see.

    ``owner`` narrows to the pools of one team, ``without`` leaves those of one out, ``team`` narrows what is told by
    who used it; ``week_zone`` is the clock of the week's hours, ``day`` is one day of the month.
    """

    person: Person
    pools: tuple[PoolRow, ...]
    any_pool: bool
    pool: PoolRow | None
    month: date
    period: Period
    zone: tzinfo
    week_zone: tzinfo
    owner: str
    without: str
    team: str
    day: date | None
    as_of: datetime

    @property
    def shown(self) -> tuple[PoolRow, ...]:
        """The pool that was asked for, else those of the owner, else all."""
        if self.pool is not None:
            return (self.pool,)
        return tuple(pool for pool in self.pools if self.owner in ("", pool.owner) and pool.owner != self.without)

    @property
    def owners(self) -> list[str]:
        """The owners of the pools this person may see, by name."""
        return sorted({pool.owner for pool in self.pools})

    @property
    def ids(self) -> list[int]:
        """The ids of what is shown."""
        return [pool.id for pool in self.shown]

    @cached_property
    def until(self) -> datetime:
        """The end of the newest hour of the month that should stand in the ledger; its start where none is due yet."""
        return max(self.period.start, min(due_until(self.as_of), self.period.end))

    @property
    def to_date(self) -> bool:
        """Whether the month is not over."""
        return self.until < self.period.end

    @property
    def month_before(self) -> date:
        """The first day of the month before."""
        return (self.month - timedelta(days=1)).replace(day=1)

    @property
    def before(self) -> Period:
        """The month before."""
        return month_period(self.month_before, self.zone)

    @cached_property
    def days(self) -> dict[date, Period]:
        """The local days of the month with their hours."""
        return dict(days_of(self.period, self.zone))


def month_asked(request: HttpRequest, *, name: str | None, month: str, as_of: datetime) -> Asked:
    """One pool's month, or the fleet's where ``name`` is None; UnableToAnswer for what is not there or not theirs."""
    person = person_on(request)
    every = pool_rows()
    pools = tuple(pool for pool in every if may(person, Action.SEE_POOL, pool.teams))
    accounting = zones_on(request).accounting
    pool = None if name is None else _pool(name, pools)
    first = _month(month, as_of.astimezone(accounting).date())
    asked = Asked(
        person=person,
        pools=pools,
        any_pool=bool(every),
        pool=pool,
        month=first,
        period=month_period(first, accounting),
        zone=accounting,
        week_zone=_zone(request.GET.get("zone", ""), accounting),
        owner=request.GET.get("owner", ""),
        without=request.GET.get("without", ""),
        team=request.GET.get("team", ""),
        day=None,
        as_of=as_of.astimezone(UTC),
    )
    for owner in filter(None, (asked.owner, asked.without)):
        if pool is None and owner not in asked.owners:
            raise no_such_owner(owner)
    return replace(asked, day=_day(request.GET.get("day", ""), asked))


def hour_asked(request: HttpRequest, *, name: str, hour: str, as_of: datetime) -> tuple[Asked, Period]:
    """One pool's UTC hour written ``2026-05-09T13``, within the month it belongs to; UnableToAnswer as for months."""
    start = _hour(hour)
    over = start + HOUR <= as_of
    shown = start if over else as_of
    month = f"{shown.astimezone(zones_on(request).accounting):%Y-%m}"
    asked = month_asked(request, name=name, month=month, as_of=as_of)
    if not over:
        raise UnableToAnswer(404, "Not yet", f"The hour from {notation.instant(start)} is not over.")
    return asked, hour_period(start)


def _pool(name: str, pools: tuple[PoolRow, ...]) -> PoolRow:
    for pool in pools:
        if pool.name == name:
            return pool
    message = f"There is no pool {quoted(name)}, or it belongs to a team whose pools you may not see."
    raise UnableToAnswer(404, "No such pool", message)


def _month(text: str, today: date) -> date:
    this_month = today.replace(day=1)
    try:
        month = read_month(text[:READABLE])
    except UnableToReadTime as error:
        raise UnableToAnswer(400, "That is not a month", _sentence(error)) from error
    if month > this_month:
        raise UnableToAnswer(404, "Not yet", f"{notation.month(month)} has not begun.")
    if month < FIRST_MONTH:
        raise UnableToAnswer(404, "Too long ago", f"The ledger begins no earlier than {notation.month(FIRST_MONTH)}.")
    return month


def _day(text: str, asked: Asked) -> date | None:
    if not text:
        return None
    try:
        day = date.fromisoformat(text) if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII) else None
    except ValueError:
        day = None
    if day is None:
        raise UnableToAnswer(400, "That is not a day", f"{quoted(text)} is not a day: write it as 2026-05-09.")
    if day not in asked.days:
        message = f"{notation.day(day)} is not in {notation.month(asked.month)}."
        raise UnableToAnswer(404, "Not in this month", message)
    return day


def _hour(text: str) -> datetime:
    try:
        hour = datetime.fromisoformat(text) if re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d", text, re.ASCII) else None
    except ValueError:
        hour = None
    if hour is None:
        message = f"{quoted(text)} is not an hour: write it in UTC as 2026-05-09T13."
        raise UnableToAnswer(400, "That is not an hour", message)
    if hour.date() < FIRST_MONTH:
        raise UnableToAnswer(404, "Too long ago", f"The ledger begins no earlier than {notation.month(FIRST_MONTH)}.")
    if hour.year > date.max.year - 1:
        raise UnableToAnswer(404, "Not yet", f"{notation.day(hour.date())} has not begun.")
    return hour.replace(tzinfo=UTC)


def _zone(text: str, accounting: tzinfo) -> tzinfo:
    if not text:
        return accounting
    try:
        return zone(text[:READABLE])
    except UnableToReadTime as error:
        raise UnableToAnswer(400, "That is not a time zone", _sentence(error)) from error


def _sentence(error: UnableToReadTime) -> str:
    told = str(error)
    return f"{told[0].upper()}{told[1:]}."
