"""What one reservation has cost: its billed GPU time at the reserved price of each day, and its fee shared out."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from itertools import pairwise

from reservations.domain.held import SizeSpan
from reservations.domain.membership_spans import Backing
from reservations.domain.period import epoch_ms
from reservations.domain.pricing import Cost, PriceKind, PriceSpan, cost_by_hour

CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class Life:
    """Its billed sizes, which pools it backed, and GPUs per instance where it backed none; None is unknown."""

    sizes: tuple[SizeSpan, ...]
    backings: tuple[Backing, ...]
    gpus_each: Decimal | None
    start_at: datetime | None
    end_at: datetime | None


def billed(life: Life, *, until: datetime | None) -> tuple[SizeSpan, ...]:
    """The sizes clipped to its start, its end and ``until``: over these it bills; without both an open one stays so."""
    ends = [instant for instant in (life.end_at, until) if instant is not None]
    clipped = []
    for size in life.sizes:
        start = max(size.start, life.start_at) if life.start_at else size.start
        end = min([*ends, *([size.end] if size.end else [])], default=None)
        if end is None or start < end:
            clipped.append(SizeSpan(start, end, size.instances, size.usable))
    return tuple(clipped)


def instance_ms(spans: Iterable[SizeSpan]) -> int | None:
    """Σ instances × milliseconds; None where one is open."""
    total = 0
    for span in spans:
        if span.end is None:
            return None
        total += span.instances * (epoch_ms(span.end) - epoch_ms(span.start))
    return total


def cost_so_far(
    life: Life,
    *,
    as_of: datetime,
    prices: Mapping[int | None, Sequence[PriceSpan]],
    gpus: Mapping[int, Decimal],
) -> Cost | None:
    """Billed GPU time up to an instant × the reserved price of its UTC day, by the pool it backed then.

    ``prices`` are by pool id, None: of its instance type, for time in which it backed none; ``gpus`` per node of each
    pool. None where it backed no pool for a while and GPUs per instance are unknown.
    """
    days: defaultdict[int | None, list[tuple[datetime, int]]] = defaultdict(list)
    for span in billed(life, until=as_of):
        for pool_id, start, end in _backed(span, life.backings):
            each = life.gpus_each if pool_id is None else gpus[pool_id]
            if each is None:
                return None
            days[pool_id] += [(at, int(ms * span.instances * each)) for at, ms in _by_day(start, end)]
    costs = [
        cost_by_hour(
            quantities=quantities,
            prices=prices.get(pool_id, ()),
            kind=PriceKind.RESERVED,
            gpus_per_node=life.gpus_each or Decimal(1) if pool_id is None else gpus[pool_id],
        )
        for pool_id, quantities in days.items()
    ]
    return _together(costs)


def gpu_ms_in(pool_ids: Collection[int], life: Life, *, as_of: datetime, gpus: Mapping[int, Decimal]) -> int:
    """Billed GPU-milliseconds up to an instant in which it backed one of some pools."""
    return sum(
        int((epoch_ms(end) - epoch_ms(start)) * span.instances * gpus[pool_id])
        for span in billed(life, until=as_of)
        for pool_id, start, end in _backed(span, life.backings)
        if pool_id is not None and pool_id in pool_ids
    )


def fee_so_far(fee: Decimal, life: Life, *, as_of: datetime) -> Decimal | None:
    """The fee × what was billed so far ÷ what is billed in all; None without an end to share it out to."""
    whole, past = instance_ms(billed(life, until=None)), instance_ms(billed(life, until=as_of))
    if not whole or past is None:
        return None
    return (fee * past / whole).quantize(CENT, rounding=ROUND_HALF_EVEN)


def _backed(span: SizeSpan, backings: Sequence[Backing]) -> Iterator[tuple[int | None, datetime, datetime]]:
    """A closed span cut where the pool it backed changed."""
    assert span.end is not None  # nosec B101
    edges = {span.start, span.end}
    edges |= {at for one in backings for at in (one.start, one.end) if at is not None and span.start < at < span.end}
    for start, end in pairwise(sorted(edges)):
        backed = next(
            (
                one.pool_id
                for one in backings
                if (one.start is None or one.start <= start) and (one.end is None or end <= one.end)
            ),
            None,
        )
        yield backed, start, end


def _by_day(start: datetime, end: datetime) -> Iterator[tuple[datetime, int]]:
    """The milliseconds of each UTC day a span has a part in."""
    at = start.astimezone(UTC)
    while at < end:
        following = min(at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1), end)
        yield at, epoch_ms(following) - epoch_ms(at)
        at = following


def _together(costs: Iterable[Cost]) -> Cost:
    amounts: defaultdict[str, Decimal] = defaultdict(Decimal)
    unpriced = 0
    for cost in costs:
        unpriced += cost.unpriced_gpu_ms
        for currency, amount in cost.amounts.items():
            amounts[currency] += amount
    return Cost(dict(amounts), unpriced)
