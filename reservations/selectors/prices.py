"""The price book as domain spans."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, date, timedelta

from django.db.models import Q, QuerySet

from reservations.domain.period import Period
from reservations.domain.pricing import PriceSpan, Unit, effective_spans
from reservations.models import Pool, PriceQuote


def quotes_during(*, pool_id: int, period: Period) -> list[PriceSpan]:
    """The quotes that hold for a pool on some day of a period, its own before its shape's, in two queries.

    In order and without overlap; a day without a quote is in none of them. Spans keep their own ends.
    """
    return quotes_by_pool(pool_ids=[pool_id], period=period).get(pool_id, [])


def quotes_by_pool(*, pool_ids: Collection[int], period: Period) -> dict[int, list[PriceSpan]]:
    """The same for each of several pools, in two queries; a pool without any quote is left out."""
    shapes = dict(Pool.objects.filter(pk__in=pool_ids).values_list("pk", "instance_type"))
    return quotes_of_shapes(shapes=shapes, period=period)


def quotes_of_shapes(*, shapes: Mapping[int, str], period: Period) -> dict[int, list[PriceSpan]]:
    """The same for pools whose instance types are known, by their ids, in one query."""
    first, following = _days(period)
    own: defaultdict[int, list[PriceSpan]] = defaultdict(list)
    general: defaultdict[str, list[PriceSpan]] = defaultdict(list)
    quotes = PriceQuote.objects.filter(
        Q(subject__pool_id__in=shapes) | Q(subject__shape__in=set(shapes.values())), period__overlap=(first, following)
    )
    for pool_id, shape, span in price_spans(quotes):
        (general[shape] if pool_id is None else own[pool_id]).append(span)
    return {
        pool_id: effective_spans(own=own[pool_id], general=general[shape])
        for pool_id, shape in shapes.items()
        if pool_id in own or shape in general
    }


def _days(period: Period) -> tuple[date, date]:
    """The first UTC day of a period and the one after its last."""
    last = (period.end.astimezone(UTC) - timedelta(microseconds=1)).date()
    return period.start.astimezone(UTC).date(), last + timedelta(days=1)


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
