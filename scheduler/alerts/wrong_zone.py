"""Capacity in another zone than the data that its pool works on: every read pays for the way."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from reservations.domain.reservation_state import State
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import weekly_of


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How much of a pool may lie elsewhere."""

    nodes: Annotated[
        int,
        Why(
            "A single node elsewhere slows down the job that spans it; a pool that means to span zones sets more.",
            1,
            10_000,
        ),
    ] = 1
    over_at: Annotated[
        Decimal,
        Why(
            "Of those nodes: one that opened stays until half of them or fewer lie elsewhere, so that a node that is "
            "replaced neither ends it nor opens it anew.",
            Decimal(0),
            Decimal(1),
        ),
    ] = Decimal("0.5")


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A reservation whose zone id is not that of its pool's data; names of zones differ by account, ids do not."""
    findings, held = [], set()
    for one in facts.reservations:
        if one.state not in (State.ACTIVE, State.SCHEDULED) or not one.data_zone_id:
            continue
        if not one.zone_id or one.total is None:
            held.add(one.subject.key)
        elif one.zone_id != one.data_zone_id:
            limit = limits(one.subject.pool)
            if one.total >= limit.nodes:
                findings.append(_finding(one, facts))
            elif one.total > limit.nodes * limit.over_at:
                held.add(one.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _finding(one: ReservationFact, facts: AlertFacts) -> Finding:
    return Finding(
        subject=one.subject,
        severity=Severity.WARNING,
        since=min(one.start_at, facts.as_of),
        summary=f"{one.total} nodes are in {one.zone_id}, the data of the pool in {one.data_zone_id}",
        next_step=one.page,
        cause="It was bought in a zone where the pool's data are not.",
        money=weekly_of(one.total, one.gpus_per_node, one.price),
        numbers=(("zone", one.zone_id), ("zone of the data", one.data_zone_id), ("nodes", str(one.total))),
    )


RULE = Rule(
    name="wrong_zone",
    title="Wrong zone",
    what="A reservation lies in another zone than the data of its pool.",
    defaults=Thresholds(),
    check=check,
)
