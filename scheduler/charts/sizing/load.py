"""The load-duration curve of a sizing: in which share of the hours each node was needed, against both break-evens."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

from reservations.domain import notation
from scheduler.charts.sizing.inks import drawn_sizes, nodes_frame, size_marks
from telemetry.charts.palette import per_cent_axis
from telemetry.domain.load_duration import LoadDuration


def figure(
    curve: LoadDuration,
    *,
    most: int,
    lines: tuple[tuple[str, Decimal], ...],
    proposed: int | None,
    current: int | None,
) -> dict[str, Any]:
    """Steps over the nodes up to ``most``; ``lines`` are (name, share), the first dashed, further ones dotted."""
    nodes = drawn_sizes(most)[1:] or [1]
    marks = size_marks(most, proposed, current)
    return {
        "data": [_steps(curve, nodes), _words(curve, nodes)],
        "layout": {
            **nodes_frame(most, per_cent_axis("share of hours", 104)),
            "shapes": [*(_line(share, place) for place, (_, share) in enumerate(lines)), *marks["shapes"]],
            "annotations": [*_names(lines), *marks["annotations"]],
        },
    }


def _steps(curve: LoadDuration, nodes: list[int]) -> dict[str, object]:
    shares = [_per_cent(curve.share(node)) for node in nodes]
    first = _per_cent(curve.share(1))
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "needed",
        "x": [0.5, *nodes, nodes[-1] + 0.5, nodes[-1] + 0.5],
        "y": [first, *shares, shares[-1], 0],
        "line": {"width": 2, "color": "var(--ink)", "shape": "hvh"},
        "fill": "tozeroy",
        "fillcolor": "var(--busy-owner-tint)",
        "hoverinfo": "skip",
    }


def _words(curve: LoadDuration, nodes: list[int]) -> dict[str, object]:
    hours = notation.grouped(curve.hours)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "in words",
        "x": nodes,
        "y": [_per_cent(curve.share(node)) for node in nodes],
        "text": [f"node {node} needed in {notation.percent(_share(curve, node))} of {hours} h" for node in nodes],
        "marker": {"opacity": 0},
        "hoverinfo": "text",
    }


def _line(share: Decimal, place: int) -> dict[str, object]:
    height = float(share * 100)
    line = {"color": "var(--ink)", "width": 1.5, "dash": "dot" if place else "dash"}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": height, "y1": height, "line": line}


def _names(lines: tuple[tuple[str, Decimal], ...]) -> list[dict[str, object]]:
    """Each line's name at its right end: the higher one above its line, the lower one below."""
    highest = max((share for _, share in lines), default=Decimal(0))
    return [
        {
            "x": 1, "xref": "paper", "xanchor": "right", "y": min(102.0, float(share * 100)),
            "yanchor": "bottom" if share == highest else "top", "showarrow": False,
            "text": f"{name} {notation.percent(share)}", "font": {"color": "var(--ink)", "size": 12},
        }
        for name, share in lines
        if share <= Decimal("1.02")
    ]  # fmt: skip


def _share(curve: LoadDuration, node: int) -> Decimal:
    share = curve.share(node) or Fraction(0)
    return Decimal(share.numerator) / share.denominator


def _per_cent(share: Fraction | None) -> float:
    return round(float(100 * (share or 0)), 3)
