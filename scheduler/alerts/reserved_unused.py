"""Slots that are paid and that nothing was launched into, for so long that no replacement of a node explains it."""

from dataclasses import dataclass
from datetime import timedelta

from reservations.domain.reservation_state import State
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.attention.item import NextStep, weekly_of


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When slots are free for too long."""

    unused_for: timedelta = timedelta(minutes=60)
    """A node that is being replaced is back within the hour."""

    clean_observations: int = 3
    """A quarter of an hour of inventory without a free slot: one alone may be a node between two launches."""


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """An active reservation whose observations of the last ``unused_for`` each show a free slot."""
    findings, held = [], set()
    for one in facts.reservations:
        if one.state is not State.ACTIVE:
            continue
        limit = limits(one.subject.pool)
        if one.slots.clean is not None and one.slots.clean >= limit.clean_observations:
            continue
        if _sustained(one, facts, limit):
            findings.append(_finding(one))
        else:
            held.add(one.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _sustained(one: ReservationFact, facts: AlertFacts, limit: Thresholds) -> bool:
    slots = one.slots
    return bool(
        slots.free
        and slots.watched
        and slots.every_free
        and slots.since is not None
        and facts.as_of - slots.since >= limit.unused_for
    )


def _finding(one: ReservationFact) -> Finding:
    free, total = one.slots.free or 0, one.total
    return Finding(
        subject=one.subject,
        severity=Severity.WARNING,
        since=one.slots.since or one.start_at,
        summary=f"{free} of {total if total is not None else '?'} nodes reserved and not launched",
        next_step=NextStep("Open reservation", "reservations:detail", (("pk", str(one.id)),)),
        money=weekly_of(free, one.gpus_per_node, one.price),
    )


RULE = Rule(
    name="reserved_unused",
    title="Reserved but unused",
    what="Every observation of the last hour shows slots that nothing was launched into.",
    defaults=Thresholds(),
    check=check,
)
