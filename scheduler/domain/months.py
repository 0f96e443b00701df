"""The months a portfolio is shown over: one that is compared, the twelve before it, and how long it has run."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo

from reservations.domain.period import Period, month_period
from scheduler.domain.policy import Policy

BEFORE = 12


@dataclass(frozen=True, slots=True)
class Months:
    """``shown`` and the ``before`` it, oldest first, each by its first day; ``periods`` are their hours.

    ``to_date``: the shown one still runs, and its period ends at what is due.
    """

    shown: date
    to_date: bool
    before: tuple[date, ...]
    periods: Mapping[date, Period]

    @property
    def last_full(self) -> date:
        """The month that the shown one is compared with."""
        return self.before[-1]

    @classmethod
    def shown_at(cls, *, until: datetime, zone: tzinfo, policy: Policy) -> "Months":
        """The running month once ``policy.month_after`` of it is due, else the last full one."""
        month = until.astimezone(zone).date().replace(day=1)
        to_date = until - month_period(month, zone).start >= policy.month_after
        shown = month if to_date else previous(month)
        before = [previous(shown)]
        while len(before) < BEFORE:
            before.append(previous(before[-1]))
        periods = {one: month_period(one, zone) for one in (*reversed(before), shown)}
        if to_date:
            periods[shown] = Period(periods[shown].start, until)
        return cls(shown, to_date, tuple(reversed(before)), periods)


def previous(month: date) -> date:
    """The first day of the month before."""
    return (month - timedelta(days=1)).replace(day=1)
