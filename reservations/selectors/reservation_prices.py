"""The price book as one reservation needs it: of the pools it backed, and of its instance type."""

from collections.abc import Collection

from reservations.domain.period import Period
from reservations.domain.pricing import PriceSpan
from reservations.selectors.terms import terms_of_shapes

NO_POOL = -1


def prices_of_life(*, pool_ids: Collection[int], shape: str, period: Period) -> dict[int | None, list[PriceSpan]]:
    """Quotes in order and without overlap by pool id, and under None those of the instance type alone; in one query.

    A pool is of the reservation's own type, so that its type's quotes are the pool's where it has none of its own; and
    where blocks back it without a quote of its own, its reserved price is their fee by the paid hour, as in its month.
    """
    found = terms_of_shapes(shapes=dict.fromkeys([*pool_ids, NO_POOL], shape), period=period)
    quotes = {pool_id: list(terms.quotes) for pool_id, terms in found.items()}
    return {None: quotes.get(NO_POOL, []), **{pool_id: quotes.get(pool_id, []) for pool_id in pool_ids}}
