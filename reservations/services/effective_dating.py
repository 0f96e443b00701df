"""Rows that hold from one day to another, written so that new ones win on their days and the rest of the past stays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.backends.postgresql.psycopg_any import DateRange
from simple_history.utils import bulk_create_with_history

from reservations.domain.change import Change, Outcome
from reservations.domain.pricing import days_left
from reservations.models import PriceQuote, PriceSubject, ShortageRecord

Days = tuple[date, date | None]


@dataclass(frozen=True, slots=True)
class Book:
    """One kind of dated rows: what they are called, the values that tell two apart, and those that come along."""

    model: type[PriceQuote] | type[ShortageRecord]
    kind: str
    values: Sequence[str]
    also: Sequence[str] = ()


def put_dated(
    book: Book,
    *,
    subject: PriceSubject,
    label: str,
    wanted: Mapping[Days, Mapping[str, object]],
    entered_by: str,
    reason: str,
) -> list[Change]:
    """Write one subject's rows by their days; a stored row that overlaps one is cut to the days that none names."""
    rows: Any = book.model.objects.filter(subject=subject)
    stored = {(row.period.lower, row.period.upper): row for row in rows}
    same = {days for days, values in wanted.items() if days in stored and not _differing(book, stored[days], values)}
    cut = {
        days: days_left(start=days[0], end=days[1], taken=wanted)
        for days in stored
        if days not in same and _overlaps(days, wanted)
    }
    # Deleted and written anew rather than changed in place: no order of updates could break the exclusion then.
    book.model.objects.filter(pk__in=[stored[days].pk for days in cut]).delete()
    bulk_create_with_history(
        [
            *(_piece(book, stored[days], part) for days, parts in cut.items() for part in parts),
            *(
                book.model(subject=subject, period=DateRange(*days), entered_by=entered_by, **values)
                for days, values in wanted.items()
                if days not in same
            ),
        ],
        book.model,
        default_change_reason=reason,
    )
    return [*_written(book, label, wanted, same, stored), *_cut(book, label, cut, {days[0] for days in wanted}, stored)]


def subject_of(*, pool_id: int | None, shape: str | None) -> PriceSubject:
    """What a price, a shortage or a launch is of, stored where it is new."""
    if pool_id is not None:
        return PriceSubject.objects.get_or_create(pool_id=pool_id)[0]
    return PriceSubject.objects.get_or_create(shape=shape)[0]


def _written(
    book: Book, label: str, wanted: Mapping[Days, Mapping[str, object]], same: set[Days], stored: Mapping[Days, Any]
) -> Iterable[Change]:
    before = {days[0]: row for days, row in stored.items()}
    for days, values in wanted.items():
        name = f"{label} from {days[0]}"
        if days in same:
            yield Change(book.kind, name, Outcome.UNCHANGED)
        elif days[0] in before:
            fields = _differing(book, before[days[0]], values)
            told = _told(book, before[days[0]]), {**values, "to": days[1]}
            fields = fields if days in stored else (*fields, "to")
            yield Change(book.kind, name, Outcome.UPDATED, fields, before=told[0], after=told[1])
        else:
            yield Change(book.kind, name, Outcome.CREATED, tuple(book.values), after={**values, "to": days[1]})


def _cut(
    book: Book, label: str, cut: Mapping[Days, list[Days]], starts: set[date], stored: Mapping[Days, Any]
) -> Iterable[Change]:
    for days, parts in cut.items():
        told = _told(book, stored[days])
        if parts:
            kept = {"days": [list(part) for part in parts]}
            yield Change(book.kind, f"{label} from {parts[0][0]}", Outcome.UPDATED, ("to",), before=told, after=kept)
        elif days[0] not in starts:
            yield Change(book.kind, f"{label} from {days[0]}", Outcome.REMOVED, before=told)


def _told(book: Book, row: Any) -> dict[str, object]:
    return {name: getattr(row, name) for name in book.values} | {"to": row.period.upper}


def _piece(book: Book, row: Any, days: Days) -> Any:
    names = ("entered_by", *book.values, *book.also)
    kept = {name: getattr(row, name) for name in names}
    return book.model(subject_id=row.subject_id, period=DateRange(*days), **kept)


def _differing(book: Book, row: Any, values: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(name for name in book.values if getattr(row, name) != values[name])


def _overlaps(days: Days, others: Iterable[Days]) -> bool:
    return days_left(start=days[0], end=days[1], taken=others) != [days]
