"""Rows of long tables and long lists of options, written at once: a page holds hundreds of their fields.

Whatever comes from outside is escaped where it is written.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape

from django import template
from django.utils.safestring import SafeString

from reservations.selectors.pools import PoolRow
from telemetry.tables.by_step import Cell, Row

register = template.Library()


@register.simple_tag
def steps_rows(rows: Iterable[Row], lead: Sequence[str] | str = "", marked: str = "") -> SafeString:
    """A row of a table for each; ``lead``: the halves of the address it leads to; ``marked``: a column's label."""
    return SafeString("".join(_row(row, lead, marked) for row in rows))  # nosec B703


@register.simple_tag
def pool_options(pools: Iterable[PoolRow], chosen: str) -> SafeString:
    """Pools to choose from by name, one of them chosen; blank: none."""
    return SafeString("".join(_option(escape(pool.name), chosen=pool.name == chosen) for pool in pools))  # nosec B703


@register.simple_tag
def zone_options(names: tuple[str, ...]) -> SafeString:
    """Names of zones to be offered while one types."""
    return _options(names)


@lru_cache(maxsize=2)
def _options(names: tuple[str, ...]) -> SafeString:
    return SafeString("".join(f'<option value="{escape(name)}"></option>' for name in names))  # nosec B703


def _option(name: str, *, chosen: bool) -> str:
    return f'<option value="{name}"{" selected" if chosen else ""}>{name}</option>'


def _row(row: Row, lead: Sequence[str] | str, marked: str) -> str:
    state = ' class="missing"' if row.missing else ' class="so-far"' if row.to_date else ""
    label = escape(row.label)
    if lead:
        label = f'<a href="{escape(f"{lead[0]}{row.key}{lead[1]}")}">{label}</a>'
    cells = "\n  ".join(_cell(cell, marked) for cell in row.cells)
    return f"""<tr{state}>
  <th scope="row" class="nowrap">{label}</th>
  <td class="number lead-cell" data-label="reserved">{escape(row.reserved)}</td>
  {cells}
  <td class="number lead-cell" data-label="busy ÷ reserved">{escape(row.busy_share)}</td>
  <td class="number lead-cell" data-label="coverage">{escape(row.coverage)}</td>
  <td class="wide why">{escape("; ".join(row.remarks))}</td>
</tr>
"""


def _cell(cell: Cell, marked: str) -> str:
    """A label and a figure of ours: nothing in them is markup."""
    classes = f"number step-cell{' nil' if cell.nil else ''}{' marked' if marked == cell.label else ''}"
    return f'<td class="{classes}" data-label="{cell.label}">{cell.text}</td>'
