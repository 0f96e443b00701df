"""What one pool's hours are weighed with on each day: its prices, and q and L."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction

from reservations.domain.break_even import Shortage, adjusted_break_even_share
from reservations.domain.period import HOUR_MS
from reservations.domain.pricing import Dated, PriceKind, PriceSpan, per_node_hour, price_of_gpu_ms
from reservations.domain.shortage import ShortageSpan


@dataclass(frozen=True, slots=True)
class Terms:
    """The quotes and the records of q and L that hold for one pool, each in order and without overlap."""

    quotes: Sequence[PriceSpan] = ()
    shortages: Sequence[ShortageSpan] = ()

    def changes(self) -> Iterator[date]:
        """The days on which one of them begins or ends."""
        spans: list[Dated] = [*self.quotes, *self.shortages]
        yield from (day for span in spans for day in (span.start, span.end) if day is not None)


def price_without_of_gpu_ms(span: PriceSpan, shortage: ShortageSpan, *, gpus_per_node: Decimal) -> Fraction | None:
    """What a GPU-millisecond costs on average without the reservation, exact; None where p_od is not known.

    extra: p_od + q·L; instead: (1 − q)·p_od + q·L, both of one currency (docs/prices.md#break-even).
    """
    on_demand = price_of_gpu_ms(span, kind=PriceKind.ON_DEMAND, gpus_per_node=gpus_per_node)
    if on_demand is None:
        return None
    q = Fraction(shortage.fail_probability)
    lost = q * Fraction(shortage.shortage_cost) / Fraction(gpus_per_node) / HOUR_MS
    return (on_demand if shortage.convention is Shortage.EXTRA else (1 - q) * on_demand) + lost


def adjusted_share(span: PriceSpan, shortage: ShortageSpan, *, gpus_per_node: Decimal) -> Decimal | None:
    """u*_a of one day; None where a price is not known or L is in another currency. UnableToBreakEven as there."""
    if shortage.currency != span.currency:
        return None
    reserved, on_demand = (
        per_node_hour(price, unit=span.unit, gpus_per_node=gpus_per_node) for price in (span.reserved, span.on_demand)
    )
    return adjusted_break_even_share(
        reserved=reserved,
        on_demand=on_demand,
        fail_probability=shortage.fail_probability,
        shortage_cost=shortage.shortage_cost,
        convention=shortage.convention,
    )
