"""What is known of a pool to size it with: its demand, its prices, q and L, and the nodes it holds today."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import ROUND_HALF_EVEN, Decimal

from reservations.domain.period import HOUR_MS, Period
from reservations.domain.pricing import EXACT, PriceKind, PriceSpan, days_left, per_node_hour, span_on
from reservations.domain.reservation_state import State
from reservations.domain.shortage import ShortageSpan
from reservations.domain.terms import Terms
from reservations.selectors.free_slots import HeldNow, held_now
from reservations.selectors.pools import PoolRow
from reservations.selectors.terms import terms_of_shapes, utc_days
from scheduler.domain.sizing.given import Known, KnownPrices, KnownShortage
from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.prices import MOST_PLACES, ShortageTerms
from scheduler.domain.sizing.reality import block_bounds
from scheduler.selectors.growth import growth_by_pool
from telemetry.domain.demand import DemandTrace
from telemetry.selectors.demand import held_demands
from telemetry.selectors.pool_hours import last_reserved

PLACES = Decimal(1).scaleb(-MOST_PLACES)


@dataclass(frozen=True, slots=True)
class PoolAsked:
    """Whose facts, and of when; without ``prices`` nothing that tells money."""

    pool: PoolRow
    period: Period
    prices: bool = True


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
    return facts_of([PoolAsked(pool, period, prices)], as_of=as_of)[0]


def facts_of(asked: Sequence[PoolAsked], *, as_of: datetime) -> list[PoolFacts]:
    """The same of several pools and periods, in a number of queries that does not grow with them."""
    traces = held_demands([(one.pool.id, one.period) for one in asked])
    growth = growth_by_pool(pool_ids={one.pool.id for one in asked})
    held = [one for one in held_now(as_of=as_of) if one.pool_id is not None]
    terms = _terms([one for one in asked if one.prices])
    nodes = _nodes(asked, traces, held)
    found = []
    for one, trace, current in zip(asked, traces, nodes, strict=True):
        of_pool = terms.get(one.pool.id) if one.prices else None
        known = replace(
            known_terms(of_pool, pool=one.pool, period=one.period) if of_pool else Known(),
            current=current,
            spare=one.pool.spare_nodes,
            block=block_bounds([part.kind for part in held if part.pool_id == one.pool.id], current),
        )
        found.append(PoolFacts(one.pool, one.period, trace, known, growth.get(one.pool.id, ())))
    return found


def known_terms(terms: Terms, *, pool: PoolRow, period: Period) -> Known:
    """Prices per node-hour, q and L: those in force on a period's last UTC day, and prices that its other days had.

    Empty where there is no quote on the last day, nor a block's before it. Prices in another currency are not known.
    """
    first, end = utc_days(period)
    last = end - timedelta(days=1)
    span, shortage = in_force(terms.quotes, first, last), span_on(terms.shortages, last)
    record = None if shortage is None else _shortage(shortage)
    if span is None:
        return Known(shortage=record)
    return Known(
        prices=prices_of(span, pool.gpus_per_node),
        currency=span.currency,
        source=span.source or f"price book, from {span.start.isoformat()}",
        shortage=record,
        earlier=tuple(_earlier(terms.quotes, span, first, end, pool.gpus_per_node)),
    )


def nodes_held(*, pool_id: int, as_of: datetime) -> int:
    """Nodes that the pool's reservations hold at an instant; what has not begun yet is not among them."""
    return _held_by(pool_id, held_now(as_of=as_of))


def _held_by(pool_id: int, held: Collection[HeldNow]) -> int:
    return sum(one.total or 0 for one in held if one.pool_id == pool_id and one.state is not State.SCHEDULED)


def _nodes(asked: Sequence[PoolAsked], traces: Sequence[DemandTrace], held: Collection[HeldNow]) -> list[int]:
    """The nodes of each pool today; between two blocks those of the last one, since the next is what is asked about."""
    found = [_held_by(one.pool.id, held) for one in asked]
    between = [
        (one.pool.id, one.period)
        for one, trace, nodes in zip(asked, traces, found, strict=True)
        if not nodes and trace.not_held
    ]
    last = last_reserved(between) if between else {}
    return [
        nodes or _whole(last.get((one.pool.id, one.period), 0), one.pool.gpus_per_node)
        for one, nodes in zip(asked, found, strict=True)
    ]


def _whole(gpu_ms: int, gpus_per_node: Decimal) -> int:
    return int(-(-gpu_ms // (HOUR_MS * gpus_per_node)))


def _terms(asked: Sequence[PoolAsked]) -> Mapping[int, Terms]:
    if not asked:
        return {}
    whole = Period(min(one.period.start for one in asked), max(one.period.end for one in asked))
    return terms_of_shapes(shapes={one.pool.id: one.pool.instance_type for one in asked}, period=whole)


def _earlier(
    quotes: Sequence[PriceSpan], now: PriceSpan, first: date, end: date, gpus: Decimal
) -> Iterator[KnownPrices]:
    """The days before those of the prices in force, each with its own prices, and those without any."""
    others = [one for one in quotes if one is not now]
    for one in others:
        if (period := days_within(one, first, end)) is not None:
            yield KnownPrices(period, prices_of(one, gpus) if one.currency == now.currency else {})
    for start, until in days_left(start=first, end=end, taken=[(one.start, one.end) for one in [*others, now]]):
        yield KnownPrices(_days(start, until or end))


def in_force(quotes: Sequence[PriceSpan], first: date, last: date) -> PriceSpan | None:
    """The quote of the last day; between two blocks the one that the last block's fee made."""
    found = span_on(quotes, last)
    if found is not None and found.reserved is not None:
        return found
    of_blocks = [one for one in quotes if one.derived and one.start <= last and (one.end is None or one.end > first)]
    return max(of_blocks, key=lambda one: one.start, default=found)


def days_within(span: PriceSpan, first: date, end: date) -> Period | None:
    """The part of the UTC days ``[first, end)`` on which a quote holds; None where it holds on none."""
    start, until = max(first, span.start), min(end, span.end or end)
    return _days(start, until) if start < until else None


def _days(first: date, end: date) -> Period:
    return Period(*(datetime.combine(day, time(), tzinfo=UTC) for day in (first, end)))


def prices_of(span: PriceSpan, gpus: Decimal) -> dict[PriceKind, Decimal]:
    """Its prices per node-hour by kind, unknown ones left out.

    A block's fee by the hour has more decimals than any price: it is rounded to the last that is weighed.
    """
    each = {kind: per_node_hour(span.price(kind), unit=span.unit, gpus_per_node=gpus) for kind in PriceKind}
    return {kind: _rounded(price) for kind, price in each.items() if price is not None}


def _rounded(price: Decimal) -> Decimal:
    exponent = price.as_tuple().exponent
    long = isinstance(exponent, int) and exponent < -MOST_PLACES
    return price.quantize(PLACES, ROUND_HALF_EVEN, EXACT) if long else price


def _shortage(span: ShortageSpan) -> KnownShortage:
    return KnownShortage(
        terms=ShortageTerms(span.fail_probability, span.shortage_cost, span.convention),
        currency=span.currency,
        source=span.source or "recorded",
        recorded_on=span.recorded_on,
        interval=span.interval,
    )
