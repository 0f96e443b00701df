"""A pool's past for the back-test, and for what its purchases assumed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from decimal import Decimal

from reservations.domain.period import Period, month_period
from reservations.domain.pricing import PriceKind, PriceSpan
from reservations.selectors.pools import PoolRow
from reservations.selectors.terms import terms_of_shapes, utc_days
from scheduler.domain.recommendation.advice import trusted
from scheduler.domain.recommendation.back_test import HeldHour, Kept, MonthAsked, MonthTested, back_test
from scheduler.domain.recommendation.case import DEFAULT_ADVICE
from scheduler.domain.recommendation.review import Assumed, MonthSince, month_since, verdict
from scheduler.domain.sizing.prices import SizingPrices, UnableToSize
from scheduler.domain.sizing.reality import FixedNodes
from scheduler.domain.sizing.when import month_before, months_period
from scheduler.models import PurchaseAssumption
from scheduler.selectors.recommendation_case import thin_hours
from scheduler.selectors.sizing import days_within, in_force, prices_of
from telemetry.selectors.demand import held_demand
from telemetry.selectors.pool_hours import PoolHourFacts, pool_hours

MONTHS = 12
MOST_MONTHS_SINCE = 24


@dataclass(frozen=True, slots=True)
class Purchase:
    """A purchase with what it assumed, the months since and one sentence on both; prices are per node-hour."""

    bought_on: date
    reservation: str
    nodes: int
    assumed: Assumed
    break_even: Decimal | None
    on_demand: Decimal | None
    reserved: Decimal | None
    currency: str
    author: str
    note: str
    since: tuple[MonthSince, ...]
    verdict: str


def back_tested(*, pool: PoolRow, as_of: datetime, zone: tzinfo, months: int = MONTHS) -> list[MonthTested]:
    """The last whole months of a pool, oldest first, in a fixed number of queries."""
    last = month_before(as_of.astimezone(zone).date())
    tested = months_back(last, months)
    ahead = DEFAULT_ADVICE.months
    whole = months_period(last, months + ahead, zone)
    hours = pool_hours(pool_id=pool.id, period=whole)
    trace = held_demand(pool_id=pool.id, period=whole)
    kept = Kept(
        trace=trusted(trace, thin_hours(trace, hours, DEFAULT_ADVICE.coverage)),
        held={one.hour: HeldHour(one.reserved, one.paid) for one in hours},
        gpus_per_node=pool.gpus_per_node,
        fixed=FixedNodes(spare=pool.spare_nodes),
    )
    terms = terms_of_shapes(shapes={pool.id: pool.instance_type}, period=whole).get(pool.id)
    spans = terms.quotes if terms else ()
    return back_test(kept, [_asked(month, ahead, zone, spans, pool.gpus_per_node) for month in tested])


def purchases_of(*, pool: PoolRow, as_of: datetime, zone: tzinfo) -> list[Purchase]:
    """Every purchase of a pool with the whole months since, in a fixed number of queries; none costs one alone."""
    records = list(PurchaseAssumption.objects.filter(pool_id=pool.id).order_by("-bought_on", "reservation"))
    if not records:
        return []
    last = month_before(as_of.astimezone(zone).date())
    every = [month for month in months_back(last, MOST_MONTHS_SINCE) if month >= min(one.bought_on for one in records)]
    known = _months_since(pool, every, zone) if every else []
    return [_purchase(record, [one for one in known if one.month >= record.bought_on]) for record in records]


def months_back(last: date, count: int) -> list[date]:
    """So many months up to the last, oldest first."""
    months = [last]
    while len(months) < count:
        months.append(month_before(months[-1]))
    return months[::-1]


def _asked(month: date, ahead: int, zone: tzinfo, spans: Sequence[PriceSpan], gpus: Decimal) -> MonthAsked:
    period = month_period(month, zone)
    before = months_period(month_before(month), ahead, zone)
    first, end = utc_days(period)
    span = in_force(spans, utc_days(before)[0], first)
    prices = None if span is None else _prices(span, gpus)
    if span is None or prices is None:
        return MonthAsked(month, period, before, None)
    others = [one for one in spans if one is not span and one.currency == span.currency]
    later = [(days, its) for one in others if (days := days_within(one, first, end)) and (its := _prices(one, gpus))]
    return MonthAsked(month, period, before, prices, later)


def _prices(span: PriceSpan, gpus: Decimal) -> SizingPrices | None:
    prices = prices_of(span, gpus)
    on_demand, reserved = prices.get(PriceKind.ON_DEMAND), prices.get(PriceKind.RESERVED)
    if on_demand is None or reserved is None:
        return None
    try:
        return SizingPrices(on_demand, reserved, span.currency)
    except UnableToSize:
        return None


def _months_since(pool: PoolRow, months: Sequence[date], zone: tzinfo) -> list[MonthSince]:
    whole = Period(month_period(months[0], zone).start, month_period(months[-1], zone).end)
    hours = pool_hours(pool_id=pool.id, period=whole)
    trace = held_demand(pool_id=pool.id, period=whole)
    good = trusted(trace, thin_hours(trace, hours, DEFAULT_ADVICE.coverage))
    told = []
    for month in months:
        period = month_period(month, zone)
        told.append(month_since(month, good.within(period), _busy_share(hours, period)))
    return told


def _busy_share(hours: Sequence[PoolHourFacts], period: Period) -> Decimal | None:
    some = [one for one in hours if one.hour in period and one.busy is not None]
    reserved = sum(one.reserved for one in some)
    if not reserved:
        return None
    return (Decimal(sum(one.busy or 0 for one in some)) / Decimal(reserved)).quantize(Decimal("0.0001"))


def _purchase(record: PurchaseAssumption, since: Sequence[MonthSince]) -> Purchase:
    assumed = Assumed(record.mean_nodes, record.peak_nodes, record.busy_share)
    return Purchase(
        bought_on=record.bought_on,
        reservation=record.reservation,
        nodes=record.nodes,
        assumed=assumed,
        break_even=record.break_even,
        on_demand=record.on_demand,
        reserved=record.reserved,
        currency=record.currency,
        author=record.author,
        note=record.note,
        since=tuple(since),
        verdict=verdict(assumed, since),
    )
