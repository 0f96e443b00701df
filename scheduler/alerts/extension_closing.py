"""A block can be extended only for a while yet, or an extension of it is not paid."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated

from reservations.domain import notation
from reservations.domain.reservation_state import State
from scheduler.domain.alert.facts import AlertFacts, ReservationFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.steps import latest_step, occasion, step_name
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import weekly_of
from scheduler.domain.recommendation.moves import EXTENSION_CLOSES
from scheduler.domain.renewal.standing import Choice

UNPAID = "unpaid"


def _before(reason: str) -> Why:
    return Why(reason, EXTENSION_CLOSES, timedelta(days=56))


@dataclass(frozen=True, slots=True)
class Thresholds:
    """So long before its end each step is told."""

    first: Annotated[timedelta, _before("A day before a payment that takes its twelve hours would come too late.")] = (
        timedelta(hours=36)
    )
    sure: Annotated[timedelta, _before("A payment may take twelve hours: an extension bought later may fail.")] = (
        timedelta(hours=12)
    )
    last: Annotated[timedelta, _before("Two hours before the window closes, one hour before the end.")] = timedelta(
        hours=3
    )


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A block that an extension may be wanted for, from ``first`` before its end until the window closes; or one that
    is unpaid."""
    findings = []
    for one in facts.reservations:
        if not one.takes_machines or one.state not in (State.ACTIVE, State.SCHEDULED):
            continue
        if one.end_at is None or one.end_at <= facts.as_of:
            continue
        limit = limits(one.subject.pool)
        left = one.end_at - facts.as_of
        step = latest_step((limit.first, limit.sure, limit.last), left)
        if one.extension_pending:
            findings.append(_finding(one, one.end_at, UNPAID, facts, limit))
        elif step is not None and left > EXTENSION_CLOSES and _is_wanted(one):
            findings.append(_finding(one, one.end_at, step_name(step), facts, limit))
    return Verdicts(tuple(findings))


def _is_wanted(one: ReservationFact) -> bool:
    """An extension keeps the size: another size is another block, and what is renewed already needs none."""
    return not one.decided or (one.decided == Choice.RENEW and not one.executed)


def _finding(one: ReservationFact, end: datetime, step: str, facts: AlertFacts, limit: Thresholds) -> Finding:
    closes, left = end - EXTENSION_CLOSES, end - facts.as_of
    late = left <= limit.sure
    critical = late and (step == UNPAID or one.decided != "")
    first = max(limit.first, limit.sure, limit.last)
    return Finding(
        subject=one.subject,
        severity=Severity.CRITICAL if critical else Severity.WARNING,
        since=min(facts.as_of, end - first),
        summary=_summary(step, closes - facts.as_of),
        next_step=one.page,
        cause=_cause(one, step, late=late),
        occurrence=occasion(end),
        step=step,
        money=weekly_of(one.total, one.gpus_per_node, one.price),
        numbers=(
            ("window closes", notation.instant(closes, facts.zone)),
            ("to be paid in time", notation.instant(end - limit.sure, facts.zone)),
            ("end", notation.instant(end, facts.zone)),
            ("decided", one.decided or "nothing"),
        ),
    )


def _summary(step: str, left: timedelta) -> str:
    if step == UNPAID:
        return "An extension waits for its payment, and until then the end stands"
    return f"It can be extended for {notation.duration(left)} more"


def _cause(one: ReservationFact, step: str, *, late: bool) -> str:
    if step == UNPAID:
        return "It fails after twelve hours, or 35 minutes before the end; no other can be bought meanwhile."
    if late:
        return "A payment may take twelve hours: an extension bought now may fail."
    return "" if one.decided else "Nothing is decided about its end."


RULE = Rule(
    name="extension_closing",
    title="Extension closing",
    what="The window in which a block can be extended closes, or its extension waits for payment.",
    defaults=Thresholds(),
    check=check,
)
