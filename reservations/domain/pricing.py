"""What GPU time costs: quotes that change from day to day, and exact sums over ledger hours (docs/prices.md).

Days of a quote are UTC, so an hour has one price. A price nobody knows is None and never counts as 0.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from decimal import ROUND_HALF_EVEN, Context, Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Protocol, TypeVar

from reservations.domain.period import HOUR_MS

EXACT = Context(prec=60, rounding=ROUND_HALF_EVEN)
MONEY_STEP = Decimal("0.000001")


class Unit(StrEnum):
    """What a price is for one of."""

    NODE_HOUR = "node-hour"
    GPU_HOUR = "gpu-hour"


class PriceKind(StrEnum):
    """Which of a quote's prices is meant."""

    ON_DEMAND = "on_demand"
    RESERVED = "reserved"
    SPOT = "spot"
    FLEX = "flex"


class Dated(Protocol):
    """What holds on the UTC days ``[start, end)``; ``end`` None is open."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def start(self) -> date: ...

    @property
    def end(self) -> date | None: ...

    def covers(self, day: date) -> bool:
        """Whether it holds on a UTC day."""


D = TypeVar("D", bound=Dated)


@dataclass(frozen=True, slots=True)
class PriceSpan:
    """The prices of one subject on the UTC days ``[start, end)``; ``end`` None is open, a price None unknown.

    ``derived``: its reserved price is a block's fee by the paid hour, which nobody quoted.
    """

    start: date
    end: date | None
    currency: str
    unit: Unit
    on_demand: Decimal | None = None
    reserved: Decimal | None = None
    spot: Decimal | None = None
    flex: Decimal | None = None
    source: str = ""
    of_pool: bool = True
    derived: bool = False

    def price(self, kind: PriceKind) -> Decimal | None:
        """One of its prices, in its own unit."""
        value: Decimal | None = getattr(self, kind.value)
        return value

    def covers(self, day: date) -> bool:
        """Whether it holds on a UTC day."""
        return self.start <= day and (self.end is None or day < self.end)


@dataclass(frozen=True, slots=True)
class Cost:
    """Money by currency, rounded once to a millionth, and what could not be priced.

    ``unpriced_gpu_ms`` had no price on its day; ``hours_unknown`` had no quantity.
    """

    amounts: Mapping[str, Decimal] = field(default_factory=dict)
    unpriced_gpu_ms: int = 0
    hours_unknown: int = 0

    @property
    def whole(self) -> bool:
        """Whether every hour had a quantity and every quantity a price."""
        return not self.unpriced_gpu_ms and not self.hours_unknown


def per_gpu_hour(price: Decimal | None, *, unit: Unit, gpus_per_node: Decimal) -> Decimal | None:
    """A price per GPU-hour: of a node-hour, price ÷ GPUs per node; None stays None, ValueError without GPUs."""
    if gpus_per_node <= 0:
        raise ValueError(f"a node needs GPUs: {gpus_per_node}")
    if price is None or unit is Unit.GPU_HOUR:
        return price
    return EXACT.divide(price, gpus_per_node)


def per_node_hour(price: Decimal | None, *, unit: Unit, gpus_per_node: Decimal) -> Decimal | None:
    """A price per node-hour: of a GPU-hour, price × GPUs per node; None stays None, ValueError without GPUs."""
    if gpus_per_node <= 0:
        raise ValueError(f"a node needs GPUs: {gpus_per_node}")
    if price is None or unit is Unit.NODE_HOUR:
        return price
    return EXACT.multiply(price, gpus_per_node)


def span_on(spans: Iterable[D], day: date) -> D | None:
    """The one of spans without overlap that holds on a UTC day; None where none does."""
    return next((span for span in spans if span.covers(day)), None)


def effective_spans(*, own: Sequence[D], general: Sequence[D]) -> list[D]:
    """A pool's own quotes, and its shape's on the days it has none of its own; in order, without overlap.

    A quote counts whole: where the pool's own leaves a price unknown, the shape's does not fill it in.
    """
    taken = [(span.start, span.end) for span in own]
    rest = [
        replace(span, start=start, end=end)
        for span in general
        for start, end in days_left(start=span.start, end=span.end, taken=taken)
    ]
    return sorted([*own, *rest], key=lambda span: span.start)


def days_left(
    *, start: date, end: date | None, taken: Iterable[tuple[date, date | None]]
) -> list[tuple[date, date | None]]:
    """The parts of the days ``[start, end)`` that no taken span covers, in order; ``end`` None is open."""
    parts: list[tuple[date, date | None]] = []
    at: date | None = start
    for taken_from, taken_to in sorted(taken, key=lambda span: span[0]):
        if at is None or (end is not None and taken_from >= end):
            break
        if taken_to is not None and taken_to <= at:
            continue
        if taken_from > at:
            parts.append((at, taken_from))
        at = taken_to
    if at is not None and (end is None or at < end):
        parts.append((at, end))
    return parts


def cost_by_hour(
    *,
    quantities: Iterable[tuple[datetime, int | None]],
    prices: Sequence[PriceSpan],
    kind: PriceKind,
    gpus_per_node: Decimal,
) -> Cost:
    """What GPU-milliseconds cost, each hour at the price of its UTC day: Σ gpu_ms ÷ 3,600,000 × price per GPU-hour.

    ``quantities`` are (start of the hour, GPU-milliseconds or None); exact until the one rounding at the end.
    """
    sums: defaultdict[str, Fraction] = defaultdict(Fraction)
    unpriced = unknown = 0
    for hour, gpu_ms in quantities:
        if gpu_ms is None:
            unknown += 1
            continue
        day = hour.astimezone(UTC).date()
        span = next((span for span in prices if span.covers(day)), None)
        price = None if span is None else price_of_gpu_ms(span, kind=kind, gpus_per_node=gpus_per_node)
        if span is None or price is None:
            unpriced += abs(gpu_ms)
            continue
        sums[span.currency] += gpu_ms * price
    amounts = {currency: money(total.numerator, total.denominator) for currency, total in sorted(sums.items())}
    return Cost(amounts, unpriced, unknown)


def price_of_gpu_ms(span: PriceSpan, *, kind: PriceKind, gpus_per_node: Decimal) -> Fraction | None:
    """The exact price of a GPU-millisecond, price ÷ (GPUs × 3,600,000); None where the price is not known."""
    ratio = ratio_of_gpu_ms(span, kind=kind, gpus_per_node=gpus_per_node)
    return None if ratio is None else Fraction(*ratio)


def ratio_of_gpu_ms(span: PriceSpan, *, kind: PriceKind, gpus_per_node: Decimal) -> tuple[int, int] | None:
    """The same as numerator and denominator, in lowest terms."""
    price = span.price(kind)
    return None if price is None else _of_a_gpu_ms(price, gpus_per_node if span.unit is Unit.NODE_HOUR else 1)


@lru_cache(maxsize=4096)
def _of_a_gpu_ms(price: Decimal, gpus: Decimal | int) -> tuple[int, int]:
    return (Fraction(price) / Fraction(gpus) / HOUR_MS).as_integer_ratio()


def money(numerator: int, denominator: int) -> Decimal:
    """An exact amount as money, rounded once to a millionth, half to even."""
    millionths, rest = divmod(numerator * 1_000_000, denominator)
    half = 2 * rest - denominator
    return EXACT.scaleb(Decimal(millionths + (half > 0 or (half == 0 and millionths % 2 == 1))), -6)
