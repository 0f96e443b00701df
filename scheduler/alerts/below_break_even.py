"""A pool that was busy for less of what it costs than the break-even asks: on demand it would have been cheaper."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Annotated

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from reservations.domain.pricing import EXACT, MONEY_STEP
from scheduler.domain.alert.facts import AlertFacts, BreakEvenLines, LongUse, PoolFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import NextStep, Weekly
from telemetry.domain.verdict import Decides, verdict


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How far below the break-even, and how well that must be known."""

    below_by: Annotated[
        Decimal,
        Why(
            "Two points of utilization: a month differs from the next by more, and a pool on the line is no news.",
            Decimal(0),
            Decimal("0.5"),
        ),
    ] = Decimal("0.02")
    hours_known: Annotated[
        Decimal,
        Why(
            "Hours in which busy is known ÷ hours that were due: sizes are not proposed on less either.",
            Decimal("0.5"),
            Decimal(1),
        ),
    ] = Decimal("0.80")
    coverage: Annotated[
        Decimal,
        Why(
            "Known ÷ expected: what is unknown may have been busy.",
            Decimal("0.5"),
            Decimal(1),
        ),
    ] = Decimal("0.90")


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A pool whose busy ÷ paid of 28 whole days lies ``below_by`` or more below its break-even."""
    findings, held = [], set()
    for pool in facts.pools:
        limit = limits(pool.subject.pool)
        line = pool.lines.decides
        use = pool.use
        if use is None or not _told(use, limit) or line is None or not use.busy_paid or use.busy is None:
            held.add(pool.subject.key)
            continue
        share = Decimal(use.busy) / use.busy_paid
        if share <= line - limit.below_by:
            findings.append(_finding(pool, use, share, line, facts))
        elif share <= line:
            held.add(pool.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _told(use: LongUse, limit: Thresholds) -> bool:
    if use.busy_hours < limit.hours_known * use.due_hours:
        return False
    return use.coverage is None or use.coverage >= limit.coverage


def _finding(pool: PoolFact, use: LongUse, share: Decimal, line: Decimal, facts: AlertFacts) -> Finding:
    said = verdict(busy=share, allocated=use.allocated_share, even=pool.lines.even, adjusted=pool.lines.adjusted)
    return Finding(
        subject=pool.subject,
        severity=Severity.WARNING,
        since=facts.as_of.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=use.days),
        summary=f"Busy {notation.percent(share)} of what is paid in {use.days} days, less than its break-even",
        next_step=NextStep(
            "See its month", "telemetry:pool-month", (("name", pool.subject.name), ("month", use.month))
        ),
        cause=_cause(said.decides, pool.lines),
        money=_lost(pool, use, line),
        numbers=(
            ("busy", f"{notation.gpu_hours(use.busy)} GPU-hours"),
            ("paid", f"{notation.gpu_hours(use.busy_paid)} GPU-hours"),
            ("busy ÷ paid", notation.percent(share)),
            ("break-even", notation.percent(pool.lines.even)),
            ("with launches that fail", notation.percent(pool.lines.adjusted)),
            ("held against", "the prices alone" if pool.lines.adjusted is None else "the line with launches that fail"),
        ),
    )


def _cause(decides: Decides | None, lines: BreakEvenLines) -> str:
    if decides is Decides.IDLE:
        return "What pods hold would be enough: idle allocations are to be mended before the size is."
    if decides is not Decides.SHORTAGE:
        return ""
    if lines.even is None:
        return "By launches that fail, since nobody knows how it would be by the prices alone."
    return (
        "By the prices alone it would pay; where launches fail, on demand costs less: what is not launched is not paid."
    )


def _lost(pool: PoolFact, use: LongUse, line: Decimal) -> Weekly:
    """A week of (paid − busy ÷ the deciding line) × reserved price, over the hours in which busy is known.

    A line is the reserved price ÷ what an hour of use costs without the reservation, so that nothing is lost on it.
    """
    busy = use.busy or 0
    gpu_ms = (use.busy_paid - busy) * 7 // use.days
    price = pool.price
    if price.per_gpu_hour is None:
        return Weekly(gpu_ms, why_not=price.why_not)
    needed = EXACT.divide(Decimal(busy), line) if line else Decimal(0)
    lost = EXACT.multiply(EXACT.subtract(Decimal(use.busy_paid), needed), price.per_gpu_hour)
    weekly = EXACT.divide(EXACT.multiply(lost, Decimal(7)), Decimal(HOUR_MS * use.days))
    return Weekly(gpu_ms, EXACT.quantize(weekly, MONEY_STEP), price.currency)


RULE = Rule(
    name="below_break_even",
    title="Below break-even",
    what="Over 28 days a pool was busy for less of what is paid than its break-even utilization.",
    defaults=Thresholds(),
    check=check,
)
