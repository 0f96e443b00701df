"""Busy time by team or workload: bars within and beyond quota, what was allocated as a mark on each."""

from collections.abc import Sequence
from typing import Any

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from telemetry.charts.palette import FRAME, INKS, axis
from telemetry.charts.rows import bars
from telemetry.domain.split import Kind, Part

OTHER_INKS = {
    Kind.UNMANAGED: INKS["unmanaged_busy"],
    Kind.UNATTRIBUTED: INKS["unattributed_busy"],
    Kind.UNSPLIT: INKS["busy_unsplit"],
}


def figure(parts: Sequence[Part]) -> dict[str, Any]:
    """One row for each part in its order from the top, in GPU-hours."""
    rows = list(range(len(parts)))
    return {
        "data": [
            bars("within quota", [part.within for part in parts], INKS["owner_busy"].bar()),
            bars("beyond quota", [part.beyond for part in parts], INKS["borrower_busy"].bar()),
            *(
                bars(ink.label, [part.other if part.kind == kind else 0 for part in parts], ink.bar())
                for kind, ink in OTHER_INKS.items()
            ),
            _allocated(parts),
            _words(parts),
        ],
        "layout": {
            **FRAME,
            "margin": {"l": 8, "r": 16, "t": 4, "b": 44},
            "barmode": "stack",
            "bargap": 0.35,
            "hovermode": "y",
            "xaxis": axis("GPU-hours", rangemode="tozero", tickformat=",~r", nticks=4, tickangle=0),
            "yaxis": axis(
                "",
                range=[len(parts) - 0.5, -0.5],
                tickvals=rows,
                ticktext=[part.name for part in parts],
                tickfont={"color": "var(--ink)", "size": 13},
                automargin=True,
                showgrid=False,
            ),
            "separators": f".{notation.THIN}",
        },
    }


def key(parts: Sequence[Part]) -> list[tuple[str, str]]:
    """What is to be explained beside the bars: the swatch's name and its label."""
    shown = [
        ("owner_busy", "within quota", any(part.within for part in parts)),
        ("borrower_busy", "beyond quota", any(part.beyond for part in parts)),
        ("allocated", "allocated", any(part.allocated is not None for part in parts)),
    ]
    return [(name, label) for name, label, there in shown if there]


def _allocated(parts: Sequence[Part]) -> dict[str, object]:
    told = [(row, part.allocated) for row, part in enumerate(parts) if part.allocated is not None]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "allocated",
        "y": [row for row, _ in told],
        "x": [round(amount / HOUR_MS, 3) for _, amount in told],
        "marker": {"symbol": "line-ns", "size": 20, "line": {"width": 2, "color": "var(--ink)"}},
        "hoverinfo": "skip",
    }


def _words(parts: Sequence[Part]) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "in words",
        "y": list(range(len(parts))),
        "x": [round(max(part.busy, part.allocated or 0) / HOUR_MS / 2, 3) for part in parts],
        "text": [_sentence(part) for part in parts],
        "marker": {"opacity": 0},
        "hoverinfo": "text",
    }


def _sentence(part: Part) -> str:
    said = f"{part.name}: {notation.gpu_hours(part.busy)} busy GPU-hours"
    if part.beyond:
        said += f", {notation.gpu_hours(part.beyond)} of them beyond quota"
    return said if part.allocated is None else f"{said}; {notation.gpu_hours(part.allocated)} allocated"
