"""Ledger sums as a table: one row for each day or hour, one column for each step.

The written figures of a row add up to its reserved time.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.period import HOUR_MS, Period, hour_period
from telemetry.domain.labels import STEP_LABELS
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.rollup import due_hours
from telemetry.domain.totals import Totals, totals_of


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
class Part:
    """The totals of a day or an hour; ``missing`` hours of it were due and never collected, ``sentences`` are doubts.

    ``to_date``: a part of it was not due yet.
    """

    period: Period
    totals: Totals
    missing: int = 0
    to_date: bool = False
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """One number as written; ``nil``: it says nothing that a narrow screen must show."""

    label: str
    text: str
    nil: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One day or hour: ``cells`` as written, in the columns' order; ``key`` is the day or the UTC hour in ISO form."""

    key: str
    label: str
    reserved: str
    cells: tuple[Cell, ...]
    busy_share: str
    coverage: str
    remarks: tuple[str, ...]
    missing: bool
    to_date: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The columns that say something, one row for each sum, and the row of the whole; ``marked``: a column's label."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    total: Row | None
    marked: str = ""

    @property
    def total_rows(self) -> tuple[Row, ...]:
        """The row of the whole, where there is one."""
        return () if self.total is None else (self.total,)


def day_parts(days: Mapping[date, Period], totals: Mapping[date, Totals], until: datetime, pools: int) -> list[Part]:
    """The days that were due or are there, of that many pools together."""
    return [
        Part(period, sums, max(0, pools * due_hours(period, until) - sums.hours), until < period.end)
        for day, period in days.items()
        for sums in [totals.get(day, Totals())]
        if sums.hours or period.start < until
    ]


def hour_parts(hours: Iterable[LedgerHour], period: Period, until: datetime) -> list[Part]:
    """Every hour of a period that was due or is there."""
    present = {row.hour: row for row in hours}
    return [
        hour_part(present[start]) if start in present else Part(hour_period(start), Totals(), 1)
        for start in period.hours()
        if start in present or start < until
    ]


def part_hours(period: Period, totals: Mapping[datetime, Totals], until: datetime, pools: int) -> list[Part]:
    """Every hour of a period that was due or is there, of that many pools together."""
    return [
        Part(hour_period(start), sums, max(0, pools * (start < until) - sums.hours))
        for start in period.hours()
        for sums in [totals.get(start, Totals())]
        if sums.hours or start < until
    ]


def days(parts: Sequence[Part], whole: Part, zone: tzinfo) -> Table:
    """One row for each day and the row of the whole, in whole GPU-hours."""
    columns = _columns([whole])
    rows = tuple(
        _row(part, columns, notation.day_of_month(_local(part, zone).date()), f"{_local(part, zone):%Y-%m-%d}", 0)
        for part in parts
    )
    total = replace(_row(whole, columns, "Sum", "", 0), to_date=False)
    return Table(columns, rows, total if whole.totals.hours else None)


def hours_of(parts: Sequence[Part], zone: tzinfo, *, dated: bool, step: str = "") -> Table:
    """One row for each hour in tenths of a GPU-hour; ``dated``: each says its day; ``step``: the one looked for."""
    columns = _columns(parts)

    def label(part: Part) -> str:
        day = f"{notation.day_of_month(_local(part, zone).date())}, " if dated else ""
        return f"{day}{notation.hour(part.period.start, zone)}"

    rows = (_row(part, columns, label(part), f"{part.period.start:%Y-%m-%dT%H}", 1) for part in parts)
    return Table(columns, tuple(rows), None, next((one.label for one in columns if step in one.steps), ""))


def hour_part(row: LedgerHour) -> Part:
    """One hour of the ledger with what it says about itself."""
    return Part(hour_period(row.hour), totals_of([row]), sentences=tuple(sentence for _, sentence in row.notes))


def _local(part: Part, zone: tzinfo) -> datetime:
    return part.period.start.astimezone(zone)


def _columns(parts: Iterable[Part]) -> tuple[Column, ...]:
    told = {name for part in parts for name, gpu_ms in part.totals.steps().items() if gpu_ms}
    return tuple(column for column in COLUMNS if column.always or told.intersection(column.steps))


def _row(part: Part, columns: tuple[Column, ...], label: str, key: str, places: int) -> Row:
    totals = part.totals
    steps = totals.steps()
    # the steps are rounded as under the waterfall, and only then put together in columns
    rounded = dict(zip(steps, notation.whole_parts(list(steps.values()), HOUR_MS // 10**places), strict=True))
    written = [_sum(rounded[name] for name in column.steps) for column in columns]
    share, coverage = totals.busy_share, totals.coverage
    reserved = sum(value for value in written if value is not None)
    return Row(
        key=key,
        label=label,
        reserved=_cell(reserved if totals.hours else None, places),
        cells=tuple(
            Cell(column.label, _cell(value, places), not value) for column, value in zip(columns, written, strict=True)
        ),
        busy_share=notation.UNKNOWN if share is None else notation.percent(share),
        coverage=notation.UNKNOWN if coverage is None else notation.percent(coverage),
        remarks=_remarks(part),
        missing=not totals.hours,
        to_date=part.to_date,
    )


def _sum(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _cell(value: int | None, places: int) -> str:
    return notation.UNKNOWN if value is None else notation.grouped(Decimal(value).scaleb(-places), places)


def _remarks(part: Part) -> tuple[str, ...]:
    totals, one = part.totals, part.period.length_ms == HOUR_MS
    remarks = ["to date"] if part.to_date and not one else []
    if part.missing:
        remarks.append("not collected" if one and not totals.hours else f"{notation.grouped(part.missing)} h missing")
    if gap := (totals.paid or 0) - (totals.reserved or 0):
        remarks.append(f"{notation.gpu_hours(gap)} GPU-hours paid, not usable")
    if totals.open_hours:
        remarks.append("not final" if totals.hours == 1 else f"{notation.grouped(totals.open_hours)} h not final")
    if part.sentences:
        remarks.extend(part.sentences)
    elif totals.flagged_hours:
        remarks.append("flagged" if totals.hours == 1 else f"{notation.grouped(totals.flagged_hours)} h flagged")
    return tuple(remarks)
