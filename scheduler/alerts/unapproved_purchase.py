"""A reservation appeared that neither the rule advised nor anybody approved."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from reservations.domain import notation
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import weekly_of


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How long the papers may take to follow the purchase."""

    papers_within: Annotated[
        timedelta,
        Why(
            "Whoever bought it says so the same day or the next; an emergency is approved before it is bought.",
            timedelta(0),
            timedelta(days=30),
        ),
    ] = timedelta(days=1)


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A reservation without an approval, from ``papers_within`` its start on."""
    return Verdicts(
        tuple(
            _finding(one, facts)
            for one in facts.reservations
            if one.id in facts.unapproved and facts.as_of - one.start_at >= limits(one.subject.pool).papers_within
        )
    )


def _finding(one: ReservationFact, facts: AlertFacts) -> Finding:
    nodes = notation.UNKNOWN if one.total is None else notation.grouped(one.total)
    end = notation.UNKNOWN if one.end_at is None else notation.instant(one.end_at, facts.zone)
    return Finding(
        subject=one.subject,
        severity=Severity.WARNING,
        since=one.start_at,
        summary="Bought without an approval",
        next_step=one.page,
        cause="No recommendation that was accepted covers it, and no request for an exception was approved for it.",
        money=weekly_of(one.total, one.gpus_per_node, one.price),
        numbers=(("nodes", nodes), ("start", notation.instant(one.start_at, facts.zone)), ("end", end)),
    )


RULE = Rule(
    name="unapproved_purchase",
    title="Unapproved purchase",
    what="A reservation is held that neither the procurement rule advised nor anybody approved.",
    defaults=Thresholds(),
    check=check,
)
