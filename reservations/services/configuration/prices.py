"""The price book, as a configuration file says: its quotes win on the days they name, other days stay as they are."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date

from django.db.backends.postgresql.psycopg_any import DateRange
from simple_history.utils import bulk_create_with_history

from reservations.domain.change import Change, Outcome
from reservations.domain.pricing import days_left
from reservations.models import Pool, PriceQuote, PriceSubject
from reservations.services.configuration.entries import PriceEntry

ENTERED_BY = "configuration file"
_VALUES = ("on_demand", "reserved", "spot", "flex", "currency", "unit", "source")

Days = tuple[date, date | None]


def configure_prices(*, entries: Sequence[PriceEntry]) -> list[Change]:
    """Write quotes; a stored quote that overlaps one is cut to the days the file does not name."""
    by_subject: defaultdict[str, list[PriceEntry]] = defaultdict(list)
    for entry in entries:
        by_subject[entry.subject].append(entry)
    return [change for written in by_subject.values() for change in _book_put(written)]


def _book_put(entries: Sequence[PriceEntry]) -> list[Change]:
    subject, label = _subject(entries[0]), entries[0].subject
    stored = {_days(quote): quote for quote in subject.quotes.all()}
    wanted = {entry.days: entry for entry in entries}
    same = {days for days, entry in wanted.items() if days in stored and not _differing(stored[days], entry)}
    cut = {
        days: days_left(start=days[0], end=days[1], taken=wanted)
        for days, quote in stored.items()
        if days not in same and _overlaps(days, wanted)
    }
    # Deleted and written anew rather than changed in place: no order of updates could break the exclusion then.
    PriceQuote.objects.filter(pk__in=[stored[days].pk for days in cut]).delete()
    bulk_create_with_history(
        [
            *(_piece(stored[days], part) for days, parts in cut.items() for part in parts),
            *(_quote(subject, entry) for days, entry in wanted.items() if days not in same),
        ],
        PriceQuote,
        default_change_reason=ENTERED_BY,
    )
    return [*_written(label, wanted, same, stored), *_cut(label, cut, {days[0] for days in wanted})]


def _written(
    label: str, wanted: dict[Days, PriceEntry], same: set[Days], stored: dict[Days, PriceQuote]
) -> Iterable[Change]:
    before = {days[0]: quote for days, quote in stored.items()}
    for days, entry in wanted.items():
        name = f"{label} from {days[0]}"
        if days in same:
            yield Change("price", name, Outcome.UNCHANGED)
        elif days[0] in before:
            fields = _differing(before[days[0]], entry)
            yield Change("price", name, Outcome.UPDATED, fields if days in stored else (*fields, "to"))
        else:
            yield Change("price", name, Outcome.CREATED, _VALUES)


def _cut(label: str, cut: dict[Days, list[Days]], starts: set[date]) -> Iterable[Change]:
    for days, parts in cut.items():
        if parts:
            yield Change("price", f"{label} from {parts[0][0]}", Outcome.UPDATED, ("to",))
        elif days[0] not in starts:
            yield Change("price", f"{label} from {days[0]}", Outcome.REMOVED)


def _subject(entry: PriceEntry) -> PriceSubject:
    if entry.pool is not None:
        return PriceSubject.objects.get_or_create(pool=Pool.objects.get(name=entry.pool))[0]
    return PriceSubject.objects.get_or_create(shape=entry.shape)[0]


def _quote(subject: PriceSubject, entry: PriceEntry) -> PriceQuote:
    return PriceQuote(
        subject=subject,
        period=DateRange(*entry.days),
        entered_by=ENTERED_BY,
        **{name: _value(entry, name) for name in _VALUES},
    )


def _piece(quote: PriceQuote, days: Days) -> PriceQuote:
    return PriceQuote(
        subject_id=quote.subject_id,
        period=DateRange(*days),
        entered_by=quote.entered_by,
        **{name: getattr(quote, name) for name in _VALUES},
    )


def _differing(quote: PriceQuote, entry: PriceEntry) -> tuple[str, ...]:
    return tuple(name for name in _VALUES if getattr(quote, name) != _value(entry, name))


def _value(entry: PriceEntry, name: str) -> object:
    value = getattr(entry, name)
    return "" if name == "source" and value is None else value


def _days(quote: PriceQuote) -> Days:
    return quote.period.lower, quote.period.upper


def _overlaps(days: Days, others: Iterable[Days]) -> bool:
    return days_left(start=days[0], end=days[1], taken=others) != [days]
