"""The cost curve: for each number of nodes held what is paid reserved, on demand above it, and lost to shortage."""

from collections.abc import Sequence
from typing import Any

from reservations.domain import notation
from scheduler.charts.sizing.inks import OVERFLOW, RESERVED, SHORTAGE, drawn_sizes, nodes_frame, size_marks
from scheduler.domain.sizing.cost import SizeCost
from telemetry.charts.palette import Ink, axis


def figure(
    costs: Sequence[SizeCost],
    *,
    currency: str,
    hours: int,
    plateau: tuple[int, int],
    proposed: int,
    current: int | None,
) -> dict[str, Any]:
    """Stacked columns from none to the last of ``costs``; the plateau shaded, the proposal and today's size marked."""
    most = costs[-1].nodes
    marked = (proposed, *plateau, *([] if current is None else [current]))
    shown = [costs[size] for size in drawn_sizes(most, marked)]
    marks = size_marks(most, proposed, current)
    money = f"{currency or 'money'} over {notation.grouped(hours)} h"
    return {
        "data": [*_columns(shown), _words(shown, currency)],
        "layout": {
            **nodes_frame(most, axis(money, rangemode="tozero", tickformat="~s")),
            "barmode": "stack",
            "bargap": 0.18 if len(shown) < 80 else 0,
            "shapes": [_shade(plateau), *marks["shapes"]],
            "annotations": [_flat(plateau), *marks["annotations"]],
        },
    }


def _columns(costs: Sequence[SizeCost]) -> list[dict[str, object]]:
    parts: list[tuple[Ink, list[float]]] = [
        (RESERVED, [float(cost.reserved) for cost in costs]),
        (OVERFLOW, [float(cost.overflow) for cost in costs]),
    ]
    if any(cost.shortage for cost in costs):
        parts.append((SHORTAGE, [float(cost.shortage or 0) for cost in costs]))
    nodes = [cost.nodes for cost in costs]
    return [
        {"type": "bar", "name": ink.label, "x": nodes, "y": amounts, "marker": ink.bar(), "hoverinfo": "skip"}
        for ink, amounts in parts
    ]


def _words(costs: Sequence[SizeCost], currency: str) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "in words",
        "x": [cost.nodes for cost in costs],
        "y": [float(cost.total) for cost in costs],
        "text": [_sentence(cost, currency) for cost in costs],
        "marker": {"opacity": 0},
        "hoverinfo": "text",
    }


def _sentence(cost: SizeCost, currency: str) -> str:
    parts = [f"{notation.grouped(cost.reserved)} reserved", f"{notation.grouped(cost.overflow)} overflow"]
    if cost.shortage:
        parts.append(f"{notation.grouped(cost.shortage)} shortage")
    total = f"{notation.grouped(cost.total)} {currency}".strip()
    return f"{cost.nodes} held: {total}, {' + '.join(parts)}"


def _shade(plateau: tuple[int, int]) -> dict[str, object]:
    """Behind the columns, so that it shows above them and between."""
    return {
        "type": "rect", "yref": "paper", "y0": 0, "y1": 1, "x0": plateau[0] - 0.5, "x1": plateau[1] + 0.5,
        "fillcolor": "var(--raised)", "line": {"width": 1, "color": "var(--hairline)"}, "layer": "below",
    }  # fmt: skip


def _flat(plateau: tuple[int, int]) -> dict[str, object]:
    font = {"color": "var(--muted)", "size": 12}
    return {
        "x": (plateau[0] + plateau[1]) / 2, "y": 0.98, "yref": "paper", "yanchor": "top", "showarrow": False,
        "text": f"within 1{notation.THIN}%", "font": font,
    }  # fmt: skip
