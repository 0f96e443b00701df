"""The same work paid twice: instances run on demand while slots of a reservation that fit them are free."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from scheduler.domain.alert.facts import DOUBLES_WITHIN, AlertFacts, DoubleFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import WEEK_HOURS, NextStep, weekly_cost


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How much paid twice is worth a message."""

    instances: Annotated[
        int,
        Why(
            "One machine beside an empty slot is one machine too many.",
            1,
            1000,
        ),
    ] = 1
    sustained_for: Annotated[
        timedelta,
        Why(
            "A replacement that is launched before the old node is gone overlaps for less than an hour.",
            timedelta(0),
            DOUBLES_WITHIN,
        ),
    ] = timedelta(minutes=60)


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A pool beside whose free slots instances that fit them still run on demand, for ``sustained_for``."""
    findings, held = [], set()
    for one in facts.doubles:
        limit = limits(one.subject.pool)
        if one.now is None:
            held.add(one.subject.key)
        elif one.now >= limit.instances and facts.as_of - one.since >= limit.sustained_for:
            findings.append(_finding(one, facts))
        elif one.now:
            held.add(one.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _finding(one: DoubleFact, facts: AlertFacts) -> Finding:
    a_week = _a_week(one, facts.as_of)
    count = one.now or 0
    return Finding(
        subject=one.subject,
        severity=Severity.WARNING,
        since=one.since,
        summary=f"{count} instance{' runs' if count == 1 else 's run'} on demand beside free slots that fit",
        next_step=NextStep("Open pool", "telemetry:pool-now", (("name", one.subject.name),)),
        cause=one.cause,
        money=weekly_cost(a_week, one.price),
        numbers=(
            ("instances", notation.grouped(count)),
            ("GPU-hours paid twice", notation.gpu_hours(one.gpu_ms)),
            ("within", notation.duration(timedelta(milliseconds=one.span_ms))),
            ("for", notation.duration(facts.as_of - one.since)),
        ),
    )


def _a_week(one: DoubleFact, as_of: datetime) -> int:
    """GPU-milliseconds of a week like the time since it began, not like all that was looked at."""
    went_by = min(one.span_ms, (as_of - one.since) // timedelta(milliseconds=1))
    return one.gpu_ms * WEEK_HOURS * HOUR_MS // went_by if went_by > 0 else 0


RULE = Rule(
    name="double_pay",
    title="Paid twice",
    what="Instances run on demand while free slots of a reservation of their type, zone and platform are paid.",
    defaults=Thresholds(),
    check=check,
)
