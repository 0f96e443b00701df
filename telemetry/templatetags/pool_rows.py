"""The rows of the table of pools, written at once: a page holds hundreds of their fields.

Whatever comes from outside is escaped where it is written.
"""

from collections.abc import Collection, Iterable
from html import escape
from urllib.parse import quote

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString

from telemetry.tables.pool_lines import Line
from telemetry.tables.tiles import Mark

register = template.Library()

CELLS = {
    "reserved": "reserved",
    "allocated": "allocated",
    "busy": "busy",
    "share": "",
    "even": "break-even",
    "adjusted": "with launches that fail",
    "points": "points",
    "idle_held": "idle, held",
    "idle_free": "idle, free",
    "coverage": "coverage",
    "cost": "cost of idle",
}
"""The columns in their order, each with what a narrow screen calls it."""

OF_A_MONTH = frozenset({"even", "adjusted", "points", "cost"})
"""Those that a single day has not."""


@register.simple_tag(takes_context=True)
def pool_rows(context: Context, lines: Iterable[Line], shown: Collection[str], query: str) -> SafeString:
    """One row for each pool with the columns that are shown, leading to its month and to its owner's pools."""
    month, owned, whole = context["month_key"], context["owned"], context.get("whole_month", False)
    columns = [(name, label) for name, label in CELLS.items() if name in shown and (whole or name not in OF_A_MONTH)]
    return SafeString("".join(_row(line, columns, "remarks" in shown, month, query, owned) for line in lines))  # nosec B703


def _row(
    line: Line, columns: Iterable[tuple[str, str]], remarks: bool, month: str, query: str, owned: tuple[str, str, str]
) -> str:
    cells = "".join(_cell(line, name, label) for name, label in columns)
    told = f'<td class="wide why">{escape(line.remark)}</td>' if remarks else ""
    return f'<tr><th scope="row">{_named(line, month, query)} {_owner(line, owned)}</th>{cells}{told}</tr>\n'


def _named(line: Line, month: str, query: str) -> str:
    address = reverse("telemetry:pool-month", args=[line.name, month])
    return f'<a href="{escape(f"{address}{query}")}">{escape(line.name)}</a>'


def _owner(line: Line, owned: tuple[str, str, str]) -> str:
    """The owner, who leads to the pools of that name alone."""
    with_it, without, rest = owned
    name, asked = escape(line.owner), quote(line.owner)
    only, but = escape(f"{with_it}{asked}{rest}"), escape(f"{without}{asked}{rest}")
    title = f"Only the pools of {name}; with shift, all but those"
    return f'<a class="unit" href="{only}" data-without="{but}" title="{title}">{name}</a>'


def _cell(line: Line, name: str, label: str) -> str:
    if name == "share":
        return f'<td class="number share-cell">{line.share}</td><td class="bar-cell">{_mark(line.mark)}</td>'
    text = line.trend if name == "points" else getattr(line, name)
    return f'<td class="number" data-label="{label}">{escape(text)}</td>'


def _mark(mark: Mark | None) -> str:
    """The share as a bar with both break-even lines; nothing where it is not known."""
    if mark is None:
        return ""
    lines = "".join(
        f'<line class="{kind}" x1="{at}" x2="{at}" y1="0" y2="12"/>'
        for kind, at in (("even", mark.even), ("even adjusted", mark.adjusted))
        if at
    )
    ground = '<rect class="ground" y="3" width="100%" height="6"/>'
    bar = f'<rect class="share" y="3" width="{mark.share}" height="6"/>'
    return f'<svg class="mark" aria-hidden="true">{ground}{bar}{lines}</svg>'
