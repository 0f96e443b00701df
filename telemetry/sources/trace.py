"""Usage and demand from CSV files: read whole or not at all, mistakes by line (docs/ledger.md#hours-from-a-file)."""

import csv
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from pathlib import Path

from reservations.domain.period import HOUR_MS, UnableToReadTime, floor_hour, read_instant
from reservations.domain.suggestion import nearest
from telemetry.domain.demand import MOST_NODES, kept_nodes
from telemetry.domain.trace import (
    GPU_HOURS,
    USAGE_COLUMNS,
    DemandRow,
    Trace,
    TraceKind,
    TraceQuestion,
    UnableToReadTrace,
    UsageRow,
)

DEMAND_COLUMNS = ("hour", "workload", "nodes", "gpus")
SIGNED = frozenset({"not_joined_gpu_hours", "not_observed_gpu_hours"})
MOST_MISTAKES = 20
MOST_BYTES = 256 * 1024 * 1024
MOST_GPU_HOURS = Decimal(10) ** 9
MOST_COUNTED = Decimal(10) ** 7
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", re.ASCII)
NOT_FINITE = re.compile(r"[-+]?(nan|inf|infinity)", re.IGNORECASE)


@dataclass(slots=True)
class _Mistakes:
    """What is wrong with a file, by line."""

    name: str
    said: list[str] = field(default_factory=list)

    def add(self, line: int, sentence: str) -> None:
        self.said.append(f"{self.name}, line {line}: {sentence}")

    def stop(self) -> None:
        """UnableToReadTrace when there is any."""
        if self.said:
            more = len(self.said) - MOST_MISTAKES
            rest = [f"{self.name}: and {more} more lines like these"] if more > 0 else []
            raise UnableToReadTrace("\n".join([*self.said[:MOST_MISTAKES], *rest]))


class _Refused(ValueError):
    """One cell can't be read."""


Row = tuple[int, Mapping[str, str]]


def fetch(question: TraceQuestion, *, session: object | None = None) -> Trace:
    """The hours of a file in order; UnableToReadTrace names up to twenty mistakes, and then nothing is given."""
    name = question.path.name
    mistakes = _Mistakes(name)
    rows = _rows(_text(question.path), mistakes)
    mistakes.stop()
    header, body = rows[0][1], rows[1:]
    kind = _kind(header, question, name)
    read = _usage if kind is TraceKind.USAGE else _demand
    trace = read(header, body, question, mistakes)
    mistakes.stop()
    if not trace.hours:
        raise UnableToReadTrace(f"{name} has a header and no hours")
    return trace


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UnableToReadTrace(f"{path} can't be read: {(error.strerror or str(error)).lower()}") from error
    if len(content) > MOST_BYTES:
        raise UnableToReadTrace(f"{path.name} is larger than {MOST_BYTES // 1024 // 1024} MB: import it in parts")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise UnableToReadTrace(f"{path.name}, line {line}: not UTF-8 text: save it as UTF-8") from error
    if not text.strip():
        raise UnableToReadTrace(f"{path.name} is empty: its first line must name the columns, as hour,workload,nodes")
    return text


def _rows(text: str, mistakes: _Mistakes) -> list[tuple[int, list[str]]]:
    """(line, cells) of every line that holds anything, all as wide as the header."""
    reader = csv.reader(text.splitlines(keepends=True), strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                rows.append((reader.line_num, [cell.strip() for cell in cells]))
    except csv.Error as error:
        mistakes.add(reader.line_num, f"not CSV: {error}")
        return rows
    width = len(rows[0][1])
    for line, cells in rows[1:]:
        if len(cells) != width:
            mistakes.add(line, f"{len(cells)} cells where the header has {width}")
    return rows


def _kind(header: Sequence[str], question: TraceQuestion, name: str) -> TraceKind:
    """What the header says the file is, once it is a header of one of the two kinds."""
    for mark, word in ((";", "semicolons"), ("\t", "tabs"), ("|", "bars")):
        if len(header) == 1 and mark in header[0]:
            raise UnableToReadTrace(f"{name}, line 1: the columns are separated by {word}: use commas")
    demand = {"workload", "nodes", "gpus"} & set(header)
    kind = question.kind or (TraceKind.DEMAND if demand else TraceKind.USAGE)
    known = ("hour", *USAGE_COLUMNS) if kind is TraceKind.USAGE else DEMAND_COLUMNS
    for column in header:
        if column not in known:
            raise UnableToReadTrace(f"{name}, line 1: unknown column “{column}”{nearest(column, known)}")
        if header.count(column) > 1:
            raise UnableToReadTrace(f"{name}, line 1: the column “{column}” stands twice")
    needed = ("hour", "busy_gpu_hours") if kind is TraceKind.USAGE else ("hour", "workload")
    if lacking := [column for column in needed if column not in header]:
        raise UnableToReadTrace(f"{name}, line 1: a {kind} file needs the column “{lacking[0]}”")
    if kind is TraceKind.DEMAND and ("nodes" in header) == ("gpus" in header):
        raise UnableToReadTrace(f"{name}, line 1: a demand file needs one of the columns “nodes” and “gpus”, not both")
    return kind


def _usage(
    header: Sequence[str], body: Sequence[tuple[int, list[str]]], question: TraceQuestion, mistakes: _Mistakes
) -> Trace:
    rows: list[UsageRow] = []
    lines: dict[object, int] = {}
    for line, cells in _mapped(header, body):
        try:
            hour = _hour(cells["hour"])
            amounts = {name.removesuffix(GPU_HOURS): _gpu_ms(cells[name], name) for name in header if name != "hour"}
            _once(lines, hour, line, f"the hour {hour:%Y-%m-%dT%H:%MZ}")
            rows.append(UsageRow(hour, amounts))
        except _Refused as refused:
            mistakes.add(line, str(refused))
    return Trace(TraceKind.USAGE, usage=tuple(sorted(rows, key=lambda row: row.hour)))


def _demand(
    header: Sequence[str], body: Sequence[tuple[int, list[str]]], question: TraceQuestion, mistakes: _Mistakes
) -> Trace:
    nodes_in = _nodes_reader(header, question)
    hours: defaultdict[datetime, dict[str, Fraction]] = defaultdict(dict)
    lines: dict[object, int] = {}
    for line, cells in _mapped(header, body):
        try:
            hour, workload = _hour(cells["hour"]), _workload(cells["workload"])
            nodes = nodes_in(cells)
            _once(lines, (hour, workload), line, f"the hour {hour:%Y-%m-%dT%H:%MZ} of the workload “{workload}”")
            hours[hour][workload] = nodes
        except _Refused as refused:
            mistakes.add(line, str(refused))
    return Trace(
        TraceKind.DEMAND,
        demand=tuple(
            DemandRow(hour, workload, nodes)
            for hour in sorted(hours)
            for workload, nodes in sorted(kept_nodes(hours[hour]).items())
        ),
    )


def _nodes_reader(header: Sequence[str], question: TraceQuestion) -> Callable[[Mapping[str, str]], Fraction]:
    gpus_per_node = question.gpus_per_node
    if "gpus" in header and gpus_per_node is None:
        raise UnableToReadTrace(f"{question.path.name} counts GPUs: say with --gpus-per-node how many a node has")

    def read(cells: Mapping[str, str]) -> Fraction:
        column = "gpus" if "gpus" in cells else "nodes"
        value = Fraction(_number(cells[column], column, MOST_COUNTED))
        nodes = value / Fraction(gpus_per_node) if column == "gpus" and gpus_per_node is not None else value
        if nodes > MOST_NODES:
            raise _Refused(f"{column}: {cells[column]} is more than any fleet has: at most {MOST_NODES} nodes")
        return nodes

    return read


def _mapped(header: Sequence[str], body: Sequence[tuple[int, list[str]]]) -> Iterator[Row]:
    for line, cells in body:
        if len(cells) == len(header):
            yield line, dict(zip(header, cells, strict=True))


def _hour(text: str) -> datetime:
    try:
        hour = read_instant(text)
    except UnableToReadTime as unable:
        raise _Refused(f"hour: {unable}") from unable
    if hour != floor_hour(hour):
        raise _Refused(f"hour: “{text}” is not on a whole hour of UTC")
    return hour


def _workload(text: str) -> str:
    if not text or len(text) > 16 or not text.isprintable():
        raise _Refused(f"workload: “{text}” must be a word of at most 16 characters, as serving, training or batch")
    return text


def _gpu_ms(text: str, column: str) -> int | None:
    if not text:
        return None
    value = _number(text, column, MOST_GPU_HOURS, signed=column in SIGNED)
    return int((value * HOUR_MS).to_integral_value(ROUND_HALF_EVEN))


def _number(text: str, column: str, most: Decimal, *, signed: bool = False) -> Decimal:
    if NOT_FINITE.fullmatch(text):
        raise _Refused(f"{column}: “{text}” is not a finite number; leave an unknown value empty or its line out")
    if not NUMBER.fullmatch(text):
        raise _Refused(f"{column}: “{text}” is not a number: digits with a point, as 12.5")
    value = Decimal(text)
    if value < 0 and not signed:
        raise _Refused(f"{column}: {text} is below 0")
    if abs(value) > most:
        raise _Refused(f"{column}: {text} is more than can be")
    return value


def _once(lines: dict[object, int], key: object, line: int, what: str) -> None:
    if key in lines:
        raise _Refused(f"{what} stands on line {lines[key]} already")
    lines[key] = line
