"""Slots that are paid and that nothing was launched into, for so long that no replacement of a node explains it."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from reservations.domain import notation
from reservations.domain.reservation_state import Kind, State
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.alert.unused_cause import UnusedCause, unused_cause
from scheduler.domain.attention.item import weekly_of


@dataclass(frozen=True, slots=True)
class Thresholds:
    """When slots are free for too long."""

    unused_for: Annotated[
        timedelta,
        Why(
            "A node that is being replaced is back within the hour. "
            "It can't be set lower: so far back the observations have to cover every minute.",
            timedelta(minutes=60),
            timedelta(days=7),
        ),
    ] = timedelta(minutes=60)
    clean_observations: Annotated[
        int,
        Why(
            "A quarter of an hour of inventory without a free slot: one alone may be a node between two launches.",
            1,
            12,
        ),
    ] = 3


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """An active reservation whose observations of the last hour each show a free slot, since ``unused_for``."""
    findings, held = [], set()
    for one in facts.reservations:
        if one.state is not State.ACTIVE or one.kind is Kind.MANUAL or _over(one, facts):
            continue
        limit = limits(one.subject.pool)
        if one.slots.clean is not None and one.slots.clean >= limit.clean_observations:
            continue
        if _sustained(one, facts, limit):
            findings.append(_finding(one, facts))
        else:
            held.add(one.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _over(one: ReservationFact, facts: AlertFacts) -> bool:
    """Whether its machines are being taken: slots that get free then are of no use to anybody."""
    return one.usable_until is not None and one.usable_until <= facts.as_of


def _sustained(one: ReservationFact, facts: AlertFacts, limit: Thresholds) -> bool:
    slots = one.slots
    return bool(
        slots.free
        and slots.watched
        and slots.every_free
        and slots.since is not None
        and facts.as_of - slots.since >= limit.unused_for
    )


def _finding(one: ReservationFact, facts: AlertFacts) -> Finding:
    free, total = one.slots.free or 0, one.total
    since = one.slots.since or one.start_at
    told = unused_cause(one, as_of=facts.as_of)
    return Finding(
        subject=one.subject,
        severity=Severity.NOTICE if told.cause is UnusedCause.DRAINING else Severity.WARNING,
        since=since,
        summary=f"{free} of {total if total is not None else '?'} nodes reserved and not launched",
        next_step=one.page,
        cause=told.sentence,
        money=weekly_of(free, one.gpus_per_node, one.price),
        numbers=(
            ("free nodes", notation.grouped(free)),
            ("reserved nodes", notation.UNKNOWN if total is None else notation.grouped(total)),
            ("free for", notation.duration(facts.as_of - since)),
            ("instances beside it", "not listed" if one.launches.outside is None else "compared"),
            ("launch templates, quotas", "not read"),
        ),
    )


RULE = Rule(
    name="reserved_unused",
    title="Reserved but unused",
    what="Every observation of the last hour shows slots that nothing was launched into.",
    defaults=Thresholds(),
    check=check,
)
