"""A reservation that ends while nodes run in it which go on as on-demand nodes."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from reservations.domain import notation
from reservations.domain.reservation_state import Kind, State
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.steps import latest_step, occasion, step_name
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import weekly_of


@dataclass(frozen=True, slots=True)
class Thresholds:
    """So long before its end each step is told, and how surely nothing runs in it any more."""

    first: Annotated[
        timedelta,
        Why(
            "Long enough that a week-end does not hide it.",
            timedelta(hours=1),
            timedelta(days=30),
        ),
    ] = timedelta(hours=72)
    last: Annotated[
        timedelta,
        Why(
            "Time to drain the nodes, or to move the end.",
            timedelta(minutes=5),
            timedelta(days=30),
        ),
    ] = timedelta(hours=4)
    clean_observations: Annotated[
        int,
        Why(
            "A quarter of an hour without a running node: one observation alone may be a node that is replaced.",
            1,
            100,
        ),
    ] = 3


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A reservation whose end leaves machines running, with nodes launched, from ``first`` before its end on."""
    findings, held = [], set()
    for one in facts.reservations:
        if one.kind not in (Kind.ON_DEMAND, Kind.FUTURE) or one.state is not State.ACTIVE or one.takes_machines:
            continue
        if one.end_at is None or one.end_at <= facts.as_of:
            continue
        limit = limits(one.subject.pool)
        step = latest_step((limit.first, limit.last), one.end_at - facts.as_of)
        if step is None:
            continue
        if one.used is None:
            held.add(one.subject.key)
        elif one.used > 0:
            findings.append(_finding(one, one.used, one.end_at, step, facts, limit))
        elif (one.slots.unused or 0) < limit.clean_observations:
            held.add(one.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _finding(
    one: ReservationFact, used: int, end: datetime, step: timedelta, facts: AlertFacts, limit: Thresholds
) -> Finding:
    left = end - facts.as_of
    nodes = f"{used} running node{' goes' if used == 1 else 's go'}"
    return Finding(
        subject=one.subject,
        severity=Severity.WARNING,
        since=end - max(limit.first, limit.last),
        summary=f"In {notation.duration(left)} {nodes} on at the on-demand price",
        next_step=one.page,
        cause="Its end does not terminate what runs; the provider honours it within the hour after.",
        occurrence=occasion(end),
        step=step_name(step),
        money=weekly_of(used, one.gpus_per_node, one.on_demand),
        numbers=(
            ("end", notation.instant(end, facts.zone)),
            ("running nodes", notation.grouped(used)),
            ("decided", one.decided or "nothing"),
        ),
    )


RULE = Rule(
    name="becoming_on_demand",
    title="Becoming on-demand",
    what="A reservation ends soon, and the nodes that run in it go on as on-demand nodes.",
    defaults=Thresholds(),
    check=check,
)
