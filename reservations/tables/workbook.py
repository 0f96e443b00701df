"""A sheet as an Excel workbook: numbers are numbers and dates are dates, and no text is ever a formula.

Excel knows no time zones: instants are written in UTC and the header says so.
"""

import io
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal

from openpyxl import Workbook
from openpyxl.cell import Cell, WriteOnlyCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._write_only import WriteOnlyWorksheet

from reservations.domain import notation
from reservations.domain.glossary import GLOSSARY
from reservations.tables.sheet import Column, Kind, Sheet
from reservations.tables.writing import RUN_BY_SPREADSHEETS, as_text

MOST_CELLS = 100_000
"""Four months of hours in our widest sheet: some seconds, in which a web worker does little else (docs/api.md)."""

LONGEST_TEXT = 32_767
FIRST_DAY = date(1900, 3, 1)
"""Excel's calendar has a 29 February 1900; what is before that day is written as text."""

_FORMATS = {
    Kind.GPU_HOURS: "#,##0.00",
    Kind.SHARE: "0.0%",
    Kind.COUNT: "#,##0",
    Kind.NODES: "#,##0.00",
    Kind.MONEY: "#,##0.00",
    Kind.INSTANT: "yyyy-mm-dd hh:mm:ss",
    Kind.DAY: "yyyy-mm-dd",
}
_WIDTHS = {Kind.INSTANT: 20, Kind.DAY: 12, Kind.TEXT: 24, Kind.FLAGS: 28}
_NARROW = 14
_NOT_IN_XML = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\]|^'|'$")


class UnableToWriteWorkbook(ValueError):
    """The sheet is too long for a workbook; the message is one sentence."""


def xlsx_bytes(sheet: Sheet) -> bytes:
    """The workbook: the figures under a frozen header, and a second sheet ``About`` with what they are of."""
    most = MOST_CELLS // max(1, len(sheet.columns))
    if len(sheet.rows) > most:
        raise UnableToWriteWorkbook(
            f"“{sheet.title}” has {notation.grouped(len(sheet.rows))} rows and a workbook takes"
            f" {notation.grouped(most)} of them: ask for a shorter time, or take the CSV"
        )
    book = Workbook(write_only=True)
    _figures(book.create_sheet(_title(sheet.title or sheet.name)), sheet)
    _about(book.create_sheet("About"), sheet)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _figures(page: WriteOnlyWorksheet, sheet: Sheet) -> None:
    page.freeze_panes = "A2"
    last = get_column_letter(max(1, len(sheet.columns)))
    page.auto_filter.ref = f"A1:{last}{len(sheet.rows) + 1}"
    for number, column in enumerate(sheet.columns, start=1):
        page.column_dimensions[get_column_letter(number)].width = _WIDTHS.get(column.kind, _NARROW)
    page.append([_header(page, column) for column in sheet.columns])
    for row in sheet.rows:
        page.append([_cell(page, value, column.kind) for value, column in zip(row, sheet.columns, strict=True)])


def _about(page: WriteOnlyWorksheet, sheet: Sheet) -> None:
    for letter, width in zip("ABCD", (28, 32, 16, 90), strict=True):
        page.column_dimensions[letter].width = width
    for line in _about_lines(sheet):
        page.append([_text(page, text) for text in line])


def _about_lines(sheet: Sheet) -> Iterator[tuple[str, ...]]:
    yield ("Sheet", sheet.title)
    yield from sheet.about
    if any(column.kind is Kind.INSTANT for column in sheet.columns):
        yield ("Instants", "in UTC")
    yield ("Empty cell", "not known, which is not zero")
    yield ()
    yield ("Column", "Name in CSV and API", "Unit", "Meaning")
    for column in sheet.columns:
        yield (column.label, column.name, column.unit, GLOSSARY.get(column.term, ""))


def _header(page: WriteOnlyWorksheet, column: Column) -> Cell:
    unit = "UTC" if column.kind is Kind.INSTANT else column.unit
    cell = _text(page, f"{column.label} ({unit})" if unit else column.label)
    cell.font = Font(bold=True)
    cell.alignment = Alignment(wrap_text=True, vertical="bottom", horizontal="right" if column.is_number else "left")
    return cell


def _cell(page: WriteOnlyWorksheet, value: object, kind: Kind) -> Cell | None:
    if value is None:
        return None
    if isinstance(value, datetime):
        value = value.astimezone(UTC).replace(tzinfo=None)
    early = isinstance(value, date) and (value.date() if isinstance(value, datetime) else value) < FIRST_DAY
    if early or not isinstance(value, bool | int | float | Decimal | date):
        return _text(page, as_text(value))
    cell = WriteOnlyCell(page, value)
    if not isinstance(value, bool):
        cell.number_format = _FORMATS.get(kind, "General")
    return cell


def _text(page: WriteOnlyWorksheet, text: str) -> Cell:
    """Always an inline string, whatever it begins with; the quote mark keeps it one when somebody edits the cell."""
    clean = _NOT_IN_XML.sub("", text)
    cell = WriteOnlyCell(page, clean if len(clean) <= LONGEST_TEXT else clean[: LONGEST_TEXT - 1] + "…")
    cell.data_type = "s"
    if clean.startswith(RUN_BY_SPREADSHEETS):
        cell.quotePrefix = True
    return cell


def _title(text: str) -> str:
    """A name Excel takes for a sheet: 31 characters, none of its own signs."""
    clean = _NOT_IN_TITLES.sub(" ", _NOT_IN_XML.sub("", text))[:31].strip().strip("'")
    return clean if clean.casefold() not in {"", "about", "history"} else "Figures"
