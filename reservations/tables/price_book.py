"""The price book, the rates and what changed as sheets, with what is odd about each quote in words."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from reservations.domain.break_even import UnableToBreakEven, break_even_share
from reservations.domain.exchange import Rate
from reservations.domain.price_remarks import days_without, price_remarks
from reservations.domain.pricing import PriceSpan
from reservations.selectors.price_book import PriceBook, Quote
from reservations.tables.sheet import Column, Kind, Sheet

About = tuple[tuple[str, str], ...]

_PRICES = ("on_demand", "reserved", "spot", "flex")
QUOTES = (
    Column("pool", "pool", Kind.TEXT),
    Column("shape", "instance type", Kind.TEXT),
    Column("from", "from", Kind.DAY),
    Column("to", "to before", Kind.DAY),
    Column("on_demand", "on demand", Kind.MONEY, term="on_demand_price"),
    Column("reserved", "reserved", Kind.MONEY, term="reserved_price"),
    Column("spot", "spot", Kind.MONEY),
    Column("flex", "flex", Kind.MONEY),
    Column("currency", "currency", Kind.TEXT),
    Column("unit", "unit", Kind.TEXT),
    Column("break_even_share", "break-even", Kind.SHARE, term="break_even"),
    Column("source", "source", Kind.TEXT),
    Column("entered_by", "entered by", Kind.TEXT),
    Column("remarks", "remarks", Kind.TEXT),
)
CHANGES = (
    Column("at", "when", Kind.INSTANT),
    Column("who", "who", Kind.TEXT),
    Column("what", "what", Kind.TEXT),
    *QUOTES[:10],
    Column("source", "source", Kind.TEXT),
    Column("reason", "by way of", Kind.TEXT),
)
RATES = (
    Column("from", "from", Kind.TEXT),
    Column("to", "to", Kind.TEXT),
    Column("day", "day", Kind.DAY),
    Column("rate", "rate", Kind.MONEY),
    Column("said_by", "source", Kind.TEXT),
)


def quotes_sheet(book: PriceBook, about: About = ()) -> Sheet:
    """One row for each quote, by pool and shape, the newest first; before them what was derived for this month."""
    derived = (Quote(name, "", span, "") for name, spans in book.holding.items() for span in spans if span.derived)
    rows = tuple(_quote(one) for one in (*derived, *book.quotes))
    return Sheet("prices", "Price book", QUOTES, rows, about)


def changes_sheet(book: PriceBook) -> Sheet:
    """One row for each change, the newest first."""
    rows = tuple(
        (
            one.at,
            one.who or None,
            one.what,
            *_told(one.pool, one.shape, one.span),
            one.span.source or None,
            one.reason or None,
        )
        for one in book.changes
    )
    return Sheet("price-changes", "What changed", CHANGES, rows)


def rates_sheet(rates: Sequence[Rate], about: About = ()) -> Sheet:
    """One row for each exchange rate, the newest first."""
    rows = tuple((one.source, one.target, one.day, one.rate, one.said_by) for one in rates)
    return Sheet("exchange-rates", "Exchange rates", RATES, rows, about)


def as_entered(sheet: Sheet) -> Sheet:
    """The same for a page: prices and rates with the digits they were entered with."""
    money = [column.kind is Kind.MONEY for column in sheet.columns]
    columns = tuple(
        replace(column, kind=Kind.TEXT) if of else column for of, column in zip(money, sheet.columns, strict=True)
    )
    rows = tuple(
        tuple(_plain(cell) if of and isinstance(cell, Decimal) else cell for of, cell in zip(money, row, strict=True))
        for row in sheet.rows
    )
    return replace(sheet, columns=columns, rows=rows)


def book_warnings(book: PriceBook, *, first: date, following: date, today: date) -> list[tuple[str, list[str]]]:
    """What to mend, by pool: days of the running month without a price, and what is odd about today's quote."""
    found = []
    for pool in book.pools:
        spans = book.holding.get(pool.name, ())
        said = [days_without(spans, first=first, following=following)]
        said += [remark for span in spans if span.covers(today) for remark in price_remarks(span)]
        if told := [one for one in said if one]:
            found.append((pool.name, told))
    return found


def _quote(one: Quote) -> tuple[object, ...]:
    derived = ["Derived from the fee: nobody quoted it."] if one.span.derived else []
    remarks = " ".join([*derived, *price_remarks(one.span)])
    return (
        *_told(one.pool, one.shape, one.span),
        _even(one.span),
        one.span.source or None,
        one.entered_by or None,
        remarks or None,
    )


def _told(pool: str, shape: str, span: PriceSpan) -> tuple[object, ...]:
    prices = (getattr(span, name) for name in _PRICES)
    return (pool or None, shape or None, span.start, span.end, *prices, span.currency, span.unit.value)


def _even(span: PriceSpan) -> Decimal | None:
    try:
        return break_even_share(reserved=span.reserved, on_demand=span.on_demand)
    except UnableToBreakEven:
        return None


def _plain(price: Decimal) -> str:
    """A price with the digits it was entered with, at least two behind the point: ``61.50``, ``0.8048``."""
    text = f"{price.normalize():f}"
    whole, _, places = text.partition(".")
    return f"{whole}.{places:0<2}"
