"""A month as a calendar shows it: whole weeks, Monday first."""

from datetime import date, timedelta

WEEK = 7


def weeks_of(month: date) -> list[list[date]]:
    """The weeks that have days of a month, each seven days from Monday on."""
    first = month.replace(day=1)
    following = (first + timedelta(days=32)).replace(day=1)
    monday = first - timedelta(days=first.weekday())
    weeks = -(-(following - monday).days // WEEK)
    return [[monday + timedelta(days=week * WEEK + day) for day in range(WEEK)] for week in range(weeks)]
