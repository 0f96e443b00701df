"""What a node-hour of a capacity block costs: its fee spread over the hours it is billed for (docs/prices.md)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from reservations.domain.pricing import EXACT, Dated, PriceSpan, Unit, span_on


@dataclass(frozen=True, slots=True)
class FeeSpan:
    """A reservation that backs a pool on the UTC days ``[start, end)``; ``fee`` None: none is known.

    ``fee`` is its upfront fee with those of its paid extensions; ``paid_hours`` are instances × billed hours of its
    whole life, ``usable_hours`` those of its usable life. None is unknown.
    """

    start: date
    end: date | None
    name: str
    fee: Decimal | None
    currency: str
    paid_hours: Fraction | None
    usable_hours: Fraction | None
    gpus_per_node: Decimal
    shape: str = ""

    def covers(self, day: date) -> bool:
        """Whether it backs the pool on a UTC day."""
        return self.start <= day and (self.end is None or day < self.end)


def extension_fees(extensions: Iterable[object], *, currency: str) -> Decimal | None:
    """Σ of the upfront fees of extensions that were paid; None where one is in another currency or cannot be read."""
    total = Decimal(0)
    for one in extensions:
        if not isinstance(one, dict):
            return None
        if one.get("CapacityBlockExtensionStatus") != "payment-succeeded":
            continue
        text, of = str(one.get("UpfrontFee", "")), one.get("CurrencyCode", currency)
        if of != currency or not text.replace(".", "", 1).isdecimal():
            return None
        total += Decimal(text)
    return total


def fee_per_node_hour(spans: Sequence[FeeSpan], *, usable: bool = False) -> tuple[Decimal, str] | None:
    """Σ fees ÷ Σ instances × billed (or usable) hours, and the currency; None where one fee or life is not known.

    Several blocks at once cost what they cost together, by the node-hour; fees of two currencies are never added.
    """
    fees = [one.fee for one in spans if one.fee is not None]
    hours = [hours for one in spans if (hours := one.usable_hours if usable else one.paid_hours) is not None]
    currencies = {one.currency for one in spans}
    if not spans or len(fees) < len(spans) or len(hours) < len(spans) or len(currencies) > 1 or sum(hours) <= 0:
        return None
    price = sum(map(Fraction, fees), Fraction(0)) / sum(hours, Fraction(0))
    return EXACT.divide(Decimal(price.numerator), Decimal(price.denominator)), currencies.pop()


def with_block_fees(quotes: Sequence[PriceSpan], fees: Sequence[FeeSpan]) -> list[PriceSpan]:
    """The quotes of one pool, with the reserved price of its blocks' fees on days without one of the pool's own.

    A price that is made so is marked ``derived``; the quote's other prices stay. Where a reservation without a known
    fee backs the pool too, or the fee is in another currency than the quote, nothing is derived.
    """
    if not any(one.fee is not None for one in fees):
        return list(quotes)
    found: list[PriceSpan] = []
    for start, end in _pieces(quotes, fees):
        quote = span_on(quotes, start)
        made = _derived(quote, [one for one in fees if one.covers(start)], start, end)
        if made is not None:
            found.append(made)
        elif quote is not None:
            found.append(replace(quote, start=start, end=end))
    return found


def _pieces(quotes: Sequence[PriceSpan], fees: Sequence[FeeSpan]) -> list[tuple[date, date | None]]:
    every: list[Dated] = [*quotes, *fees]
    spans = [(one.start, one.end) for one in every]
    cuts = sorted({day for span in spans for day in span if day is not None})
    last = [(cuts[-1], None)] if any(end is None for _, end in spans) else []
    return [*pairwise(cuts), *last]


def _hours_told(backing: Sequence[FeeSpan]) -> str:
    """``384 paid node-hours (382 of them usable)``."""
    paid = sum((one.paid_hours or Fraction(0) for one in backing), Fraction(0))
    usable = [one.usable_hours for one in backing if one.usable_hours is not None]
    told = f" ({float(sum(usable, Fraction(0))):g} of them usable)" if len(usable) == len(backing) else ""
    return f"{float(paid):g} paid node-hours{told}"


def _derived(quote: PriceSpan | None, backing: Sequence[FeeSpan], start: date, end: date | None) -> PriceSpan | None:
    if quote is not None and quote.of_pool and quote.reserved is not None:
        return None
    made = fee_per_node_hour(backing)
    if made is None:
        return None
    price, currency = made
    source = f"fee of {', '.join(sorted(one.name for one in backing))} ÷ {_hours_told(backing)}"
    if quote is None:
        return PriceSpan(start, end, currency, Unit.NODE_HOUR, reserved=price, source=source, derived=True)
    if quote.currency != currency:
        return None
    if quote.unit is Unit.GPU_HOUR:
        price = EXACT.divide(price, backing[0].gpus_per_node)
    said = f"{quote.source}; {source}" if quote.source else source
    return replace(quote, start=start, end=end, reserved=price, source=said, derived=True)
