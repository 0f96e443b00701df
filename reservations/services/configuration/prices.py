"""The price book, as a configuration file says: its quotes win on the days they name, other days stay as they are."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from reservations.domain.change import Change
from reservations.models import Pool, PriceQuote, PriceSubject, ShortageRecord
from reservations.services.configuration.entries import DatedEntry, PriceEntry, ShortageEntry
from reservations.services.effective_dating import Book, put_dated, subject_of

ENTERED_BY = "configuration file"

QUOTES = Book(PriceQuote, "price", ("on_demand", "reserved", "spot", "flex", "currency", "unit", "source"))
SHORTAGES = Book(
    ShortageRecord,
    "shortage",
    ("fail_probability", "shortage_cost", "currency", "convention", "source"),
    ("attempts", "failures", "counted", "recorded_on"),
)


def configure_prices(*, entries: Sequence[PriceEntry]) -> list[Change]:
    """Write quotes; a stored quote that overlaps one is cut to the days the file does not name."""
    return _put(QUOTES, entries, {})


def configure_shortages(*, entries: Sequence[ShortageEntry], recorded_on: date) -> list[Change]:
    """Write q and L the same way; what is new is recorded on that day."""
    return _put(SHORTAGES, entries, {"recorded_on": recorded_on})


def _put(book: Book, entries: Sequence[DatedEntry], also: dict[str, object]) -> list[Change]:
    by_subject: defaultdict[str, list[DatedEntry]] = defaultdict(list)
    for entry in entries:
        by_subject[entry.subject].append(entry)
    return [
        change
        for label, some in by_subject.items()
        for change in put_dated(
            book,
            subject=_subject(some[0]),
            label=label,
            wanted={entry.days: {name: _value(entry, name) for name in book.values} | also for entry in some},
            entered_by=ENTERED_BY,
            reason=ENTERED_BY,
        )
    ]


def _subject(entry: DatedEntry) -> PriceSubject:
    pool_id = None if entry.pool is None else Pool.objects.get(name=entry.pool).pk
    return subject_of(pool_id=pool_id, shape=entry.shape)


def _value(entry: DatedEntry, name: str) -> object:
    value = getattr(entry, name)
    return "" if name == "source" and value is None else value
