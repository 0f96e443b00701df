"""The price book as domain spans."""

from datetime import UTC, timedelta

from django.db.models import Q

from reservations.domain.period import Period
from reservations.domain.pricing import PriceSpan, Unit, effective_spans
from reservations.models import Pool, PriceQuote


def quotes_during(*, pool_id: int, period: Period) -> list[PriceSpan]:
    """The quotes that hold for a pool on some day of a period, its own before its shape's, in one query.

    In order and without overlap; a day without a quote is in none of them. Spans keep their own ends.
    """
    first = period.start.astimezone(UTC).date()
    following = (period.end.astimezone(UTC) - timedelta(microseconds=1)).date() + timedelta(days=1)
    shape = Pool.objects.filter(pk=pool_id).values("instance_type")
    quotes = PriceQuote.objects.select_related("subject").filter(
        Q(subject__pool_id=pool_id) | Q(subject__shape__in=shape), period__overlap=(first, following)
    )
    spans = [price_span(quote) for quote in quotes]
    return effective_spans(
        own=[span for span in spans if span.of_pool], general=[span for span in spans if not span.of_pool]
    )


def price_span(quote: PriceQuote) -> PriceSpan:
    """One stored quote as a span."""
    return PriceSpan(
        start=quote.period.lower,
        end=quote.period.upper,
        currency=quote.currency,
        unit=Unit(quote.unit),
        on_demand=quote.on_demand,
        reserved=quote.reserved,
        spot=quote.spot,
        flex=quote.flex,
        source=quote.source,
        of_pool=quote.subject.pool_id is not None,
    )
