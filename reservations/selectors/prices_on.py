"""The price book of one day for every pool and shape at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from reservations.domain.pricing import PriceSpan
from reservations.models import PriceQuote
from reservations.selectors.prices import price_spans


@dataclass(frozen=True, slots=True)
class PricesOn:
    """The quotes that hold on one UTC day, by pool and by shape."""

    of_pools: Mapping[int, PriceSpan]
    of_shapes: Mapping[str, PriceSpan]

    def price(self, *, pool_id: int | None, shape: str) -> PriceSpan | None:
        """A pool's own quote, else its shape's; None when neither is known."""
        own = None if pool_id is None else self.of_pools.get(pool_id)
        return own or self.of_shapes.get(shape)


def prices_on(*, day: date) -> PricesOn:
    """Every quote that holds on a UTC day, in one query."""
    pools: dict[int, PriceSpan] = {}
    shapes: dict[str, PriceSpan] = {}
    for pool_id, shape, span in price_spans(PriceQuote.objects.filter(period__contains=day)):
        if pool_id is None:
            shapes[shape] = span
        else:
            pools[pool_id] = span
    return PricesOn(pools, shapes)
