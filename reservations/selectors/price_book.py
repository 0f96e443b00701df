"""The price book as a person may see it: quotes of their pools and of those pools' shapes, and what changed in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Q

from reservations.domain.access import Action, Person, may
from reservations.domain.period import Period
from reservations.domain.pricing import PriceSpan, Unit
from reservations.models import PriceQuote
from reservations.selectors.any_of import any_of
from reservations.selectors.pools import PoolRow
from reservations.selectors.terms import terms_of_shapes

CHANGES = 30
"""So many changes are told."""


@dataclass(frozen=True, slots=True)
class Quote:
    """One quote of a pool or, with ``pool`` blank, of a shape, and who entered it."""

    pool: str
    shape: str
    span: PriceSpan
    entered_by: str


@dataclass(frozen=True, slots=True)
class QuoteChange:
    """One change of the book: what was done to which quote, when and by whom."""

    at: datetime
    who: str
    what: str
    pool: str
    shape: str
    span: PriceSpan
    reason: str


@dataclass(frozen=True, slots=True)
class PriceBook:
    """Pools a person may see prices of, their quotes and those of their shapes, and what holds for each pool.

    ``every_shape``: whether quotes of shapes that no pool has are among them.
    """

    pools: tuple[PoolRow, ...]
    quotes: tuple[Quote, ...]
    holding: Mapping[str, tuple[PriceSpan, ...]]
    changes: tuple[QuoteChange, ...]
    every_shape: bool


def price_book(*, person: Person, pools: Iterable[PoolRow], period: Period) -> PriceBook:
    """The whole book for one person, in three queries; ``holding`` are the quotes of a period."""
    seen = tuple(pool for pool in pools if may(person, Action.SEE_PRICES, pool.teams))
    every = may(person, Action.SEE_PRICES)
    shapes = {pool.id: pool.instance_type for pool in seen}
    whose = Q(subject__pool_id__in=any_of(shapes)) | (
        Q(subject__shape__isnull=False) if every else Q(subject__shape__in=set(shapes.values()))
    )
    held = terms_of_shapes(shapes=shapes, period=period) if shapes else {}
    quotes = PriceQuote.objects.filter(whose).order_by("subject__pool__name", "subject__shape", "-period")
    changes = PriceQuote.history.filter(whose).select_related("subject__pool", "history_user")
    return PriceBook(
        pools=seen,
        quotes=tuple(_quote(*row) for row in quotes.values_list(*_QUOTE)),
        holding={pool.name: tuple(held[pool.id].quotes) if pool.id in held else () for pool in seen},
        changes=tuple(_change(row) for row in changes.order_by("-history_date", "-history_id")[:CHANGES]),
        every_shape=every,
    )


_PRICES = ("currency", "unit", "on_demand", "reserved", "spot", "flex", "source")
_QUOTE = ("subject__pool__name", "subject__shape", "entered_by", "period", *_PRICES)


def _quote(pool: str | None, shape: str | None, entered_by: str, period: Any, *prices: Any) -> Quote:
    told = dict(zip(_PRICES, prices, strict=True)) | {"unit": Unit(prices[1])}
    span = PriceSpan(start=period.lower, end=period.upper, of_pool=pool is not None, **told)
    return Quote(pool or "", shape or "", span, entered_by)


_WHAT = {"+": "entered", "~": "changed", "-": "taken away"}


def _change(row: Any) -> QuoteChange:
    who = row.history_user.username if row.history_user else row.entered_by
    what, reason = _WHAT[row.history_type], row.history_change_reason or ""
    return QuoteChange(row.history_date, who, what, *_subject(row), _span(row), reason)


def _subject(row: Any) -> tuple[str, str]:
    return row.subject.pool.name if row.subject.pool else "", row.subject.shape or ""


def _span(row: Any) -> PriceSpan:
    start: date = row.period.lower
    return PriceSpan(
        start=start,
        end=row.period.upper,
        currency=row.currency,
        unit=Unit(row.unit),
        on_demand=row.on_demand,
        reserved=row.reserved,
        spot=row.spot,
        flex=row.flex,
        source=row.source,
        of_pool=row.subject.pool_id is not None,
    )
