"""Nodes that are launched and paid and that never joined their pool, or fell out of it: hardware, drivers, plugins."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated

from reservations.domain import notation
from reservations.domain.period import HOUR, HOUR_MS
from scheduler.domain.alert.facts import AlertFacts, HourFact, PoolFact
from scheduler.domain.alert.finding import Finding, Limits, Rule, Verdicts
from scheduler.domain.alert.severity import Severity
from scheduler.domain.alert.thresholds import Why
from scheduler.domain.attention.item import NextStep, weekly_of


@dataclass(frozen=True, slots=True)
class Thresholds:
    """How many nodes have to be missing, and for how long."""

    nodes: Annotated[
        Decimal,
        Why(
            "Of one node, over a whole hour: what is polled every five minutes differs by a tenth.",
            Decimal("0.1"),
            Decimal(10),
        ),
    ] = Decimal("0.90")
    hours: Annotated[
        int,
        Why(
            "A node boots or is replaced within the hour, and what spans two hours is not that.",
            1,
            24,
        ),
    ] = 2
    resolves_below: Annotated[
        Decimal,
        Why(
            "Of one node: what is left then is a node on its way.",
            Decimal(0),
            Decimal(10),
        ),
    ] = Decimal("0.25")


def check(facts: AlertFacts, limits: Limits[Thresholds]) -> Verdicts:
    """A pool that misses ``nodes`` of what is launched in each of its last ``hours`` whole hours."""
    findings, held = [], set()
    for pool in facts.pools:
        if not pool.collected:
            continue
        limit = limits(pool.subject.pool)
        missing = _missing(pool, limit.hours)
        if missing is None:
            held.add(pool.subject.key)
        elif min(missing) >= limit.nodes:
            findings.append(_finding(pool, min(missing), _since(pool, limit), facts))
        elif missing[0] >= limit.resolves_below:
            held.add(pool.subject.key)
    return Verdicts(tuple(findings), frozenset(held))


def _missing(pool: PoolFact, hours: int) -> list[Decimal] | None:
    """Nodes launched and not joined in the last whole hours, the newest first; None where one hour does not say."""
    told = {hour.hour: hour for hour in pool.hours}
    last = [told.get(pool.due - place * HOUR) for place in range(1, hours + 1)]
    nodes = [None if hour is None else _nodes(hour, pool) for hour in last]
    known = [count for count in nodes if count is not None]
    return known if len(known) == hours else None


def _nodes(hour: HourFact, pool: PoolFact) -> Decimal | None:
    return None if hour.not_joined is None else Decimal(hour.not_joined) / HOUR_MS / pool.gpus_per_node


def _since(pool: PoolFact, limit: Thresholds) -> datetime:
    """The first of the unbroken run of hours that miss as much."""
    told = {hour.hour: hour for hour in pool.hours}
    at = pool.due - HOUR
    while at - HOUR in told and (_nodes(told[at - HOUR], pool) or Decimal(0)) >= limit.nodes:
        at -= HOUR
    return at


def _finding(pool: PoolFact, missing: Decimal, since: datetime, facts: AlertFacts) -> Finding:
    nodes = max(1, int(missing.to_integral_value()))
    return Finding(
        subject=pool.subject,
        severity=Severity.WARNING,
        since=since,
        summary=f"{nodes} node{' is' if nodes == 1 else 's are'} launched and not in the pool "
        f"for {notation.duration(facts.as_of - since)}",
        next_step=NextStep(
            "Open pool", "telemetry:pool-now", (("name", pool.subject.name),), (("step", "not_joined"),)
        ),
        cause="Launched and paid, and no GPU of it is offered: a failed device plugin, driver or machine.",
        money=weekly_of(nodes, pool.gpus_per_node, pool.price),
        numbers=(
            ("nodes missing", notation.grouped(missing, 2)),
            ("GPUs per node", notation.grouped(pool.gpus_per_node)),
            ("missing for", notation.duration(facts.as_of - since + timedelta(0))),
        ),
    )


RULE = Rule(
    name="pool_short",
    title="Pool short of nodes",
    what="Nodes are launched and paid, and their GPUs are not offered in the pool.",
    defaults=Thresholds(),
    check=check,
)
