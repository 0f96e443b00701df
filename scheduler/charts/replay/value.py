"""What a month would have been worth on each size, with the least that delivers the same."""

from collections.abc import Mapping, Sequence
from typing import Any

from reservations.domain import notation
from scheduler.charts.sizing.inks import MARGIN, OVERFLOW, RESERVED, upright, words_over
from telemetry.charts.palette import FRAME, Ink, axis, nodes_axis

DELIVERS, FALLS_SHORT = ("delivers as much", RESERVED), ("falls short", OVERFLOW)


def figure(sizes: Sequence[Mapping[str, Any]], *, current: int, packed: int, least: float) -> dict[str, Any]:
    """A column a size, filled where it is worth ``least`` or more; today's size and the packed one named."""
    first, last = sizes[0]["nodes"], sizes[-1]["nodes"]
    parts = [
        (kind, [size for size in sizes if (size["value"] >= least) == (kind is DELIVERS)])
        for kind in (DELIVERS, FALLS_SHORT)
    ]
    frame = {**FRAME, "margin": MARGIN, "hovermode": "x", "bargap": 0.25}
    level = {"color": "var(--ink)", "width": 1, "dash": "dash"}
    line = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": least, "y1": least, "line": level}
    marks = _marks(current, packed, first, last)
    return {
        "data": [*(_columns(kind, part) for kind, part in parts if part), _words(sizes)],
        "layout": {
            **frame,
            "barmode": "overlay",
            "xaxis": nodes_axis("nodes", first - 0.6, last + 0.6),
            "yaxis": axis("value, priority × GPU-hours", tickformat="~s"),
            "shapes": [line, *(upright(at, dash) for at, dash, _ in marks)],
            "annotations": [words_over(at - first, text, last - first) | {"x": at} for at, _, text in marks],
        },
    }


def _marks(current: int, packed: int, first: int, last: int) -> list[tuple[int, str, str]]:
    if current == packed:
        return [(current, "solid", f"held and packed {current}")]
    return [(packed, "solid", f"packed {packed}"), (current, "dot", f"held now {current}")]


def _columns(kind: tuple[str, Ink], sizes: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    label, ink = kind
    return {
        "type": "bar",
        "name": label,
        "x": [size["nodes"] for size in sizes],
        "y": [size["value"] for size in sizes],
        "marker": ink.bar(),
        "hoverinfo": "skip",
    }


def _words(sizes: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "in words",
        "x": [size["nodes"] for size in sizes],
        "y": [size["value"] for size in sizes],
        "text": [_sentence(size) for size in sizes],
        "marker": {"opacity": 0},
        "hoverinfo": "text",
    }


def _sentence(size: Mapping[str, Any]) -> str:
    return (
        f"{size['nodes']} nodes: worth {notation.grouped(round(size['value']))}<br>"
        f"{notation.grouped(size['unmet_gpu_hours'])} GPU-hours of serving unmet<br>"
        f"{notation.grouped(size['waiting_hours'])} job-hours of waiting"
    )
