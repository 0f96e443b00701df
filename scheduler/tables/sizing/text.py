"""A sizing as a terminal shows it: the answer in a sentence, the figures, and what every other way costs."""

from reservations.tables.sheet import Sheet, sheet_rows, written
from reservations.tables.writing import table_text
from scheduler.domain.sizing.alternatives import Way
from scheduler.domain.sizing.question import Answer
from scheduler.tables.sizing.sheets import sizing_sheet
from scheduler.tables.sizing.words import WAYS, band_words, fixed_words, headline


def sizing_text(answer: Answer, *, pool: str | None = None) -> str:
    """Sentences and two tables, each known figure of the summary in a line of its own."""
    said = [line for line in (headline(answer), fixed_words(answer), band_words(answer)) if line]
    parts = ["\n".join(said), _figures(sizing_sheet("summary", answer, pool=pool))]
    if answer.sizing.sized is not None:
        parts.append(_regret(sizing_sheet("regret", answer)))
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _figures(sheet: Sheet) -> str:
    (row,) = sheet.rows
    lines = [
        {"figure": column.name, "value": written(value, column), "unit": column.unit}
        for column, value in zip(sheet.columns, row, strict=True)
        if value is not None
    ]
    return table_text(lines, ("figure", "value", "unit"))


def _regret(sheet: Sheet) -> str:
    rows = [{**row, "way": WAYS[Way(str(row["way"]))], "reason": row["reason"] or ""} for row in sheet_rows(sheet)]
    shown = [column.name for column in sheet.columns if any(row[column.name] not in (None, "") for row in rows)]
    return table_text(rows, shown)
