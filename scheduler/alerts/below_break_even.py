"""A pool that was busy for less of what it costs than the break-even asks: on demand it would have been cheaper."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Annotated

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from reservations.domain.pricing import EXACT, MONEY_STEP
from scheduler.domain.alert.facts import AlertFacts, LongUse, PoolFact
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
        summary=f"Busy {notation.percent(share)} of what is paid in {use.days} days; it pays above "
        f"{notation.percent(line)}",
        next_step=NextStep(
            "See its month", "telemetry:pool-month", (("name", pool.subject.name), ("month", use.month))
        ),
        cause=_cause(said.decides),
        money=_lost(pool, use),
        numbers=(
            ("busy", f"{notation.gpu_hours(use.busy)} GPU-hours"),
            ("paid", f"{notation.gpu_hours(use.busy_paid)} GPU-hours"),
            ("busy ÷ paid", notation.percent(share)),
            ("break-even", notation.percent(pool.lines.even)),
            ("with launches that fail", notation.percent(pool.lines.adjusted)),
        ),
    )


def _cause(decides: Decides | None) -> str:
    if decides is Decides.IDLE:
        return "What pods hold would be enough: idle allocations are to be mended before the size is."
    if decides is Decides.SHORTAGE:
        return "By the prices alone it would pay; launches that fail make the other side dearer."
    return ""


def _lost(pool: PoolFact, use: LongUse) -> Weekly:
    """A week of (paid × reserved price − busy × on-demand price), over the hours in which busy is known."""
    gpu_ms = (use.busy_paid - (use.busy or 0)) * 7 // use.days
    reserved, on_demand = pool.price, pool.on_demand
    if reserved.per_gpu_hour is None or on_demand.per_gpu_hour is None:
        return Weekly(gpu_ms, why_not=reserved.why_not or on_demand.why_not)
    if reserved.currency != on_demand.currency:
        return Weekly(gpu_ms, why_not="the two prices are in different currencies")
    held = EXACT.multiply(Decimal(use.busy_paid), reserved.per_gpu_hour)
    bought = EXACT.multiply(Decimal(use.busy or 0), on_demand.per_gpu_hour)
    lost = EXACT.divide(EXACT.multiply(EXACT.subtract(held, bought), Decimal(7)), Decimal(HOUR_MS * use.days))
    return Weekly(gpu_ms, EXACT.quantize(lost, MONEY_STEP), reserved.currency)


RULE = Rule(
    name="below_break_even",
    title="Below break-even",
    what="Over 28 days a pool was busy for less of what is paid than its break-even utilization.",
    defaults=Thresholds(),
    check=check,
)
