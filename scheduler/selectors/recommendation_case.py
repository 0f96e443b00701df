"""All that a recommendation of a pool is made from, read for one instant."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo
from decimal import Decimal

from reservations.domain.period import HOUR_MS, Period, month_period
from reservations.selectors.backing import Backing
from reservations.selectors.pools import PoolRow
from scheduler.domain.recommendation.case import DEFAULT_ADVICE, AdvicePolicy, Case
from scheduler.domain.recommendation.moves import Part
from scheduler.domain.sizing.when import month_before, months_period
from scheduler.selectors.packed import packed_size
from scheduler.selectors.sizing import pool_facts
from telemetry.domain.demand import DemandTrace
from telemetry.selectors.pool_hours import PoolHourFacts, pool_hours

LEDGER = "ledger"


def recommendation_case(
    *,
    pool: PoolRow,
    backing: Sequence[Backing],
    as_of: datetime,
    zone: tzinfo,
    code: str,
    policy: AdvicePolicy = DEFAULT_ADVICE,
) -> Case:
    """The case of the last whole months before an instant, in a number of queries that does not grow with them."""
    month = month_before(as_of.astimezone(zone).date())
    period = months_period(month, policy.months, zone)
    facts = pool_facts(pool=pool, period=period, as_of=as_of)
    hours = pool_hours(pool_id=pool.id, period=period)
    parts = tuple(part_of(one) for one in backing)
    return Case(
        pool=pool.name,
        month=month,
        period=period,
        trace=facts.trace,
        thin=thin_hours(facts.trace, hours, policy.coverage),
        known=replace(facts.known, spare=pool.spare_nodes),
        parts=parts,
        as_of=as_of,
        growth=facts.growth,
        packed=packed_size(pool_id=pool.id, month=month, as_of=as_of, current=facts.known.current or 0),
        idle_held=idle_held_nodes(hours, month_period(month, zone), pool.gpus_per_node, policy.coverage),
        lead=next((one.held.lead for one in backing), None),
        zone=zone,
        code=code,
        policy=policy,
    )


def part_of(backing: Backing) -> Part:
    """A reservation as the rules of its provider are asked about it."""
    held = backing.held
    return Part(held.external_id, held.kind, held.state, held.total or 0, held.end_at, backing.commitment_end_at)


def thin_hours(trace: DemandTrace, hours: Iterable[PoolHourFacts], least: Decimal) -> frozenset[datetime]:
    """The trace's hours out of the ledger whose coverage is under ``least``; an imported hour stands for itself."""
    thick = {one.hour for one in hours if not one.thin(least)}
    sources = trace.sources or (LEDGER,) * len(trace.hours)
    return frozenset(
        hour
        for hour, source in zip(trace.hours, sources, strict=True)
        if source.startswith(LEDGER) and hour not in thick
    )


def idle_held_nodes(
    hours: Iterable[PoolHourFacts], period: Period, gpus_per_node: Decimal, least: Decimal
) -> Decimal | None:
    """Nodes that pods held without working, on average over the hours of a month that can be trusted, to 0.0001."""
    told = [one.idle_held for one in hours if one.hour in period and not one.thin(least) and one.idle_held is not None]
    if not told:
        return None
    return (Decimal(sum(told)) / (len(told) * HOUR_MS * gpus_per_node)).quantize(Decimal("0.0001"))
