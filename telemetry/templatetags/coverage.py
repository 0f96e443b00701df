"""The fields of the calendar of coverage, written at once: a page holds hundreds of them.

Every word here is our own; what comes from outside, the address, is escaped in one place.
"""

from collections.abc import Iterable
from html import escape

from django import template
from django.utils.safestring import SafeString

from telemetry.domain.day_coverage import CoverageDay, DayState

register = template.Library()


@register.simple_tag
def coverage_cells(cells: Iterable[tuple[CoverageDay, str]]) -> SafeString:
    """A row of days, each with the address of its hours."""
    return SafeString("".join(f'<td class="{_classes(one)}">{_said(one, to)}</td>' for one, to in cells))  # nosec B703


@register.simple_tag
def coverage_week(week: Iterable[CoverageDay | None], month: str) -> SafeString:
    """A week of a month at that address, the number of each day in its corner."""
    return SafeString("".join("<td></td>" if one is None else _dated(one, month) for one in week))  # nosec B703


def _dated(one: CoverageDay, month: str) -> str:
    said = _said(one, f"{month}?day={one.day}")
    return f'<td class="{_classes(one)}"><span class="date">{one.day.day}</span>{said}</td>'


def _classes(one: CoverageDay) -> str:
    return f"cover cover-{one.state.value}{' gap' if one.hours and one.missing else ''}"


def _said(one: CoverageDay, address: str) -> str:
    """Its share, or its word where a pattern alone would speak; both as a title too."""
    hidden = f'<span class="visually-hidden">{one.words}</span>'
    if one.state is DayState.NOT_DUE:
        return hidden
    return f'<a href="{escape(address)}" title="{one.words}">{one.share_text or hidden}</a>'
