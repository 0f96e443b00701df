"""A metrics engine or an account's region that fails or gave nothing for too long, and what that blinds."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Annotated

from reservations.domain import notation
from scheduler.domain.alert.facts import AlertFacts, SourceSeen
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import NextStep
from scheduler.domain.attention.sources import blinded
from scheduler.domain.policy import DEFAULT_POLICY


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How late a source may be, and how fresh it has to be again."""

    metrics_late_after: Annotated[
        timedelta,
        Why(
            "An hour is computed five minutes after it ends, so two of them and some margin.",
            timedelta(hours=1),
            timedelta(days=7),
        ),
    ] = DEFAULT_POLICY.metrics_late_after
    inventory_late_after: Annotated[
        timedelta,
        Why(
            "Inventory is asked every five minutes, and an observation of free slots holds for ten.",
            timedelta(minutes=5),
            timedelta(days=1),
        ),
    ] = DEFAULT_POLICY.inventory_late_after
    inventory_critical_after: Annotated[
        timedelta,
        Why(
            "So long without inventory an end that moved, or a block that was not delivered, is not seen.",
            timedelta(minutes=15),
            timedelta(days=7),
        ),
    ] = timedelta(hours=2)
    resolves_at: Annotated[
        Decimal,
        Why(
            "Of the lateness that opens it: a source that is read now and then would come and go.",
            Decimal("0.1"),
            Decimal(1),
        ),
    ] = Decimal("0.60")


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A source that gave nothing for longer than it may be late; one that only began to fail is not judged yet."""
    findings, held = [], set()
    limit = limits()
    for seen in facts.sources:
        source = seen.source
        late_after = limit.inventory_late_after if source.inventory else limit.metrics_late_after
        if source.data_until is None:
            if source.failing:
                findings.append(_finding(seen, None, facts, limit))
            else:
                held.add(seen.subject.key)
        elif facts.as_of - source.data_until > late_after:
            findings.append(_finding(seen, facts.as_of - source.data_until, facts, limit))
        elif source.failing or facts.as_of - source.data_until > late_after * float(limit.resolves_at):
            held.add(seen.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _finding(seen: SourceSeen, late: timedelta | None, facts: AlertFacts, limit: Thresholds) -> Finding:
    source = seen.source
    critical = source.inventory and late is not None and late > limit.inventory_critical_after
    what = "Never gave anything" if late is None else f"Gave nothing for {notation.duration(late)}"
    return Finding(
        subject=seen.subject,
        severity=Severity.CRITICAL if critical else Severity.WARNING,
        since=source.data_until or facts.as_of,
        summary=f"{what}: {blinded(source)}",
        next_step=NextStep("See data health", "telemetry:data-health"),
        cause=source.last_error if source.failing else "",
        numbers=(
            ("data until", "never" if source.data_until is None else notation.instant(source.data_until, facts.zone)),
            ("pools", notation.grouped(len(source.pools))),
        ),
    )


RULE = Rule(
    name="source_stale",
    title="Source stale",
    what="A source fails or gave nothing for too long.",
    defaults=Thresholds(),
    check=check,
    by_pool=False,
)
