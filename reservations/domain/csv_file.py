"""A CSV file as lines of texts; whatever cannot be read is said in one sentence with its line."""

import codecs
import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reservations.domain.suggestion import nearest

SAVE_AS = "save it as “CSV UTF-8 (comma delimited)”"


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong in one line, 1 being the header; line None: with the file as a whole."""

    line: int | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence if self.line is None else f"Line {self.line}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class Line:
    """One record's texts by the names of its columns."""

    number: int
    texts: dict[str, str]


@dataclass(frozen=True, slots=True)
class Form:
    """What a file of one kind looks like: its columns, those it must have, what a line is, and how much is read."""

    columns: Sequence[str]
    required: Sequence[str]
    record: str
    most_lines: int
    most_bytes: int


class UnableToReadFile(Exception):
    """The file is not of its form; ``faults`` say why."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(" ".join(map(str, faults)))
        self.faults = tuple(faults)


def lines_of(data: bytes, form: Form) -> list[Line]:
    """The lines of a file with a header of the form's columns, in any order; UnableToReadFile otherwise."""
    text = _text(data, form)
    try:
        rows = list(_rows(text))
    except csv.Error as error:
        raise _refused(f"The file is no CSV: {error}.") from error
    if not rows:
        raise _refused(
            f"The file is empty: its first line names the columns, and each further line is a {form.record}."
        )
    header = _header(rows[0][1], form)
    if len(rows) == 1:
        raise _refused(f"The file names its columns and no {form.record}.")
    if len(rows) - 1 > form.most_lines:
        raise _refused(f"The file has {len(rows) - 1} {form.record}s and may have {form.most_lines}: divide it.")
    faults = [
        Fault(number, f"It has {len(cells)} cells where the header has {len(header)}: quote a text that holds a comma.")
        for number, cells in rows[1:]
        if len(cells) != len(header)
    ]
    if faults:
        raise UnableToReadFile(faults)
    return [Line(number, dict(zip(header, cells, strict=True))) for number, cells in rows[1:]]


def _text(data: bytes, form: Form) -> str:
    if len(data) > form.most_bytes:
        raise _refused(f"The file has more than {form.most_bytes // 1024} kB: divide it.")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _refused(f"The file is written in UTF-16: {SAVE_AS}.")
    if data.startswith(b"PK\x03\x04"):
        raise _refused(f"The file is a workbook: {SAVE_AS}.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnableToReadFile([Fault(line, f"It holds bytes that are not UTF-8: {SAVE_AS}.")]) from error
    if "\0" in text:
        raise _refused("The file holds bytes that are no text.")
    return text


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Every record that is not blank with the line it begins in."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    begins = 1
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield begins, cells
        begins = reader.line_num + 1


def _header(cells: Sequence[str], form: Form) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    if len(names) == 1 and any(mark in names[0] for mark in ";\t"):
        raise UnableToReadFile(
            [Fault(1, f"The columns are divided by {'semicolons' if ';' in names[0] else 'tabs'}: {SAVE_AS}.")]
        )
    unknown = [name for name in names if name not in form.columns]
    faults = [Fault(1, f"There is no column “{name[:40]}”{nearest(name[:40], form.columns)}") for name in unknown]
    faults += [Fault(1, f"The column “{name}” stands twice.") for name in form.columns if names.count(name) > 1]
    faults += [Fault(1, f"The column “{name}” is missing.") for name in form.required if name not in names]
    if faults:
        raise UnableToReadFile(faults)
    return names


def _refused(sentence: str) -> UnableToReadFile:
    return UnableToReadFile([Fault(None, sentence)])
