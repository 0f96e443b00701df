"""Rows as text: a table to read, JSON with exact numbers, or CSV that no spreadsheet runs as a formula."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal

from rich.console import Console
from rich.table import Table
from rich.text import Text

FORMATS = ("table", "json", "csv")

Row = Mapping[str, object]

RUN_BY_SPREADSHEETS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a text must not begin with where a spreadsheet would run it; some take the wide signs for the narrow ones."""


def csv_text(rows: Sequence[Row], columns: Sequence[str]) -> str:
    """Rows as CSV with a header; unknown is an empty cell, and a text that begins like a formula gets a quote mark."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_neutral(row[column]) for column in columns] for row in rows)
    return file.getvalue()


def table_text(rows: Sequence[Row], columns: Sequence[str], *, titles: Mapping[str, str] | None = None) -> str:
    """Rows as columns to read in a terminal of any width; unknown is a dash."""
    table = Table(box=None, pad_edge=False, header_style="")
    for column in columns:
        numbers = all(isinstance(row[column], Decimal | int | None) for row in rows)
        table.add_column(Text((titles or {}).get(column, column)), justify="right" if numbers else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(as_text(row[column]) or "–") for column in columns))
    file = io.StringIO()
    Console(file=file, width=10_000, color_system=None).print(table)
    return "".join(line.rstrip() + "\n" for line in file.getvalue().splitlines())


def json_text(value: object) -> str:
    """A value as JSON, one row of a list a line; decimals are numbers with all their digits, times ISO 8601."""
    if isinstance(value, Mapping):
        members = [f"{json.dumps(str(key))}: {json_text(member)}" for key, member in value.items()]
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list | tuple):
        members = [json_text(member) for member in value]
        rows = any(isinstance(member, Mapping) for member in value)
        return "[\n" + ",\n".join(members) + "\n]" if rows else "[" + ", ".join(members) + "]"
    if isinstance(value, Decimal):
        return _digits(value)
    if isinstance(value, datetime | date):
        return json.dumps(_moment(value))
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def as_text(value: object) -> str:
    """One cell of CSV or of a terminal, without quote marks: unknown is blank, a list is parted by blanks."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return _digits(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime | date):
        return _moment(value)
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _neutral(value: object) -> str:
    text = as_text(value)
    is_number = isinstance(value, Decimal | int)
    return f"'{text}" if not is_number and text.startswith(RUN_BY_SPREADSHEETS) else text


def _digits(value: Decimal) -> str:
    if value == 0:
        return "0"
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _moment(value: date) -> str:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value.isoformat()
