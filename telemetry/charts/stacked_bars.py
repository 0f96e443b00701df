"""Days or hours as bars of their parts, bottom to top, under a line at what was reserved in each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from telemetry.charts.palette import CLEAR, FRAME, INKS, axis
from telemetry.domain.totals import Totals

TICKS = 5
"""So many bars at most have their name written under them, which fit the narrowest screen."""

WIDTH = 0.86


@dataclass(frozen=True, slots=True)
class Column:
    """One bar: its place in an address, its name on the axis and in a sentence, and what it is made of.

    ``missing`` hours of it were due and never collected; ``to_date``: a part of it was not due yet.
    """

    key: str
    label: str
    said: str
    totals: Totals
    missing: int = 0
    to_date: bool = False


def figure(
    columns: Sequence[Column], *, unit: str, title: str, leads: str = "", ahead: Sequence[str] = ()
) -> dict[str, Any]:
    """``unit`` names the upright axis, ``title`` the other; ``leads``: an address with ``{}`` for a bar's key.

    ``ahead`` are the names of what has no bar yet: they have their room, so that a bar is as wide at the end as before.
    """
    highest = (max((column.totals.reserved or 0 for column in columns), default=0) or HOUR_MS) / HOUR_MS
    names = [*(column.label for column in columns), *ahead]
    step = max(1, -(-len(names) // TICKS))
    places = range(0, len(names), step)
    return {
        "data": [
            *_stack(columns),
            *_doubtful(columns),
            *_to_come(len(columns), len(names), highest),
            _reserved(columns),
            _words(columns, leads),
        ],
        "layout": {
            **FRAME,
            "margin": {"l": 64, "r": 8, "t": 8, "b": 44},
            "hovermode": "x",
            "barmode": "stack",
            "bargap": 1 - WIDTH,
            "xaxis": axis(
                title,
                range=[-0.5, max(1, len(names)) - 0.5],
                showgrid=False,
                ticks="outside",
                tickvals=list(places),
                ticktext=[names[place] for place in places],
            ),
            "yaxis": axis(unit, range=[0, highest * 1.08], tickformat=",~r", nticks=6),
            "separators": f".{notation.THIN}",
        },
    }


def key(drawn: dict[str, Any]) -> list[tuple[str, str]]:
    """What is to be explained beside a figure, top to bottom: the swatch's name and its label."""
    explained = [(trace["meta"], trace["name"]) for trace in drawn["data"] if isinstance(trace.get("meta"), str)]
    places = {name: place for place, name in enumerate(("to_date", "to_come", *reversed(INKS)))}
    return sorted(explained, key=lambda pair: places.get(pair[0], -1))


def _stack(columns: Sequence[Column]) -> Iterator[dict[str, object]]:
    steps = [column.totals.steps() for column in columns]
    for name, ink in INKS.items():
        # a count below nothing (more joined than launched) has no height; the hover and the table say it
        heights = [_hours(max(0, parts[name] or 0)) for parts in steps]
        if any(heights):
            yield {
                "type": "bar",
                "name": ink.label,
                "meta": name,
                "y": heights,
                "width": WIDTH,
                "marker": ink.bar(),
                "hoverinfo": "skip",
            }


def _doubtful(columns: Sequence[Column]) -> Iterator[dict[str, object]]:
    """A hatching over the whole height of what is not over yet, so that nobody compares it with its neighbours."""
    heights = [_hours(column.totals.reserved or 0) if column.to_date else None for column in columns]
    if any(heights):
        yield {
            "type": "bar",
            "name": "to date",
            "meta": "to_date",
            "y": heights,
            "base": 0,
            "width": WIDTH,
            "marker": {
                "color": CLEAR,
                "line": {"width": 0},
                "pattern": {"shape": "/", "fgcolor": "var(--muted)", "bgcolor": CLEAR, "size": 7, "solidity": 0.14},
            },
            "hoverinfo": "skip",
        }


def _to_come(first: int, after: int, height: float) -> Iterator[dict[str, object]]:
    """A light hatching over the places that have no bar yet: they are not empty, they are not there."""
    if after > first:
        left, right = first - 0.5, after - 0.5
        yield {
            "type": "scatter",
            "mode": "lines",
            "name": "to come",
            "meta": "to_come",
            "x": [left, left, right, right, left],
            "y": [0, height, height, 0, 0],
            "fill": "toself",
            "fillcolor": CLEAR,
            "fillpattern": {
                "shape": "/", "fgcolor": "var(--hairline)", "bgcolor": CLEAR, "size": 7, "solidity": 0.14,
            },
            "line": {"width": 0},
            "hoverinfo": "skip",
        }  # fmt: skip


def _reserved(columns: Sequence[Column]) -> dict[str, object]:
    levels = [_hours(column.totals.reserved or 0) if column.totals.hours else None for column in columns]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "reserved",
        "meta": "reserved",
        "x0": -0.5,
        "dx": 1,
        "y": [*levels, *levels[-1:]],
        "line": {"width": 1.5, "color": "var(--ink)", "shape": "hv"},
        "connectgaps": False,
        "hoverinfo": "skip",
    }


def _words(columns: Sequence[Column], leads: str) -> dict[str, object]:
    trace: dict[str, object] = {
        "type": "scatter",
        "mode": "markers",
        "name": "in words",
        "y": [_hours(column.totals.reserved or 0) for column in columns],
        "text": [_sentence(column) for column in columns],
        "marker": {"opacity": 0},
        "hoverinfo": "text",
    }
    if leads:
        trace |= {"customdata": [column.key for column in columns], "meta": {"leads": leads}}
    return trace


def _sentence(column: Column) -> str:
    totals = column.totals
    if not totals.hours:
        return f"{column.said}: not collected"
    missing = f", {notation.grouped(column.missing)} h missing" if column.missing else ""
    rest = f"{missing}{', to date' if column.to_date else ''}"
    reserved = notation.gpu_hours(totals.reserved or 0)
    if totals.busy is None:
        return f"{column.said}: {reserved} reserved, busy unknown{rest}"
    share = f" ({notation.percent(Decimal(totals.busy) / totals.reserved)})" if totals.reserved else ""
    return f"{column.said}: {notation.gpu_hours(totals.busy)} of {reserved} reserved GPU-hours busy{share}{rest}"


def _hours(gpu_ms: int) -> float:
    return round(gpu_ms / HOUR_MS, 1)
