"""Committed growth as it is written: a table with the columns name, from, to, nodes and perhaps workload, as CSV."""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal

from scheduler.domain.sizing.growth import GrowthLine
from scheduler.domain.sizing.prices import UnableToSize
from telemetry.domain.demand import MOST_NODES

COLUMNS = ("name", "from", "to", "nodes")
WITH_WORKLOAD = (*COLUMNS, "workload")
LONGEST_WORKLOAD = 16
NODES = re.compile(r"[-+]?\d{1,9}(\.\d{1,4})?", re.ASCII)
MOST_LINES = 200


def growth_lines(text: str, *, name: str, headed: bool = True) -> tuple[GrowthLine, ...]:
    """The lines of a text, ``to`` blank where one is open; without ``headed`` the columns stand in their order.

    UnableToSize with ``name`` and the line for anything else.
    """
    rows = list(_rows(text, name, headed))
    for place, (number, line) in enumerate(rows):
        if line in [other for _, other in rows[:place]]:
            raise UnableToSize(f"{name}, line {number}: the growth line “{line.name}” stands twice")
    if headed and not rows:
        raise UnableToSize(f"{name} has a header and no lines")
    return tuple(line for _, line in rows)


def _rows(text: str, name: str, headed: bool) -> Iterator[tuple[int, GrowthLine]]:
    reader = csv.reader(text.splitlines(), strict=True)
    header: tuple[str, ...] = COLUMNS
    try:
        if headed:
            header = tuple(cell.strip() for cell in next(reader, []))
            if sorted(header) not in (sorted(COLUMNS), sorted(WITH_WORKLOAD)):
                columns = ", ".join(COLUMNS)
                raise UnableToSize(f"{name}, line 1: a growth file has the columns {columns} and, if need be, workload")
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            where = f"{name}, line {reader.line_num}"
            if reader.line_num > MOST_LINES:
                raise UnableToSize(f"{name} has more than {MOST_LINES} lines: add up what belongs together")
            header = header if headed else _columns_of(cells)
            if len(cells) != len(header):
                raise UnableToSize(f"{where}: {len(cells)} cells instead of {len(header)}: {', '.join(header)}")
            yield reader.line_num, _line(dict(zip(header, map(str.strip, cells), strict=True)), where)
    except csv.Error as error:
        raise UnableToSize(f"{name}, line {reader.line_num}: not CSV: {error}") from error


def _columns_of(cells: Sequence[str]) -> tuple[str, ...]:
    return WITH_WORKLOAD if len(cells) == len(WITH_WORKLOAD) else COLUMNS


def _line(row: Mapping[str, str], where: str) -> GrowthLine:
    start, end = _day(row["from"], where), _day(row["to"], where)
    if start is None:
        raise UnableToSize(f"{where}: “from” is blank: say from which day on")
    nodes = row["nodes"]
    if not NODES.fullmatch(nodes):
        raise UnableToSize(f"{where}: nodes: “{nodes[:40]}” is not a number: digits with a sign, as -2 or 1.5")
    if abs(Decimal(nodes)) > MOST_NODES:
        raise UnableToSize(f"{where}: nodes: {nodes} is beyond any fleet")
    try:
        return GrowthLine(row["name"], start, end, Decimal(nodes), _workload(row.get("workload", ""), where))
    except UnableToSize as unable:
        raise UnableToSize(f"{where}: {unable}") from unable


def _workload(text: str, where: str) -> str:
    if len(text) > LONGEST_WORKLOAD or not text.isprintable():
        raise UnableToSize(f"{where}: workload: “{text[:40]}” is longer than {LONGEST_WORKLOAD} characters")
    return text


def _day(text: str, where: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UnableToSize(f"{where}: “{text[:40]}” is not a day: from and to are days, as 2027-05-09") from error
