"""The load-duration curve: over the nodes, the share of hours that needed at least as many, of demand and of busy."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

from reservations.domain import notation
from telemetry.charts.palette import FRAME, line_over, nodes_axis, per_cent_axis
from telemetry.domain.load_duration import LoadDuration


def figure(
    demand: LoadDuration,
    busy: LoadDuration,
    reserved: Fraction | None,
    break_even: Decimal | None,
    adjusted: Decimal | None = None,
) -> dict[str, Any]:
    """Steps in per cent of the hours each is known in; lines at both break-evens and one at what is reserved."""
    peak = max(demand.peak, busy.peak, 1)
    end = max(peak, math.ceil(reserved or 0)) + 0.5
    curves = [
        _curve(busy, "busy", "busy", {"width": 2, "color": "var(--busy-owner)"}, dash="solid"),
        _curve(demand, "needed", "demand", {"width": 2, "color": "var(--ink)"}, dash="solid"),
    ]
    return {
        "data": [*(curve for curve in curves if curve), _words(demand, busy, peak)],
        "layout": {
            **FRAME,
            "margin": {"l": 60, "r": 12, "t": 34, "b": 44},
            "hovermode": "x",
            "xaxis": nodes_axis("nodes", 0, end),
            "yaxis": per_cent_axis("share of hours", 102),
            "shapes": [
                *([] if break_even is None else line_over(float(break_even * 100))[1:]),
                *([] if adjusted is None else line_over(float(adjusted * 100), "dot")[1:]),
                *_mark(reserved),
            ],
            "annotations": _mark_note(reserved, end),
        },
    }


def _curve(
    curve: LoadDuration, name: str, meta: str, line: dict[str, object], *, dash: str
) -> dict[str, object] | None:
    if not curve.hours:
        return None
    shares = [100.0, *(_per_cent(curve, node) for node in range(1, curve.peak + 1)), 0.0]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "meta": meta,
        "x": [*range(curve.peak + 1), curve.peak],
        "y": shares,
        "line": {**line, "dash": dash, "shape": "vh"},
        "hoverinfo": "skip",
        **({"fill": "tozeroy", "fillcolor": "var(--busy-owner-tint)"} if meta == "busy" else {}),
    }


def _words(demand: LoadDuration, busy: LoadDuration, peak: int) -> dict[str, object]:
    """A sentence over the middle of each node's step."""
    curve = demand if demand.hours else busy
    nodes = range(1, peak + 1)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "in words",
        "x": [node - 0.5 for node in nodes],
        "y": [_per_cent(curve, node) if curve.hours else 0 for node in nodes],
        "text": [_sentence(demand, busy, node) for node in nodes],
        "marker": {"opacity": 0},
        "hoverinfo": "text",
    }


def _sentence(demand: LoadDuration, busy: LoadDuration, node: int) -> str:
    parts = []
    if demand.hours:
        parts.append(f"node {node} needed in {_share(demand, node)} of {notation.grouped(demand.hours)} h")
    if busy.hours:
        which = "" if parts else f"node {node} "
        parts.append(f"{which}busy in {_share(busy, node)} of {notation.grouped(busy.hours)} h")
    return ", ".join(parts)


def _share(curve: LoadDuration, node: int) -> str:
    share = curve.share(node) or Fraction(0)
    return notation.percent(Decimal(share.numerator) / share.denominator)


def _per_cent(curve: LoadDuration, node: int) -> float:
    return round(float(100 * (curve.share(node) or 0)), 3)


def _mark(reserved: Fraction | None) -> list[dict[str, object]]:
    if reserved is None:
        return []
    at = round(float(reserved), 3)
    line = {"color": "var(--ink)", "width": 1.5, "dash": "dot"}
    return [{"type": "line", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1, "line": line}]


def _mark_note(reserved: Fraction | None, end: float) -> list[dict[str, object]]:
    if reserved is None:
        return []
    at = round(float(reserved), 3)
    nodes = notation.grouped(Decimal(reserved.numerator) / reserved.denominator, 0 if reserved.denominator == 1 else 1)
    note = _note(at, 1, f"reserved {nodes}", "right" if at > end / 2 else "left", "bottom")
    return [{**note, "yref": "paper"}]


def _note(x: float, y: float, text: str, xanchor: str, yanchor: str) -> dict[str, object]:
    font = {"color": "var(--ink)", "size": 12}
    return {"x": x, "y": y, "text": text, "showarrow": False, "xanchor": xanchor, "yanchor": yanchor, "font": font}
