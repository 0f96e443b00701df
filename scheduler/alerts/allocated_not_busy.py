"""GPUs that pods hold and do not use."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Annotated

from reservations.domain import notation
from reservations.domain.period import HOUR, HOUR_MS
from scheduler.domain.alert.facts import AlertFacts, HourFact, PoolFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import WEEK_HOURS, NextStep, weekly_cost


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How much held without working is too much."""

    opens_at: Annotated[
        Decimal,
        Why(
            "Twice what the front page shows of a week: a bad day, not the pauses that any work makes.",
            Decimal("0.01"),
            Decimal(1),
        ),
    ] = Decimal("0.30")
    resolves_below: Annotated[
        Decimal,
        Why(
            "Clearly less than what opens it, so that it does not come and go with every hour.",
            Decimal(0),
            Decimal(1),
        ),
    ] = Decimal("0.20")
    least_gpus: Annotated[
        int,
        Why(
            "Less, on average over the time looked at, is not worth anybody's morning.",
            1,
            10_000,
        ),
    ] = 2
    looked_back: Annotated[
        timedelta,
        Why(
            "Half a day, so that one long save or one lunch does not count.",
            timedelta(hours=2),
            timedelta(hours=24),
        ),
    ] = timedelta(hours=12)
    coverage: Annotated[
        Decimal,
        Why(
            "Known ÷ expected of the time looked at: thinner time says nothing, and feeds no figure elsewhere either.",
            Decimal("0.5"),
            Decimal(1),
        ),
    ] = Decimal("0.90")


@dataclass(frozen=True, slots=True)
class Held:
    """GPU-milliseconds over some hours: idle for certain, idle at most (devices in doubt may work), and known."""

    hours: int
    surely: int
    at_most: int
    known: int


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A pool whose pods held ``opens_at`` of its known GPU-time without working over ``looked_back``."""
    findings, held = [], set()
    for pool in facts.pools:
        if not pool.collected:
            continue
        limit = limits(pool.subject.pool)
        seen = _held(pool, limit)
        if seen is None:
            held.add(pool.subject.key)
        elif _reaches(seen.surely, seen, limit.opens_at, limit):
            findings.append(_finding(pool, seen, limit))
        elif _reaches(seen.at_most, seen, limit.resolves_below, limit):
            held.add(pool.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _held(pool: PoolFact, limit: Thresholds) -> Held | None:
    """The sums of the last hours; None where one is missing, or they are too thin together."""
    due = limit.looked_back // HOUR
    hours = [hour for hour in pool.hours if hour.hour >= pool.due - due * HOUR and hour.hour < pool.due]
    if len(hours) < due or not all(_told(hour) for hour in hours):
        return None
    known = sum(hour.known or 0 for hour in hours)
    if known < limit.coverage * sum(hour.expected or 0 for hour in hours):
        return None
    idle = [hour.idle_held or 0 for hour in hours]
    doubted = [max(0, (hour.idle_held or 0) - hour.suspects * HOUR_MS) for hour in hours]
    return Held(due, sum(doubted), sum(idle), known)


def _told(hour: HourFact) -> bool:
    return hour.expected == 0 or (hour.expected is not None and hour.idle_held is not None)


def _reaches(idle: int, seen: Held, share: Decimal, limit: Thresholds) -> bool:
    return bool(seen.known) and idle >= share * seen.known and idle >= limit.least_gpus * seen.hours * HOUR_MS


def _finding(pool: PoolFact, seen: Held, limit: Thresholds) -> Finding:
    share = Decimal(seen.surely) / seen.known
    return Finding(
        subject=pool.subject,
        severity=Severity.WARNING,
        since=pool.due - seen.hours * HOUR,
        summary=f"Pods held {notation.percent(share)} of the known GPU-time of the last {seen.hours} h without working",
        next_step=NextStep(
            "See the hours", "telemetry:pool-now", (("name", pool.subject.name),), (("step", "idle_held"),)
        ),
        cause=pool.holder,
        money=weekly_cost(seen.surely * WEEK_HOURS // seen.hours, pool.price),
        numbers=(
            ("held and idle", f"{notation.gpu_hours(seen.surely)} GPU-hours"),
            ("known", f"{notation.gpu_hours(seen.known)} GPU-hours"),
            ("share", notation.percent(share)),
            ("opens at", notation.percent(limit.opens_at)),
        ),
    )


RULE = Rule(
    name="allocated_not_busy",
    title="Allocated, not busy",
    what="Pods hold GPUs of a pool and do not use them.",
    defaults=Thresholds(),
    check=check,
)
