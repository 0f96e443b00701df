"""The price book as domain spans."""

from collections.abc import Iterator

from django.db.models import QuerySet

from reservations.domain.period import Period
from reservations.domain.pricing import PriceSpan, Unit
from reservations.models import Pool, PriceQuote
from reservations.selectors.terms import terms_of_shapes


def quotes_during(*, pool_id: int, period: Period) -> list[PriceSpan]:
    """The quotes that hold for a pool on some day of a period, its own before its shape's, in two queries.

    In order and without overlap; a day without a quote is in none of them. Spans keep their own ends.
    """
    shapes = dict(Pool.objects.filter(pk=pool_id).values_list("pk", "instance_type"))
    found = terms_of_shapes(shapes=shapes, period=period).get(pool_id)
    return list(found.quotes) if found else []


def price_spans(quotes: QuerySet[PriceQuote]) -> Iterator[tuple[int | None, str, PriceSpan]]:
    """Stored quotes as spans, each with its pool, or with None and its shape."""
    columns = ("currency", "unit", "on_demand", "reserved", "spot", "flex", "source")
    for pool_id, shape, period, currency, unit, *prices, source in quotes.values_list(
        "subject__pool_id", "subject__shape", "period", *columns
    ):
        on_demand, reserved, spot, flex = prices
        yield (
            pool_id,
            shape or "",
            PriceSpan(
                start=period.lower,
                end=period.upper,
                currency=currency,
                unit=Unit(unit),
                on_demand=on_demand,
                reserved=reserved,
                spot=spot,
                flex=flex,
                source=source,
                of_pool=pool_id is not None,
            ),
        )
