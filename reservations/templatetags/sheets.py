"""How a sheet stands on a page, and how words of machines do."""

from collections.abc import Sequence
from datetime import UTC, tzinfo
from html import escape

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from reservations.tables.sheet import Column, Sheet, written

register = template.Library()


@register.simple_tag
def sheet_rows(sheet: Sheet, zone: tzinfo | str = "") -> SafeString:
    """The rows of a sheet in words, instants in that zone or UTC: written at once, since a page holds hundreds."""
    seen_in = UTC if isinstance(zone, str) else zone
    fields = [_field(column, first=not place) for place, column in enumerate(sheet.columns)]
    return SafeString("\n".join(f"<tr>{_cells(row, sheet.columns, fields, seen_in)}</tr>" for row in sheet.rows))  # nosec B703


def _cells(row: Sequence[object], columns: Sequence[Column], fields: Sequence[tuple[str, str]], seen_in: tzinfo) -> str:
    told = zip(row, columns, fields, strict=True)
    return "".join(f"{begin}{escape(written(value, column, seen_in))}{end}" for value, column, (begin, end) in told)


def _field(column: Column, *, first: bool) -> tuple[str, str]:
    """What stands around a cell of a column."""
    number = ' class="number"' if column.is_number else ""
    if first:
        return f'<th scope="row"{number}>', "</th>"
    return f'<td data-label="{escape(column.label)}"{number}>', "</td>"


@register.filter
def spelt(text: str) -> SafeString:
    """A text in which what stands between grave accents is spelt as machines read it."""
    parts = enumerate(text.split("`"))
    spelt = [format_html("<code>{}</code>", part) if place % 2 else part for place, part in parts]
    return format_html_join("", "{}", ([part] for part in spelt))
