"""A decision about what follows a reservation's end is due, by the lead times of the procurement rule."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Annotated

from reservations.domain import notation
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.steps import day_before, latest_step, occasion, step_name
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import weekly_of
from scheduler.domain.renewal.proposable import is_renewed

DUE = "due"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How long before its day a decision is asked for."""

    remind_before: Annotated[
        timedelta,
        Why(
            "Two weeks: one to look at the figures in, one to agree.",
            timedelta(0),
            timedelta(days=180),
        ),
    ] = timedelta(days=14)
    again_before: Annotated[
        timedelta,
        Why(
            "Working days enough for one meeting; from here on it is a warning.",
            timedelta(0),
            timedelta(days=180),
        ),
    ] = timedelta(days=3)


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """An end that nothing is decided for, from ``remind_before`` its decision date on."""
    today = facts.as_of.astimezone(facts.zone).date()
    findings = []
    for one in facts.reservations:
        if not is_renewed(one.kind, one.state) or one.end_at is None or one.end_at <= facts.as_of:
            continue
        if one.decide_on is None or one.decided:
            continue
        limit = limits(one.subject.pool)
        if one.decide_on - today <= limit.remind_before:
            findings.append(_finding(one, one.decide_on, today, facts, limit))
    return Verdicts(tuple(findings))


def _finding(one: ReservationFact, decide_on: date, today: date, facts: AlertFacts, limit: Thresholds) -> Finding:
    left = decide_on - today
    step = latest_step((limit.remind_before, limit.again_before), left) or limit.remind_before
    pressing = left <= limit.again_before
    when = notation.day(decide_on)
    end = one.end_at or facts.as_of
    late = f"was due {when}" if left < timedelta(0) else f"is due {when}"
    return Finding(
        subject=one.subject,
        severity=Severity.WARNING if pressing else Severity.NOTICE,
        since=day_before(decide_on, limit.remind_before.days, facts.zone),
        summary=f"What follows the end on {notation.day(end.astimezone(facts.zone).date())} {late}",
        next_step=one.page,
        occurrence=occasion(end),
        step=DUE if left <= timedelta(0) else step_name(step),
        money=weekly_of(one.total, one.gpus_per_node, one.price),
        numbers=(
            ("decide by", when),
            ("end", notation.instant(end, facts.zone)),
            ("nodes", notation.UNKNOWN if one.total is None else notation.grouped(one.total)),
        ),
    )


RULE = Rule(
    name="decision_due",
    title="Decision due",
    what="Nothing is decided for an end whose decision date is near or past.",
    defaults=Thresholds(),
    check=check,
)
