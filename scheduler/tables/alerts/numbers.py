"""The figures that an alert rests on, without money for who may not see it."""

from reservations.domain.access import Person
from scheduler.domain.alert.figures import without_money
from scheduler.selectors.alerts import EpisodeRow
from scheduler.tables.alerts.lines import sees_money


def numbers_seen(row: EpisodeRow, person: Person) -> list[tuple[str, str]]:
    """Names and figures as the rule said them."""
    return list(row.numbers) if sees_money(row, person) else without_money(row.numbers)
