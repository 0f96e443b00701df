"""What alerts come to together, above their list."""

from dataclasses import dataclass

from reservations.domain import notation
from scheduler.domain.alert.severity import Severity
from scheduler.selectors.alerts import EpisodeCounts


@dataclass(frozen=True, slots=True)
class Sum:
    """How many there are of one severity; ``pressing``: it is critical, and there are some."""

    severity: str
    count: str
    pressing: bool


@dataclass(frozen=True, slots=True)
class Sums:
    """By severity, the most pressing first, and money a week by currency, which are never added to one another."""

    severities: tuple[Sum, ...]
    money: tuple[tuple[str, str], ...]


def sums(counts: EpisodeCounts, priced: EpisodeCounts) -> Sums:
    """``priced`` are the counts of those whose money may be seen."""
    by_severity = [(one, counts.by_severity.get(one, 0)) for one in reversed(Severity)]
    return Sums(
        severities=tuple(
            Sum(one.value, notation.grouped(count), one is Severity.CRITICAL and count > 0)
            for one, count in by_severity
        ),
        money=tuple(
            (notation.grouped(amount), currency)
            for currency, amount in sorted(priced.weekly_money.items(), key=lambda one: (-one[1], one[0]))
            if amount
        ),
    )
