"""The price book as one reservation needs it: of the pools it backed, and of its instance type."""

from collections.abc import Collection
from datetime import UTC, timedelta

from django.db.models import Q

from reservations.domain.period import Period
from reservations.domain.pricing import PriceSpan, effective_spans
from reservations.models import PriceQuote
from reservations.selectors.prices import price_spans


def prices_of_life(*, pool_ids: Collection[int], shape: str, period: Period) -> dict[int | None, list[PriceSpan]]:
    """Quotes in order and without overlap by pool id, and under None those of the instance type alone; in one query.

    A pool is of the reservation's own type, so that its type's quotes are the pool's where it has none of its own.
    """
    first, following = period.start.astimezone(UTC).date(), period.end.astimezone(UTC).date() + timedelta(days=1)
    quotes = PriceQuote.objects.filter(
        Q(subject__pool_id__in=pool_ids) | Q(subject__shape=shape), period__overlap=(first, following)
    )
    spans = [(pool_id, span) for pool_id, _, span in price_spans(quotes)]
    general = [span for pool_id, span in spans if pool_id is None]
    found: dict[int | None, list[PriceSpan]] = {None: effective_spans(own=(), general=general)}
    for pool_id in pool_ids:
        found[pool_id] = effective_spans(own=[span for of, span in spans if of == pool_id], general=general)
    return found
