"""A condition of an approval is due and nobody said that it is met."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

from reservations.domain import notation
from scheduler.domain.alert.facts import AlertFacts
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.request_facts import ConditionFact, RequestFact
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.steps import day_before
from scheduler.domain.alert.thresholds import Why


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How long before its day a condition is asked after."""

    remind_before: Annotated[
        timedelta,
        Why(
            "A week: what was promised can still be done.",
            timedelta(0),
            timedelta(days=90),
        ),
    ] = timedelta(days=7)


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """Each unmet condition of a request that stands, from ``remind_before`` its day on."""
    today = facts.as_of.astimezone(facts.zone).date()
    return Verdicts(
        tuple(
            _finding(one, condition, today, facts, limits(one.subject.pool))
            for one in facts.requests
            for condition in one.conditions
            if condition.due_on - today <= limits(one.subject.pool).remind_before
        )
    )


def _finding(one: RequestFact, condition: ConditionFact, today: date, facts: AlertFacts, limit: Thresholds) -> Finding:
    overdue = today > condition.due_on
    when = notation.day(condition.due_on)
    return Finding(
        subject=one.subject,
        severity=Severity.WARNING if overdue else Severity.NOTICE,
        since=day_before(condition.due_on, limit.remind_before.days, facts.zone),
        summary=f"A condition of its approval {'was' if overdue else 'is'} due {when}",
        next_step=one.page,
        cause="Nobody said that it is met; what it asks for stands on the page of the request.",
        occurrence=str(condition.id),
        step="due" if today >= condition.due_on else "",
        numbers=(("due", when),),
    )


RULE = Rule(
    name="condition_due",
    title="Condition due",
    what="A condition that an approval was tied to is near its day or past it, and not met.",
    defaults=Thresholds(),
    check=check,
)
