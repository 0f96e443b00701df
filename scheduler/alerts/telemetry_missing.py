"""A pool that is paid and of which nobody can say what it does: hours that never came, or came nearly empty."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated

from reservations.domain import notation
from reservations.domain.period import HOUR
from scheduler.domain.alert.facts import AlertFacts, HourFact, PoolFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import NextStep

DAY_HOURS = 24


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How much has to be missing."""

    hours: Annotated[
        int,
        Why(
            "An hour is read again an hour later: two that fail may be one restart, three are not.",
            1,
            24,
        ),
    ] = 3
    opens_below: Annotated[
        Decimal,
        Why(
            "Known ÷ expected: below it an hour says nothing of its pool.",
            Decimal("0.01"),
            Decimal(1),
        ),
    ] = Decimal("0.50")
    resolves_at: Annotated[
        Decimal,
        Why(
            "Known ÷ expected: from here on an hour feeds recommendations again.",
            Decimal("0.01"),
            Decimal(1),
        ),
    ] = Decimal("0.90")


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A pool that holds something, with a source, whose last ``hours`` due hours are all missing or nearly empty."""
    findings, held = [], set()
    for pool in facts.pools:
        if not pool.collected or pool.held_since is None:
            continue
        limit = limits(pool.subject.pool)
        told = {hour.hour: hour for hour in pool.hours}
        first = pool.held_since
        due = [at for at in _hours_before(pool.due, limit.hours) if at >= first]
        if len(due) < limit.hours:
            held.add(pool.subject.key)
        elif all(_empty(told.get(at), limit) for at in due):
            findings.append(_finding(pool, told, limit, facts))
        elif not _clean(told.get(due[0]), limit):
            held.add(pool.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _hours_before(due: datetime, count: int) -> list[datetime]:
    return [due - place * HOUR for place in range(1, count + 1)]


def _empty(hour: HourFact | None, limit: Thresholds) -> bool:
    if hour is None:
        return True
    return hour.coverage is not None and hour.coverage < limit.opens_below


def _clean(hour: HourFact | None, limit: Thresholds) -> bool:
    return hour is not None and (hour.coverage is None or hour.coverage >= limit.resolves_at)


def _finding(pool: PoolFact, told: dict[datetime, HourFact], limit: Thresholds, facts: AlertFacts) -> Finding:
    since = _since(pool, told, limit, facts)
    never = pool.last_hour is None
    missing = sum(at not in told for at in _hours_before(pool.due, limit.hours))
    what = "never came" if never else "are missing" if missing else "are nearly empty"
    return Finding(
        subject=pool.subject,
        severity=Severity.WARNING,
        since=since,
        summary=f"The last {limit.hours} hours {what}: nobody can say what the pool did"
        if not never
        else "No hour ever came: nobody can say what the pool does",
        next_step=NextStep("See data health", "telemetry:data-health"),
        cause=_cause(missing, never=never),
        numbers=(
            ("missing for", notation.duration(facts.as_of - since)),
            ("hours never collected", f"{missing} of {limit.hours}"),
            ("newest coverage", notation.percent(_newest(pool))),
        ),
    )


def _since(pool: PoolFact, told: dict[datetime, HourFact], limit: Thresholds, facts: AlertFacts) -> datetime:
    """The start of the unbroken run of such hours; what lies before the day looked at is told by the last hour."""
    held_since = pool.held_since or facts.as_of
    if pool.last_hour is None:
        return min(held_since, facts.as_of)
    at = pool.due
    for before in _hours_before(pool.due, DAY_HOURS):
        if before < held_since or not _empty(told.get(before), limit):
            return min(at, facts.as_of)
        at = before
    return min(at if told else pool.last_hour + HOUR, facts.as_of)


def _newest(pool: PoolFact) -> Decimal | None:
    return pool.hours[0].coverage if pool.hours else None


def _cause(missing: int, *, never: bool) -> str:
    if never:
        return "Its metrics source knows none of its nodes, or was never reached."
    if missing:
        return "Its metrics source does not answer, or hours are not collected."
    return "Its metrics source answers, and the exporters on its nodes do not."


RULE = Rule(
    name="telemetry_missing",
    title="Telemetry missing",
    what="Hours of a pool that is paid are missing, or nearly nothing of them is known.",
    defaults=Thresholds(),
    check=check,
)
