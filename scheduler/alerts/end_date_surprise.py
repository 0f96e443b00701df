"""An end that would surprise somebody: it is near, and nobody answers for it or nothing is decided."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from reservations.domain import notation
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.steps import latest_step, occasion, step_name
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import weekly_of
from scheduler.domain.renewal.proposable import is_renewed


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How near an end surprises."""

    undecided_within: Annotated[
        timedelta,
        Why(
            "A week is the least in which a team can move its work; half the term where it is shorter than two.",
            timedelta(hours=1),
            timedelta(days=180),
        ),
    ] = timedelta(days=7)
    unowned_within: Annotated[
        timedelta,
        Why(
            "First somebody has to be found who answers for it.",
            timedelta(hours=1),
            timedelta(days=365),
        ),
    ] = timedelta(days=30)
    critical_within: Annotated[
        timedelta,
        Why(
            "Two days: what is lost then is the work that runs, where the end takes the machines.",
            timedelta(0),
            timedelta(days=30),
        ),
    ] = timedelta(hours=48)


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """An end within reach of which nothing is decided, or for which nobody answers."""
    findings = []
    for one in facts.reservations:
        if not is_renewed(one.kind, one.state) or one.end_at is None or one.end_at <= facts.as_of:
            continue
        limit = limits(one.subject.pool)
        left = one.end_at - facts.as_of
        unowned = not one.subject.owner and left <= limit.unowned_within
        undecided = not one.decided and left <= _undecided_within(one, one.end_at, limit)
        if unowned or undecided:
            findings.append(_finding(one, one.end_at, facts, limit, unowned=unowned, undecided=undecided))
    return Verdicts(tuple(findings))


def _undecided_within(one: ReservationFact, end: datetime, limit: Thresholds) -> timedelta:
    """Half its term at most: a block of three days is not a surprise on its first."""
    return min(limit.undecided_within, max(timedelta(0), end - one.start_at) / 2)


def _finding(
    one: ReservationFact, end: datetime, facts: AlertFacts, limit: Thresholds, *, unowned: bool, undecided: bool
) -> Finding:
    left = end - facts.as_of
    critical = undecided and one.takes_machines and left <= limit.critical_within
    reach = max(
        limit.unowned_within if unowned else timedelta(0),
        _undecided_within(one, end, limit) if undecided else timedelta(0),
    )
    step = limit.critical_within if left <= limit.critical_within else latest_step((reach,), left)
    why = " and ".join(
        [*(["nobody answers for it"] if unowned else []), *(["nothing is decided"] if undecided else [])]
    )
    return Finding(
        subject=one.subject,
        severity=Severity.CRITICAL if critical else Severity.WARNING,
        since=end - reach,
        summary=f"Ends in {notation.duration(left)}, and {why}",
        next_step=one.page,
        cause="Its end takes the machines." if one.takes_machines else "",
        occurrence=occasion(end),
        step=step_name(step) if step is not None else "",
        money=weekly_of(one.total, one.gpus_per_node, one.price),
        numbers=(
            ("end", notation.instant(end, facts.zone)),
            ("owner", one.subject.owner or "nobody"),
            ("decided", one.decided or "nothing"),
        ),
    )


RULE = Rule(
    name="end_date_surprise",
    title="End-date surprise",
    what="An end is near, and nobody answers for the reservation or nothing is decided.",
    defaults=Thresholds(),
    check=check,
)
