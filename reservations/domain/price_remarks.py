"""What is odd about prices but no error, in words."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta

from reservations.domain.pricing import PriceKind, PriceSpan, days_left

NAMES = {PriceKind.ON_DEMAND: "on-demand", PriceKind.RESERVED: "reserved"}


def price_remarks(span: PriceSpan) -> Iterator[str]:
    """A sentence for each of its two main prices that is unknown or 0, and one where holding can never pay."""
    for kind, name in NAMES.items():
        price = span.price(kind)
        if price is None:
            yield f"The {name} price is unknown, so what depends on it is."
        elif price == 0:
            yield f"The {name} price is 0: leave it out if it is unknown."
    if span.reserved and span.on_demand and span.reserved >= span.on_demand:
        how = "as high as" if span.reserved == span.on_demand else "above"
        yield f"The reserved price is {how} the on-demand price: by price alone holding can never pay."


def days_without(spans: Iterable[PriceSpan], *, first: date, following: date) -> str:
    """Which days of ``[first, following)`` have no quote, in a sentence; blank where each has one."""
    gaps = days_left(start=first, end=following, taken=[(span.start, span.end) for span in spans])
    if not gaps:
        return ""
    return f"No price on {_listed([_said(start, end) for start, end in gaps])}."


def _said(start: date, end: date | None) -> str:
    last = (end or start) - timedelta(days=1)
    return start.isoformat() if last <= start else f"{start.isoformat()} to {last.isoformat()}"


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"
