"""How a sheet stands on a page, and how words of machines do."""

from dataclasses import dataclass
from datetime import UTC, tzinfo

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from reservations.tables.sheet import Column, Sheet, written

register = template.Library()


@dataclass(frozen=True, slots=True)
class ShownCell:
    """One cell in words."""

    column: Column
    text: str


@register.simple_tag
def shown_rows(sheet: Sheet, zone: tzinfo | str = "") -> list[list[ShownCell]]:
    """The rows of a sheet in words, instants in that zone or UTC."""
    seen_in = UTC if isinstance(zone, str) else zone
    return [
        [ShownCell(column, written(value, column, seen_in)) for value, column in zip(row, sheet.columns, strict=True)]
        for row in sheet.rows
    ]


@register.filter
def spelt(text: str) -> SafeString:
    """A text in which what stands between grave accents is spelt as machines read it."""
    parts = enumerate(text.split("`"))
    spelt = [format_html("<code>{}</code>", part) if place % 2 else part for place, part in parts]
    return format_html_join("", "{}", ([part] for part in spelt))
