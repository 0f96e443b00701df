"""Ledger sums as a table: one row for each day or hour, one column for each step.

The written figures of a day or hour add up to its reserved time. Those of the row of the whole are rounded each by
itself, so that none of them contradicts the same figure in the waterfall.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from decimal import ROUND_HALF_EVEN, Decimal

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from telemetry.domain.labels import STEP_LABELS
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.rollup import LedgerSum
from telemetry.domain.waterfall import waterfall

Writing = Callable[[Sequence[int | None], int], list[int | None]]
"""Parts in GPU-milliseconds and a unit → the same in whole units, as they are to be written."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: the steps it sums; ``always`` False: left out where it would say nothing."""

    name: str
    label: str
    steps: tuple[str, ...]
    always: bool = True


def _column(step: str, *, always: bool = True) -> Column:
    return Column(step, STEP_LABELS[step], (step,), always)


COLUMNS: tuple[Column, ...] = (
    _column("ec2_unused"),
    _column("not_joined"),
    _column("not_observed", always=False),
    _column("unknown"),
    _column("idle_free"),
    _column("idle_held"),
    _column("idle_unsplit", always=False),
    _column("owner_busy"),
    _column("borrower_busy"),
    Column("other_busy", "busy, other", ("unmanaged_busy", "unattributed_busy", "busy_unsplit")),
    _column("not_accounted", always=False),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One number as written; ``nil``: it says nothing that a narrow screen must show."""

    label: str
    text: str
    nil: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One day or hour: ``cells`` as written, in the columns' order; ``key`` is the day in ISO form."""

    key: str
    label: str
    reserved: str
    cells: tuple[Cell, ...]
    busy_share: str
    coverage: str
    remarks: tuple[str, ...]
    missing: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The columns that say something, one row for each sum, and the row of the whole."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    total: Row | None


def days(hours: Sequence[LedgerHour], sums: Sequence[LedgerSum], whole: LedgerSum, zone: tzinfo) -> Table:
    """One row for each day in whole GPU-hours and the row of the whole period."""
    columns = _columns(hours)

    def row(total: LedgerSum, label: str, write: Writing) -> Row:
        return _row(total, _within(hours, total), columns, label=label, zone=zone, places=0, write=write)

    rows = tuple(
        row(total, notation.day_of_month(total.period.start.astimezone(zone).date()), notation.whole_parts)
        for total in sums
    )
    return Table(columns, rows, row(whole, "Sum", _each_by_itself) if hours else None)


def hours_of(hours: Sequence[LedgerHour], sums: Sequence[LedgerSum], zone: tzinfo, *, dated: bool) -> Table:
    """One row for each hour in tenths of a GPU-hour; ``dated``: each says its day."""
    columns = _columns(hours)

    def label(total: LedgerSum) -> str:
        start = total.period.start
        day = f"{notation.day_of_month(start.astimezone(zone).date())}, " if dated else ""
        return f"{day}{notation.hour(start, zone)}"

    write = notation.whole_parts
    rows = (_row(s, _within(hours, s), columns, label=label(s), zone=zone, places=1, write=write) for s in sums)
    return Table(columns, tuple(rows), None)


def busy_share(hours: Sequence[LedgerHour]) -> Decimal | None:
    """Σ busy ÷ Σ reserved over the hours in which busy is known; None where nothing was reserved in them."""
    return _busy_of(hours, lambda row: row.reserved)


def busy_paid_share(hours: Sequence[LedgerHour]) -> Decimal | None:
    """Σ busy ÷ Σ paid over the hours in which busy is known: what is held against the break-even (docs/prices.md)."""
    return _busy_of(hours, lambda row: row.paid)


def _busy_of(hours: Sequence[LedgerHour], whole: Callable[[LedgerHour], int]) -> Decimal | None:
    known = [row for row in hours if row.busy is not None]
    of = sum(map(whole, known))
    return Decimal(sum(row.busy or 0 for row in known)) / of if of else None


def _within(hours: Sequence[LedgerHour], total: LedgerSum) -> list[LedgerHour]:
    return [row for row in hours if row.hour in total.period]


def _columns(hours: Sequence[LedgerHour]) -> tuple[Column, ...]:
    told = {step.name for step in waterfall(hours).steps if step.gpu_ms}
    return tuple(column for column in COLUMNS if column.always or told.intersection(column.steps))


def _row(
    total: LedgerSum,
    hours: list[LedgerHour],
    columns: tuple[Column, ...],
    *,
    label: str,
    zone: tzinfo,
    places: int,
    write: Writing,
) -> Row:
    known = {step.name: step.gpu_ms for step in waterfall(hours).steps}
    parts = [_sum(known[name] for name in column.steps) for column in columns]
    unit = HOUR_MS // 10**places
    written = write(parts, unit)
    (reserved,) = _each_by_itself([_sum(parts)], unit)
    share = busy_share(hours)
    return Row(
        key=total.period.start.astimezone(zone).date().isoformat(),
        label=label,
        reserved=_cell(reserved if hours else None, places),
        cells=tuple(
            Cell(column.label, _cell(value, places), not value) for column, value in zip(columns, written, strict=True)
        ),
        busy_share=notation.UNKNOWN if share is None else notation.percent(share),
        coverage=notation.UNKNOWN if total.coverage is None else notation.percent(total.coverage),
        remarks=_remarks(total, hours),
        missing=not hours,
    )


def _sum(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _each_by_itself(parts: Sequence[int | None], unit: int) -> list[int | None]:
    return [
        None if value is None else int((Decimal(value) / unit).quantize(Decimal(1), ROUND_HALF_EVEN)) for value in parts
    ]


def _cell(value: int | None, places: int) -> str:
    return notation.UNKNOWN if value is None else notation.grouped(Decimal(value).scaleb(-places), places)


def _remarks(total: LedgerSum, hours: list[LedgerHour]) -> tuple[str, ...]:
    remarks = []
    one = total.period.length_ms == HOUR_MS
    if total.hours_missing:
        remarks.append("not collected" if one else f"{total.hours_missing} h missing")
    if unusable := sum(row.paid - row.reserved for row in hours):
        remarks.append(f"{notation.gpu_hours(unusable)} GPU-hours paid, not usable")
    if open_hours := sum(not row.final for row in hours):
        remarks.append("not final" if one else f"{open_hours} h not final")
    if one:
        remarks.extend(sentence for row in hours for _, sentence in row.notes)
    elif flagged := sum(bool(row.flags) for row in hours):
        remarks.append(f"{flagged} h flagged")
    return tuple(remarks)
