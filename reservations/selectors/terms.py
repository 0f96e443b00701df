"""The price book, and q and L, of many pools in one query."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Any

from django.db import connection

from reservations.domain.block_fee import FeeSpan, with_block_fees
from reservations.domain.break_even import Shortage
from reservations.domain.period import Period
from reservations.domain.pricing import PriceSpan, Unit, effective_spans, span_on
from reservations.domain.shortage import ShortageSpan
from reservations.domain.terms import Terms
from reservations.selectors.block_fees import FEE, FEES, fee_span

QUOTE, SHORTAGE = "quote", "shortage"

# Named pools go as one array each: a parameter for every one of them takes longer to write than the query to run.
_TERMS = f"""
SELECT '{QUOTE}', s.pool_id, s.shape, q.period, q.currency, q.unit, q.on_demand, q.reserved, q.spot, q.flex, q.source,
    NULL::date, NULL::int, NULL::int, ''
FROM reservations_pricequote q JOIN reservations_pricesubject s ON s.id = q.subject_id
WHERE (%(pools)s::bigint[] IS NULL OR s.pool_id = ANY(%(pools)s) OR s.shape = ANY(%(shapes)s))
    AND q.period && daterange(%(first)s, %(end)s)
UNION ALL
SELECT '{SHORTAGE}', s.pool_id, s.shape, h.period, h.currency, h.convention, h.fail_probability::numeric(16, 6),
    h.shortage_cost::numeric(16, 6),
    NULL::numeric, NULL::numeric, h.source, h.recorded_on, h.attempts, h.failures, ''
FROM reservations_shortagerecord h JOIN reservations_pricesubject s ON s.id = h.subject_id
WHERE (%(pools)s::bigint[] IS NULL OR s.pool_id = ANY(%(pools)s) OR s.shape = ANY(%(shapes)s))
    AND h.period && daterange(%(first)s, %(end)s)
UNION ALL
{FEES}"""  # noqa: S608 # nosec B608

Of = tuple[int | None, str]
"""Whose a row is: a pool's, or with None a shape's."""


@dataclass(frozen=True, slots=True)
class TermsOn:
    """The quotes and the records of q and L of one UTC day, by pool and by shape."""

    quotes: Mapping[Of, PriceSpan]
    shortages: Mapping[Of, ShortageSpan]

    def price(self, *, pool_id: int | None, shape: str) -> PriceSpan | None:
        """A pool's own quote, else its shape's; None when neither is known."""
        own = None if pool_id is None else self.quotes.get((pool_id, ""))
        return own or self.quotes.get((None, shape))

    def shortage(self, *, pool_id: int, shape: str) -> ShortageSpan | None:
        """A pool's own q and L, else its shape's; None when neither is known."""
        return self.shortages.get((pool_id, "")) or self.shortages.get((None, shape))


def terms_of_shapes(*, shapes: Mapping[int, str], period: Period) -> dict[int, Terms]:
    """What holds on some day of a period for pools whose instance types are known, by their ids, in one query.

    A pool's own goes before its shape's; one of which nothing is known is left out. Spans keep their own ends.
    """
    quotes: defaultdict[Of, list[PriceSpan]] = defaultdict(list)
    shortages: defaultdict[Of, list[ShortageSpan]] = defaultdict(list)
    fees: defaultdict[Of, list[FeeSpan]] = defaultdict(list)
    for of, span in _spans(utc_days(period), list(shapes), set(shapes.values())):
        if isinstance(span, PriceSpan):
            quotes[of].append(span)
        elif isinstance(span, ShortageSpan):
            shortages[of].append(span)
        else:
            fees[of].append(span)
    found = {
        pool_id: Terms(
            with_block_fees(effective_spans(own=quotes[pool_id, ""], general=quotes[None, shape]), fees[pool_id, ""]),
            effective_spans(own=shortages[pool_id, ""], general=shortages[None, shape]),
        )
        for pool_id, shape in shapes.items()
    }
    return {pool_id: terms for pool_id, terms in found.items() if terms.quotes or terms.shortages}


def terms_on(*, day: date) -> TermsOn:
    """Everything that holds on a UTC day, in one query."""
    quotes: dict[Of, PriceSpan] = {}
    shortages: dict[Of, ShortageSpan] = {}
    fees: defaultdict[Of, list[FeeSpan]] = defaultdict(list)
    shapes: dict[Of, str] = {}
    for of, span in _spans((day, day + timedelta(days=1))):
        if isinstance(span, PriceSpan):
            quotes[of] = span
        elif isinstance(span, ShortageSpan):
            shortages[of] = span
        else:
            fees[of].append(span)
            shapes[of] = span.shape
    for of, some in fees.items():
        held = quotes.get(of) or quotes.get((None, shapes[of]))
        if made := span_on(with_block_fees([held] if held else [], some), day):
            quotes[of] = made
    return TermsOn(quotes, shortages)


def utc_days(period: Period) -> tuple[date, date]:
    """The first UTC day of a period and the one after its last."""
    last = (period.end.astimezone(UTC) - timedelta(microseconds=1)).date()
    return period.start.astimezone(UTC).date(), last + timedelta(days=1)


def _spans(
    days: tuple[date, date], pools: list[int] | None = None, shapes: Collection[str] = ()
) -> Iterator[tuple[Of, PriceSpan | ShortageSpan | FeeSpan]]:
    """What holds on some of these UTC days for some pools and shapes; for all there are where none are named."""
    with connection.cursor() as cursor:
        cursor.execute(_TERMS, {"pools": pools, "shapes": list(shapes), "first": days[0], "end": days[1]})
        for kind, pool, shape, *columns in cursor.fetchall():
            if kind == FEE:
                span = fee_span(shape, columns)
                if span is not None:
                    yield (pool, ""), span
            else:
                yield (pool, shape or ""), (_quote if kind == QUOTE else _shortage)(columns, pool is not None)


def _quote(columns: list[Any], of_pool: bool) -> PriceSpan:
    period, currency, unit, on_demand, reserved, spot, flex, source, *_ = columns
    return PriceSpan(
        start=period.lower,
        end=period.upper,
        currency=currency,
        unit=Unit(unit),
        on_demand=on_demand,
        reserved=reserved,
        spot=spot,
        flex=flex,
        source=source,
        of_pool=of_pool,
    )


def _shortage(columns: list[Any], of_pool: bool) -> ShortageSpan:
    period, currency, convention, q, lost, _, _, source, recorded_on, attempts, failures, _ = columns
    return ShortageSpan(
        start=period.lower,
        end=period.upper,
        fail_probability=q,
        shortage_cost=lost,
        currency=currency,
        convention=Shortage(convention),
        source=source,
        recorded_on=recorded_on,
        attempts=attempts,
        failures=failures,
        of_pool=of_pool,
    )
