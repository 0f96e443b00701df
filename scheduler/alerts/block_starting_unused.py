"""A block that has begun and into which nothing was launched: its fee runs by the hour, used or not."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from reservations.domain import notation
from reservations.domain.reservation_state import Kind, State
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.steps import occasion
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.alert.unused_cause import unused_cause
from scheduler.domain.attention.item import weekly_of


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How long after its start a block may be empty."""

    empty_for: Annotated[
        timedelta,
        Why(
            "Three polls of the inventory: machines boot in less.",
            timedelta(0),
            timedelta(hours=24),
        ),
    ] = timedelta(minutes=15)
    critical_after: Annotated[
        timedelta,
        Why(
            "An hour of a block that was bought for days is lost, and nobody is at it.",
            timedelta(0),
            timedelta(hours=24),
        ),
    ] = timedelta(minutes=60)
    looked_at_for: Annotated[
        timedelta,
        Why(
            "The first day: later it is a reservation that stands unused like others.",
            timedelta(hours=1),
            timedelta(days=7),
        ),
    ] = timedelta(hours=24)


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A block in its first day of which every slot has been free for ``empty_for`` since its start."""
    findings, held = [], set()
    for one in facts.reservations:
        limit = limits(one.subject.pool)
        if not _begins(one, facts, limit) or one.total == 0 or (one.used or 0) > 0:
            continue
        if one.used is None or one.slots.since is None:
            held.add(one.subject.key)
            continue
        empty_since = max(one.start_at, one.slots.since)
        if facts.as_of - empty_since >= limit.empty_for:
            findings.append(_finding(one, empty_since, facts, limit))
        else:
            held.add(one.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _begins(one: ReservationFact, facts: AlertFacts, limit: Thresholds) -> bool:
    if one.state is not State.ACTIVE or not (one.takes_machines or one.kind is Kind.FUTURE):
        return False
    if one.usable_until is not None and one.usable_until <= facts.as_of:
        return False
    return timedelta(0) <= facts.as_of - one.start_at < limit.looked_at_for


def _finding(one: ReservationFact, empty_since: datetime, facts: AlertFacts, limit: Thresholds) -> Finding:
    lost = facts.as_of - empty_since
    nodes = one.total or 0
    return Finding(
        subject=one.subject,
        severity=Severity.CRITICAL if lost >= limit.critical_after else Severity.WARNING,
        since=empty_since,
        summary=f"Began {notation.duration(facts.as_of - one.start_at)} ago, and none of {nodes} nodes is launched",
        next_step=one.page,
        cause=unused_cause(one, as_of=facts.as_of).sentence,
        occurrence=occasion(one.start_at),
        money=weekly_of(one.total, one.gpus_per_node, one.price),
        numbers=(
            ("start", notation.instant(one.start_at, facts.zone)),
            ("nodes", notation.grouped(nodes)),
            ("empty for", notation.duration(lost)),
        ),
    )


RULE = Rule(
    name="block_starting_unused",
    title="Block starting unused",
    what="A block has begun, and nothing has been launched into it.",
    defaults=Thresholds(),
    check=check,
)
