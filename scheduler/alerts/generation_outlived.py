"""A term that is paid for longer than its GPU generation is held to be of use."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated

from reservations.domain import notation
from reservations.domain.reservation_state import State
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.steps import occasion
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import weekly_of


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How far a term may reach beyond its generation."""

    beyond: Annotated[
        timedelta,
        Why(
            "Nobody knows such a day to the month.",
            timedelta(0),
            timedelta(days=3650),
        ),
    ] = timedelta(days=30)
    over_at: Annotated[
        timedelta,
        Why(
            "Half of it by default: one that opened stays until the term is that much shorter, so that an end moved by "
            "days neither ends it nor opens it anew.",
            timedelta(0),
            timedelta(days=3650),
        ),
    ] = timedelta(days=15)


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A reservation bound for more than ``beyond`` after the day its pool's generation is of use until."""
    findings, held = [], set()
    for one in facts.reservations:
        if one.state not in (State.ACTIVE, State.SCHEDULED) or one.useful_until is None:
            continue
        bound = _bound_until(one)
        if bound is None:
            continue
        past = bound.astimezone(facts.zone).date() - one.useful_until
        limit = limits(one.subject.pool)
        if past > limit.beyond:
            findings.append(_finding(one, one.useful_until, bound, past, facts))
        elif past > limit.over_at:
            held.add(one.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _bound_until(one: ReservationFact) -> datetime | None:
    """Until when it can't be given back: the end where it has one, else the end of its commitment."""
    ends = [end for end in (one.end_at, one.commitment_end_at) if end is not None]
    return max(ends, default=None)


def _finding(one: ReservationFact, useful_until: date, bound: datetime, past: timedelta, facts: AlertFacts) -> Finding:
    generation = one.generation or one.shape or "Its generation"
    end = notation.day(bound.astimezone(facts.zone).date())
    return Finding(
        subject=one.subject,
        severity=Severity.NOTICE,
        since=min(one.start_at, facts.as_of),
        summary=f"Bound until {end}, {past.days} days beyond {generation}",
        next_step=one.page,
        cause=f"{generation} is held to be of use until {notation.day(useful_until)}.",
        occurrence=occasion(bound),
        money=weekly_of(one.total, one.gpus_per_node, one.price),
        numbers=(("bound until", end), ("of use until", notation.day(useful_until)), ("days beyond", str(past.days))),
    )


RULE = Rule(
    name="generation_outlived",
    title="Generation outlived",
    what="A term reaches beyond the day until which its GPU generation is held to be of use.",
    defaults=Thresholds(),
    check=check,
)
