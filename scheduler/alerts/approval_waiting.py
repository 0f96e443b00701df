"""A request waits for a decision: whoever is asked is reminded, and then the next in line; it is never approved so."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from reservations.domain import notation
from scheduler.domain.alert.facts import AlertFacts
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.request_facts import RequestFact
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.steps import occasion, step_name
from scheduler.domain.alert.thresholds import Why


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How long a decision may wait."""

    remind_after: Annotated[
        timedelta,
        Why(
            "Two days: whoever is asked has seen it once.",
            timedelta(0),
            timedelta(days=30),
        ),
    ] = timedelta(days=2)
    escalate_after: Annotated[
        timedelta,
        Why(
            "A working week: then the next in line has to know.",
            timedelta(0),
            timedelta(days=60),
        ),
    ] = timedelta(days=5)


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """Each request that has waited for its step for ``remind_after``."""
    findings = []
    for one in facts.requests:
        limit = limits(one.subject.pool)
        if one.waiting_since is not None and facts.as_of - one.waiting_since >= limit.remind_after:
            findings.append(_finding(one, one.waiting_since, facts, limit))
    return Verdicts(tuple(findings))


def _finding(one: RequestFact, since: datetime, facts: AlertFacts, limit: Thresholds) -> Finding:
    waited = facts.as_of - since
    escalated = waited >= limit.escalate_after
    decide = notation.UNKNOWN if one.decide_by is None else notation.day(one.decide_by)
    return Finding(
        subject=one.subject,
        severity=Severity.WARNING if escalated else Severity.NOTICE,
        since=since,
        summary=f"Waiting for {one.waiting_for or 'a decision'} for {notation.duration(waited)}",
        next_step=one.page,
        cause="Nobody who may decide has; no amount is ever approved by waiting.",
        occurrence=occasion(since),
        step=step_name(limit.escalate_after if escalated else limit.remind_after),
        numbers=(("waits for", one.waiting_for or notation.UNKNOWN), ("decide by", decide)),
    )


RULE = Rule(
    name="approval_waiting",
    title="Approval waiting",
    what="A request for an exception waits for a decision.",
    defaults=Thresholds(),
    check=check,
)
