"""What was paid twice in a period: on-demand instances beside free slots, priced for somebody who may see prices."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period, epoch_ms, from_epoch_ms
from reservations.domain.pricing import PriceKind, cost_by_hour
from reservations.domain.terms import Terms
from reservations.selectors.free_runs import HeldSlots, held_slots
from reservations.selectors.instance_history import RanOutside, listed_spans, ran_outside
from reservations.selectors.pools import PoolRow
from reservations.selectors.terms import terms_of_shapes
from telemetry.domain.double_pay.parties import NEAR, Cause, FreeRun, Outside, Slots, Span
from telemetry.domain.double_pay.rule import PaidTwice, paid_twice


@dataclass(frozen=True, slots=True)
class PaidTwiceLine:
    """One instance beside one reservation for one cause; ``cost`` at its on-demand price, None where not known.

    A ``near`` miss did not fit: it is told of, and not paid twice.
    """

    pool_id: int
    pool: str
    reservation: str
    instance_id: str
    account_id: str
    cause: Cause
    instance_ms: int
    gpu_ms: int
    first: datetime
    last: datetime
    cost: Decimal | None = None
    currency: str = ""

    @property
    def near(self) -> bool:
        """Whether it only nearly fitted."""
        return self.cause in NEAR


@dataclass(frozen=True, slots=True)
class OnDemandTime:
    """How long instances of one shape ran on demand outside reservations, in ``listed_ms`` that were looked at."""

    instance_ms: int
    listed_ms: int


@dataclass(frozen=True, slots=True)
class PaidTwiceFound:
    """The lines of some pools, longest first, and how much of each pool's usable reservation time is not known.

    ``listed``: instances were looked at in some of the period at all. ``on_demand`` is by shape.
    """

    lines: tuple[PaidTwiceLine, ...]
    usable_ms: Mapping[int, int]
    unknown_ms: Mapping[int, int]
    on_demand: Mapping[str, OnDemandTime] = field(default_factory=dict)

    @property
    def listed(self) -> bool:
        """Whether instances were looked at in any of it."""
        return any(one.listed_ms for one in self.on_demand.values())


def double_pay(*, pools: Sequence[PoolRow], period: Period, person: Person | None = None) -> PaidTwiceFound:
    """What was paid twice for some pools, in eight queries at most; with money where the person may see prices.

    ``person`` None asks for the organisation itself, as commands and alerts do. A slot or an instance that several
    pools have a claim to counts once, for the first by name, whichever pools are asked for.
    """
    shapes = {pool.instance_type for pool in pools}
    listed = {key: _ms_spans(spans) for key, spans in listed_spans(period=period).items()}
    held = held_slots(shapes=shapes, period=period)
    running = ran_outside(shapes=shapes, period=period)
    wanted = {pool.id: pool for pool in pools}
    rows: list[PaidTwice] = []
    usable: dict[int, int] = defaultdict(int)
    unknown: dict[int, int] = defaultdict(int)
    for region, shape in sorted({(one.region, one.shape) for one in held}):
        found = paid_twice(
            [_slots(one) for one in held if (one.region, one.shape) == (region, shape)],
            [_outside(one) for one in running if (one.region, one.shape) == (region, shape)],
            listed.get((region, shape), ()),
            period,
        )
        rows += (row for row in found.rows if row.pool_id in wanted)
        for sums, amounts in ((usable, found.usable_ms), (unknown, found.unknown_ms)):
            for one, ms in amounts.items():
                sums[one.pool_id] += ms
    regions = {pool_id: {one.region for one in held if one.pool_id == pool_id} for pool_id in wanted}
    lines = _lines(rows, wanted, _terms(pools, period, person) if rows else {})
    return PaidTwiceFound(
        lines=tuple(sorted(lines, key=lambda line: (line.near, -line.instance_ms, line.pool, line.instance_id))),
        usable_ms={pool_id: usable[pool_id] for pool_id in wanted},
        unknown_ms={pool_id: unknown[pool_id] for pool_id in wanted},
        on_demand={
            shape: _on_demand(
                shape,
                {region for pool in pools if pool.instance_type == shape for region in regions[pool.id]},
                running,
                listed,
                period,
            )
            for shape in shapes
        },
    )


def _terms(pools: Sequence[PoolRow], period: Period, person: Person | None) -> dict[int, Terms]:
    shapes = {
        pool.id: pool.instance_type for pool in pools if person is None or may(person, Action.SEE_PRICES, pool.teams)
    }
    return terms_of_shapes(shapes=shapes, period=period) if shapes else {}


def _lines(rows: Sequence[PaidTwice], pools: Mapping[int, PoolRow], terms: Mapping[int, Terms]) -> list[PaidTwiceLine]:
    """Days together, each at the on-demand price of its UTC day."""
    grouped: dict[tuple[int, str, str, str, Cause], list[PaidTwice]] = defaultdict(list)
    for row in rows:
        grouped[row.pool_id, row.reservation, row.instance_id, row.account_id, row.cause].append(row)
    lines = []
    for key, days in grouped.items():
        pool = pools[key[0]]
        by_day = [(from_epoch_ms(row.day), int(row.instance_ms * pool.gpus_per_node)) for row in days]
        cost, currency = _cost(by_day, pool, terms.get(pool.id))
        lines.append(
            PaidTwiceLine(
                pool.id,
                pool.name,
                *key[1:],
                instance_ms=sum(row.instance_ms for row in days),
                gpu_ms=sum(gpu_ms for _, gpu_ms in by_day),
                first=from_epoch_ms(min(row.first for row in days)),
                last=from_epoch_ms(max(row.last for row in days)),
                cost=cost,
                currency=currency,
            )
        )
    return lines


def _cost(by_day: Sequence[tuple[datetime, int]], pool: PoolRow, terms: Terms | None) -> tuple[Decimal | None, str]:
    """What it cost on demand; None where a day has no price, or the days are in two currencies."""
    if terms is None:
        return None, ""
    told = cost_by_hour(
        quantities=by_day, prices=terms.quotes, kind=PriceKind.ON_DEMAND, gpus_per_node=pool.gpus_per_node
    )
    if not told.whole or len(told.amounts) != 1:
        return None, ""
    ((currency, amount),) = told.amounts.items()
    return amount, currency


def _on_demand(
    shape: str,
    regions: set[str],
    running: Sequence[RanOutside],
    listed: Mapping[tuple[str, str], Sequence[Span]],
    period: Period,
) -> OnDemandTime:
    """Over the regions in which reservations of the shape are; the time in which all of them were listed."""
    spans = [listed.get((region, shape), ()) for region in sorted(regions)]
    known = spans[0] if spans else ()
    for others in spans[1:]:
        known = _common(known, others)
    mine = [_outside(one) for one in running if one.shape == shape and one.region in regions]
    return OnDemandTime(
        sum(_overlap(known, max(one.start, period.start_ms), min(one.end, period.end_ms)) for one in mine),
        sum(end - start for start, end in known),
    )


def _common(some: Sequence[Span], others: Sequence[Span]) -> Sequence[Span]:
    pairs = ((max(a, c), min(b, d)) for a, b in some for c, d in others)
    return sorted((start, end) for start, end in pairs if start < end)


def _overlap(spans: Sequence[Span], start: int, end: int) -> int:
    return sum(max(0, min(end, b) - max(start, a)) for a, b in spans)


def _slots(one: HeldSlots) -> Slots:
    return Slots(
        reservation=one.reservation,
        pool_id=one.pool_id,
        zone_id=one.zone_id,
        platform=one.platform,
        tenancy=one.tenancy,
        matching=one.matching,
        accounts=one.accounts,
        usable=_ms_spans(one.usable),
        free=[FreeRun(epoch_ms(start), epoch_ms(end), count) for start, end, count in one.free],
        free_since=epoch_ms(one.free_since) if one.free_since else None,
    )


def _outside(one: RanOutside) -> Outside:
    return Outside(
        instance_id=one.instance_id,
        account_id=one.account_id,
        zone_id=one.zone_id,
        platform=one.platform,
        tenancy=one.tenancy,
        preference=one.preference,
        target=one.target,
        launched=epoch_ms(one.launched_at) if one.launched_at else None,
        start=epoch_ms(one.start),
        end=epoch_ms(one.end),
    )


def _ms_spans(spans: Sequence[tuple[datetime, datetime]]) -> list[Span]:
    return [(epoch_ms(start), epoch_ms(end)) for start, end in spans]
