"""Every pool, as the alert rules look at it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from reservations.domain.break_even import UnableToBreakEven, break_even_share
from reservations.domain.notation import gpu_hours, percent
from reservations.domain.period import HOUR, Period
from reservations.domain.pricing import per_gpu_hour
from reservations.domain.terms import adjusted_share
from reservations.selectors.pools import PoolRow
from reservations.selectors.terms import TermsOn
from scheduler.domain.alert.facts import NOT_PRICED, BreakEvenLines, HourFact, LongUse, PoolFact
from scheduler.domain.alert.finding import Subject
from scheduler.domain.attention.item import Price
from telemetry.domain.rollup import due_until
from telemetry.domain.totals import Totals
from telemetry.selectors.details import HeldIdlePod, held_idle_pods
from telemetry.selectors.last_hours import LastHour, last_hours, newest_hours
from telemetry.selectors.suspects import suspect_devices
from telemetry.selectors.totals import totals_by_pool
from telemetry.selectors.trouble import SourceReach

DAY = timedelta(days=1)
LONG_DAYS = 28
"""Four whole weeks, so that every weekday weighs the same."""

MUCH_HELD = Decimal("0.15")
"""Of pools whose pods held less idle than this of the known time, nobody asks which pod held most."""

NAMED_PODS_OF = 10
PODS = 60
DOUBTS = 500
"""How many pools, pods and devices are looked at: those that held most, and the newest doubts."""


def pool_facts(
    *,
    pools: Mapping[int, PoolRow],
    prices: TermsOn,
    reach: Sequence[SourceReach],
    backing: Mapping[int, datetime],
    as_of: datetime,
) -> tuple[PoolFact, ...]:
    """The facts of every pool by name, in five queries."""
    ids, due = list(pools), due_until(as_of)
    day = Period(due - DAY, due)
    hours = last_hours(pool_ids=ids, period=day) if ids else {}
    newest = newest_hours(pool_ids=ids, before=due) if ids else {}
    midnight = due.astimezone(UTC).replace(hour=0)
    long = Period(midnight - LONG_DAYS * DAY, midnight)
    use = totals_by_pool(pool_ids=ids, periods={"long": long}) if ids else {}
    doubts = _doubts(hours, due)
    holders = _holders(hours, day)
    collected = {pool_id for source in reach for pool_id in source.pool_ids}
    return tuple(
        PoolFact(
            id=pool.id,
            subject=subject_of_pool(pool),
            gpus_per_node=pool.gpus_per_node,
            price=price_today(prices, pool),
            on_demand=price_today(prices, pool, on_demand=True),
            due=due,
            collected=pool.id in collected,
            held_since=backing.get(pool.id),
            last_hour=newest.get(pool.id),
            hours=tuple(_hour(one) for one in hours.get(pool.id, ())),
            use=_use(use.get((pool.id, "long")), long),
            lines=_lines(prices, pool),
            suspects=doubts.get(pool.id, ()),
            holder=_holder(holders.get(pool.id)),
        )
        for pool in pools.values()
    )


def subject_of_pool(pool: PoolRow) -> Subject:
    """A pool as what an alert is about."""
    return Subject(key=f"pool:{pool.name}", name=pool.name, teams=pool.teams, owner=pool.owner, pool=pool.name)


def price_today(
    prices: TermsOn,
    pool: PoolRow | None,
    *,
    shape: str = "",
    gpus: Decimal | None = None,
    on_demand: bool = False,
) -> Price:
    """A GPU-hour of a pool today, or of a shape with so many GPUs each: at the reserved or the on-demand price."""
    each = pool.gpus_per_node if pool else gpus
    span = prices.price(pool_id=pool.id if pool else None, shape=pool.instance_type if pool else shape)
    quoted = None if span is None else span.on_demand if on_demand else span.reserved
    if span is None or quoted is None or not each:
        return NOT_PRICED
    return Price(per_gpu_hour(quoted, unit=span.unit, gpus_per_node=each), span.currency)


def _hour(one: LastHour) -> HourFact:
    return HourFact(one.hour, one.reserved, one.launched, one.expected, one.known, one.idle_held, one.suspects)


def _use(totals: Totals | None, period: Period) -> LongUse | None:
    if totals is None:
        return None
    return LongUse(
        days=LONG_DAYS,
        due_hours=(period.end - period.start) // HOUR,
        busy_hours=totals.busy_hours,
        busy=totals.busy,
        busy_paid=totals.busy_paid,
        coverage=totals.coverage,
        allocated_share=totals.allocated_reserved_share,
        month=f"{period.end - DAY:%Y-%m}",
    )


def _lines(prices: TermsOn, pool: PoolRow) -> BreakEvenLines:
    """Today's break-even lines; a line that prices don't allow is not known."""
    span = prices.price(pool_id=pool.id, shape=pool.instance_type)
    shortage = prices.shortage(pool_id=pool.id, shape=pool.instance_type)
    if span is None:
        return BreakEvenLines()
    try:
        even = break_even_share(reserved=span.reserved, on_demand=span.on_demand)
        adjusted = adjusted_share(span, shortage, gpus_per_node=pool.gpus_per_node) if shortage else None
    except UnableToBreakEven:
        return BreakEvenLines()
    return BreakEvenLines(even, adjusted)


def _doubts(hours: Mapping[int, Sequence[LastHour]], due: datetime) -> dict[int, tuple[str, ...]]:
    """What the newest hours say of devices in doubt, by pool; asked only where there are any."""
    doubted = [pool_id for pool_id, told in hours.items() if any(hour.suspects for hour in told[:3])]
    if not doubted:
        return {}
    found: dict[int, tuple[str, ...]] = {}
    devices, _ = suspect_devices(pool_ids=doubted, period=Period(due - 3 * HOUR, due), limit=DOUBTS)
    for device in devices:
        where = f"{device.node}, {device.uuid}" if device.node else device.uuid
        found[device.pool_id] = (*found.get(device.pool_id, ()), f"{where}: {device.why}")
    return found


def _holders(hours: Mapping[int, Sequence[LastHour]], day: Period) -> dict[int, HeldIdlePod]:
    """The pod that held most idle in each of the pools whose pods held most; asked only where they held much."""
    held = {pool_id: sum(hour.idle_held or 0 for hour in told) for pool_id, told in hours.items()}
    known = {pool_id: sum(hour.known or 0 for hour in told) for pool_id, told in hours.items()}
    much = [pool_id for pool_id, idle in held.items() if idle and idle >= MUCH_HELD * known[pool_id]]
    worst = sorted(much, key=lambda pool_id: -held[pool_id])[:NAMED_PODS_OF]
    if not worst:
        return {}
    found: dict[int, HeldIdlePod] = {}
    for pod in held_idle_pods(pool_ids=worst, period=day, limit=PODS):
        found.setdefault(pod.pool_id, pod)
    return found


def _holder(pod: HeldIdlePod | None) -> str:
    if pod is None or not pod.of_all:
        return ""
    share = percent(Decimal(pod.idle_held) / pod.of_all)
    return f"Most by {pod.namespace}/{pod.pod}: {gpu_hours(pod.idle_held)} GPU-hours in a day, {share} of it."
