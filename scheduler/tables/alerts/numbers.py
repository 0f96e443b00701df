"""The figures that an alert rests on, without money for who may not see it."""

import re

from reservations.domain.access import Person
from scheduler.selectors.alerts import EpisodeRow
from scheduler.tables.alerts.lines import sees_money

_MONEY = re.compile(r"\d[\s\u202f]?[A-Z]{3}\b")
"""An amount as it is written here: a figure and its currency code."""


def numbers_seen(row: EpisodeRow, person: Person) -> list[tuple[str, str]]:
    """Names and figures as the rule said them."""
    if sees_money(row, person):
        return list(row.numbers)
    return [(name, figure) for name, figure in row.numbers if not _MONEY.search(figure)]
