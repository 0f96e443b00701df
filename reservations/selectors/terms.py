"""The price book, and q and L, of many pools in one query."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from typing import Any

from django.db.models import CharField, DateField, DecimalField, F, IntegerField, Model, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast

from reservations.domain.block_fee import FeeSpan, with_block_fees
from reservations.domain.break_even import Shortage
from reservations.domain.period import Period
from reservations.domain.pricing import PriceSpan, Unit, effective_spans, span_on
from reservations.domain.shortage import ShortageSpan
from reservations.domain.terms import Terms
from reservations.models import PriceQuote, ShortageRecord
from reservations.selectors.block_fees import FEE, fee_rows, fee_span

QUOTE, SHORTAGE = "quote", "shortage"
_COLUMNS = (
    "kind",
    "pool",
    "shape",
    "period",
    "currency",
    "word",
    "a",
    "b",
    "c",
    "d",
    "source",
    "on",
    "m",
    "n",
    "extra",
)
_NO_PRICE = Cast(Value(None), DecimalField(max_digits=16, decimal_places=6))
_NO_COUNT = Cast(Value(None), IntegerField())

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
    whose = Q(subject__pool_id__in=shapes) | Q(subject__shape__in=set(shapes.values()))
    fees: defaultdict[Of, list[FeeSpan]] = defaultdict(list)
    for of, span in _spans(whose & Q(period__overlap=utc_days(period)), Q(pool_id__in=shapes), utc_days(period)):
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
    for of, span in _spans(Q(period__contains=day), Q(), (day, day + timedelta(days=1))):
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


def _spans(which: Q, pools: Q, days: tuple[date, date]) -> Iterator[tuple[Of, PriceSpan | ShortageSpan | FeeSpan]]:
    for kind, pool, shape, *columns in _quotes(which).union(_shortages(which), fee_rows(pools, days), all=True):
        if kind == FEE:
            yield (pool, ""), fee_span(shape, columns)
        else:
            yield (pool, shape or ""), (_quote if kind == QUOTE else _shortage)(columns, pool is not None)


def _quotes(which: Q) -> QuerySet[PriceQuote, tuple[Any, ...]]:
    return _told(PriceQuote, which, QUOTE, "unit", ("on_demand", "reserved", "spot", "flex"), DATELESS, {})


def _shortages(which: Q) -> QuerySet[ShortageRecord, tuple[Any, ...]]:
    counts = {"m": F("attempts"), "n": F("failures")}
    rates = ("fail_probability", "shortage_cost", None, None)
    return _told(ShortageRecord, which, SHORTAGE, "convention", rates, F("recorded_on"), counts)


DATELESS = Cast(Value(None), DateField())


def _told(
    model: type[Model],
    which: Q,
    kind: str,
    word: str,
    amounts: tuple[str | None, ...],
    on: Any,
    counts: Mapping[str, Any],
) -> Any:
    """Rows of one kind in the columns that all kinds share, so that one query can ask for all of them."""
    named = {
        name: _NO_PRICE if amount is None else Cast(F(amount), DecimalField(max_digits=16, decimal_places=6))
        for name, amount in zip("abcd", amounts, strict=True)
    }
    return (
        model._default_manager.filter(which)
        .order_by()
        .annotate(
            kind=Value(kind, CharField()),
            pool=F("subject__pool_id"),
            shape=F("subject__shape"),
            word=F(word),
            on=on,
            **named,
            **({"m": _NO_COUNT, "n": _NO_COUNT} | dict(counts)),
            extra=Value("", TextField()),
        )
        .values_list(*_COLUMNS)
    )


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
