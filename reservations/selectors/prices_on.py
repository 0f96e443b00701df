"""The price book of one day for every pool and shape at once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from reservations.domain.pricing import PriceSpan
from reservations.models import PriceQuote
from reservations.selectors.prices import price_span


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
    for quote in PriceQuote.objects.select_related("subject").filter(period__contains=day):
        if quote.subject.pool_id is not None:
            pools[quote.subject.pool_id] = price_span(quote)
        else:
            shapes[quote.subject.shape] = price_span(quote)
    return PricesOn(pools, shapes)
