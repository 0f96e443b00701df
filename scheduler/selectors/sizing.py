"""What is known of a pool to size it with: its demand, its prices, q and L, and the nodes it holds today."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

from reservations.domain.period import Period
from reservations.domain.pricing import PriceKind, PriceSpan, per_node_hour, span_on
from reservations.domain.reservation_state import State
from reservations.selectors.free_slots import held_now
from reservations.selectors.pools import PoolRow
from reservations.selectors.prices import quotes_during
from reservations.selectors.shortage import shortage_on
from scheduler.domain.sizing.given import Known, KnownShortage
from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.prices import ShortageTerms
from scheduler.selectors.growth import committed_growth
from telemetry.domain.demand import DemandTrace
from telemetry.selectors.demand import demand_trace


@dataclass(frozen=True, slots=True)
class PoolFacts:
    """One pool's demand in a period, and what its records say."""

    pool: PoolRow
    period: Period
    trace: DemandTrace
    known: Known
    growth: tuple[GrowthLine, ...] = ()


def pool_facts(*, pool: PoolRow, period: Period, as_of: datetime, prices: bool = True) -> PoolFacts:
    """Everything a sizing of a pool starts from; without ``prices`` nothing that tells money."""
    day = (period.end - timedelta(microseconds=1)).astimezone(UTC).date()
    money = (
        replace(known_prices(pool=pool, day=day), shortage=known_shortage(pool=pool, day=day)) if prices else Known()
    )
    known = replace(money, current=nodes_held(pool_id=pool.id, as_of=as_of), spare=pool.spare_nodes)
    trace = demand_trace(pool_id=pool.id, period=period)
    return PoolFacts(pool, period, trace, known, committed_growth(pool_id=pool.id))


def known_prices(*, pool: PoolRow, day: date) -> Known:
    """The pool's prices per node-hour on a UTC day, its own before its shape's; empty where there is no quote."""
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    span = span_on(quotes_during(pool_id=pool.id, period=Period(start, start + timedelta(days=1))), day)
    if span is None:
        return Known()
    prices = {kind: _per_node(span, kind, pool.gpus_per_node) for kind in PriceKind}
    return Known(
        prices={kind: price for kind, price in prices.items() if price is not None},
        currency=span.currency,
        source=span.source or f"price book, from {span.start.isoformat()}",
    )


def known_shortage(*, pool: PoolRow, day: date) -> KnownShortage | None:
    """q and L as they are recorded for a UTC day, the pool's own before its shape's; None where they are not."""
    span = shortage_on(pool_id=pool.id, day=day)
    if span is None:
        return None
    return KnownShortage(
        terms=ShortageTerms(span.fail_probability, span.shortage_cost, span.convention),
        currency=span.currency,
        source=span.source or "recorded",
        recorded_on=span.recorded_on,
        interval=span.interval,
    )


def nodes_held(*, pool_id: int, as_of: datetime) -> int:
    """Nodes that the pool's reservations hold at an instant; what has not begun yet is not among them."""
    held = (one for one in held_now(as_of=as_of) if one.pool_id == pool_id and one.state is not State.SCHEDULED)
    return sum(one.total or 0 for one in held)


def _per_node(span: PriceSpan, kind: PriceKind, gpus: Decimal) -> Decimal | None:
    return per_node_hour(span.price(kind), unit=span.unit, gpus_per_node=gpus)
