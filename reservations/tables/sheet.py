"""One table of figures, from which the table on a page, the CSV, the workbook and the rows of the API all come."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Any

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from reservations.tables.writing import csv_text


class Kind(StrEnum):
    """What the cells of a column are; a cell of any kind may be None: unknown."""

    TEXT = "text"
    INSTANT = "instant"
    DAY = "day"
    GPU_HOURS = "gpu_hours"
    SHARE = "share"
    COUNT = "count"
    NODES = "nodes"
    MONEY = "money"
    YES_NO = "yes_no"
    FLAGS = "flags"


NUMBERS = frozenset({Kind.GPU_HOURS, Kind.SHARE, Kind.COUNT, Kind.NODES, Kind.MONEY})


@dataclass(frozen=True, slots=True)
class Column:
    """``name`` with its unit as suffix for machines, ``label`` for people; ``term`` is the glossary's word for it."""

    name: str
    label: str
    kind: Kind
    unit: str = ""
    term: str = ""

    @property
    def is_number(self) -> bool:
        """Whether its cells stand to the right."""
        return self.kind in NUMBERS


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of cells in the columns' order: Decimal GPU-hours and money, shares 0–1, aware instants, None unknown.

    ``about`` says what the figures are of: the period, the zone, the data's age, the filters, who asked.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[object, ...], ...]
    about: tuple[tuple[str, str], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names."""
        return tuple(column.name for column in self.columns)


def sheet_rows(sheet: Sheet) -> list[dict[str, object]]:
    """Each row by the columns' names: what JSON shows."""
    return [dict(zip(sheet.names, row, strict=True)) for row in sheet.rows]


def sheet_csv(sheet: Sheet) -> str:
    """A header of the columns' names and the rows with every digit; instants are ISO 8601 in UTC, unknown is empty."""
    return csv_text(sheet_rows(sheet), sheet.names)


def written(value: object, column: Column, zone: tzinfo = UTC) -> str:
    """A cell as a page shows it; unknown is a dash, instants stand in that zone and name it."""
    return notation.UNKNOWN if value is None else _WRITTEN[column.kind](value, zone)


def _instant(value: datetime, zone: tzinfo) -> str:
    return notation.instant(value, zone)


def _day(value: date, _zone: tzinfo) -> str:
    return notation.day(value)


def _gpu_hours(value: Decimal, _zone: tzinfo) -> str:
    return notation.gpu_hours(round(value * HOUR_MS))


def _money(value: Decimal, _zone: tzinfo) -> str:
    return notation.grouped(value, 0 if abs(value) >= 100 else 2)


def _flags(value: Iterable[object], _zone: tzinfo) -> str:
    return ", ".join(map(str, value))


_WRITTEN: dict[Kind, Callable[[Any, tzinfo], str]] = {
    Kind.TEXT: lambda value, _zone: str(value),
    Kind.INSTANT: _instant,
    Kind.DAY: _day,
    Kind.GPU_HOURS: _gpu_hours,
    Kind.SHARE: lambda value, _zone: notation.percent(value),
    Kind.COUNT: lambda value, _zone: notation.grouped(value),
    Kind.NODES: lambda value, _zone: notation.grouped(value, 2),
    Kind.MONEY: _money,
    Kind.YES_NO: lambda value, _zone: "yes" if value else "no",
    Kind.FLAGS: _flags,
}
