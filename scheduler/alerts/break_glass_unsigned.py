"""Somebody approved alone in an emergency, and the second sign-off is missing."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from reservations.domain import notation
from scheduler.domain.alert.facts import AlertFacts
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.request_facts import RequestFact
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From when on a missing sign-off is told, and from when on it is pressing."""

    told_after: Annotated[
        timedelta,
        Why(
            "At once: whoever answers for the pool hears of every emergency.",
            timedelta(0),
            timedelta(days=2),
        ),
    ] = timedelta(0)
    critical_before: Annotated[
        timedelta,
        Why(
            "Half a day: time to reach somebody before the two working days are over.",
            timedelta(0),
            timedelta(days=2),
        ),
    ] = timedelta(hours=12)


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """Every emergency that nobody signed off yet, from ``told_after`` it on."""
    return Verdicts(
        tuple(
            _finding(one, one.glass_opened_at, one.glass_due_at, facts, limits(one.subject.pool))
            for one in facts.requests
            if one.glass_opened_at is not None and one.glass_due_at is not None
            if facts.as_of - one.glass_opened_at >= limits(one.subject.pool).told_after
        )
    )


def _finding(one: RequestFact, opened: datetime, due: datetime, facts: AlertFacts, limit: Thresholds) -> Finding:
    overdue = facts.as_of >= due
    pressing = due - facts.as_of <= limit.critical_before
    when = notation.instant(due, facts.zone)
    return Finding(
        subject=one.subject,
        severity=Severity.CRITICAL if pressing else Severity.WARNING,
        since=opened,
        summary=f"The second sign-off of an emergency {'was' if overdue else 'is'} due {when}",
        next_step=one.page,
        cause="One person approved it alone; another approver has to look at it.",
        occurrence=opened.isoformat(),
        step="overdue" if overdue else "",
        numbers=(("approved alone", notation.instant(opened, facts.zone)), ("due", when)),
    )


RULE = Rule(
    name="break_glass_unsigned",
    title="Emergency not signed off",
    what="One person approved alone in an emergency, and nobody gave the second sign-off yet.",
    defaults=Thresholds(),
    check=check,
)
