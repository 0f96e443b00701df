"""What a page is asked for, read from its address; a question that cannot be answered says so in one sentence."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo

from django.http import HttpRequest

from reservations.domain import notation
from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period, UnableToReadTime, day_period, month_period, read_month
from reservations.selectors.pools import PoolRow, pool_rows
from reservations.views.answers import UnableToAnswer, answers_plainly
from reservations.views.asking import person_on, zones_on

__all__ = ["Asked", "UnableToAnswer", "answers_plainly", "day_asked", "month_asked"]

FIRST_MONTH = date(2010, 1, 1)
"""There were no GPU reservations to speak of before, and calendars get strange long before year 1."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One pool's month as asked for, or with ``pool`` None that of all ``pools`` this person may see."""

    person: Person
    pools: tuple[PoolRow, ...]
    any_pool: bool
    pool: PoolRow | None
    month: date
    period: Period
    zone: tzinfo
    as_of: datetime

    def may(self, action: Action) -> bool:
        """Whether the person may do this on the pool that was asked for."""
        return self.pool is not None and may(self.person, action, self.pool.teams)


def month_asked(request: HttpRequest, *, name: str | None, month: str, as_of: datetime) -> Asked:
    """One pool's month, or the fleet's where ``name`` is None; UnableToAnswer for what is not there or not theirs."""
    person = person_on(request)
    every = pool_rows()
    pools = tuple(pool for pool in every if may(person, Action.SEE_POOL, pool.teams))
    zone = zones_on(request).accounting
    pool = None if name is None else _pool(name, pools)
    first = _month(month, as_of.astimezone(zone).date())
    return Asked(
        person=person,
        pools=pools,
        any_pool=bool(every),
        pool=pool,
        month=first,
        period=month_period(first, zone),
        zone=zone,
        as_of=as_of.astimezone(UTC),
    )


def day_asked(request: HttpRequest, asked: Asked) -> Period | None:
    """The hours of ``?day=YYYY-MM-DD``, None when no day was asked for; UnableToAnswer outside the month."""
    text = request.GET.get("day", "")
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise UnableToAnswer(400, "That is not a day", f"“{text}” is not a day: write it as 2026-05-09.") from error
    if day.replace(day=1) != asked.month:
        message = f"{notation.day(day)} is not in {notation.month(asked.month)}."
        raise UnableToAnswer(404, "Not in this month", message)
    return day_period(day, asked.zone)


def _pool(name: str, pools: tuple[PoolRow, ...]) -> PoolRow:
    for pool in pools:
        if pool.name == name:
            return pool
    message = f"There is no pool “{name}”, or it belongs to a team whose pools you may not see."
    raise UnableToAnswer(404, "No such pool", message)


def _month(text: str, today: date) -> date:
    this_month = today.replace(day=1)
    try:
        month = read_month(text)
    except UnableToReadTime as error:
        sentence = str(error)
        raise UnableToAnswer(400, "That is not a month", f"{sentence[0].upper()}{sentence[1:]}.") from error
    if month > this_month:
        raise UnableToAnswer(404, "Not yet", f"{notation.month(month)} has not begun.")
    if month < FIRST_MONTH:
        raise UnableToAnswer(404, "Too long ago", f"The ledger begins no earlier than {notation.month(FIRST_MONTH)}.")
    return month
