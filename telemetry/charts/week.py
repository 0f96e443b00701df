"""The hours of the week as a heat map: one hue from 0 to 100 %, always the same scale; what nobody knows is hatched."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import Any

from reservations.domain import notation
from telemetry.charts.palette import CLEAR, FRAME, axis
from telemetry.domain.week import HOURS_A_DAY, WEEKDAYS, WeekCell

STEPS = 5
SCALE = [[step / (STEPS - 1), f"var(--heat-{step})"] for step in range(STEPS)]
SCALE_FROM, SCALE_WIDE = 0.62, 0.05
"""Where the scale stands above the map and how wide each of its steps is, in parts of its width."""

DAY_NAMES = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")


def figure(cells: Sequence[WeekCell], zone: tzinfo) -> dict[str, Any]:
    """Busy ÷ reserved in per cent by weekday and hour of that zone's clock."""
    return {
        "data": [_unknown(cells), _heat(cells)],
        "layout": {
            **FRAME,
            "margin": {"l": 40, "r": 8, "t": 28, "b": 44},
            "shapes": [_swatch(step) for step in range(STEPS)],
            "annotations": [
                _end(0, SCALE_FROM - 0.01, "right"),
                _end(100, SCALE_FROM + STEPS * SCALE_WIDE + 0.01, "left"),
            ],
            "xaxis": axis(
                f"hour of the day, {notation.zone_name(zone)}",
                range=[-0.5, HOURS_A_DAY - 0.5],
                tickvals=list(range(0, HOURS_A_DAY, 3)),
                ticktext=[f"{hour:02}" for hour in range(0, HOURS_A_DAY, 3)],
                showgrid=False,
                showline=False,
            ),
            "yaxis": axis(
                "",
                range=[len(WEEKDAYS) - 0.5, -0.5],
                tickvals=list(range(len(WEEKDAYS))),
                ticktext=list(WEEKDAYS),
                showgrid=False,
                showline=False,
            ),
        },
    }


def _swatch(step: int) -> dict[str, object]:
    """One step of the scale; plotly's own would need inline styles."""
    left = SCALE_FROM + step * SCALE_WIDE
    place = {"xref": "paper", "yref": "paper", "x0": left, "x1": left + SCALE_WIDE, "y0": 1.045, "y1": 1.08}
    return {"type": "rect", **place, "fillcolor": SCALE[step][1], "line": {"width": 0}}


def _end(per_cent: int, at: float, side: str) -> dict[str, object]:
    return {
        "xref": "paper",
        "yref": "paper",
        "x": at,
        "y": 1.0625,
        "xanchor": side,
        "yanchor": "middle",
        "text": f"{per_cent}{notation.THIN}%",
        "showarrow": False,
        "font": {"size": 11, "color": "var(--muted)"},
    }


def _heat(cells: Sequence[WeekCell]) -> dict[str, object]:
    days = [cells[day * HOURS_A_DAY : (day + 1) * HOURS_A_DAY] for day in range(len(WEEKDAYS))]
    return {
        "type": "heatmap",
        "name": "busy ÷ reserved",
        "z": [[_per_cent(cell) for cell in day] for day in days],
        "text": [[_sentence(cell) for cell in day] for day in days],
        "hoverinfo": "text",
        "hoverongaps": True,
        "zmin": 0,
        "zmax": 100,
        "colorscale": SCALE,
        "xgap": 1,
        "ygap": 1,
        "showscale": False,
    }


def _unknown(cells: Sequence[WeekCell]) -> dict[str, object]:
    """Squares under the cells that have no colour."""
    corners = [corner for cell in cells if cell.share is None for corner in _square(cell)]
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "not known",
        "meta": "missing",
        "x": [x for x, _ in corners],
        "y": [y for _, y in corners],
        "fill": "toself",
        "fillcolor": CLEAR,
        "fillpattern": {"shape": "/", "fgcolor": "var(--muted)", "bgcolor": CLEAR, "size": 6, "solidity": 0.16},
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _square(cell: WeekCell) -> Iterator[tuple[float | None, float | None]]:
    left, right, top, bottom = cell.hour - 0.5, cell.hour + 0.5, cell.weekday - 0.5, cell.weekday + 0.5
    yield from ((left, top), (right, top), (right, bottom), (left, bottom), (left, top), (None, None))


def _per_cent(cell: WeekCell) -> float | None:
    return None if cell.share is None else round(float(cell.share * 100), 2)


def _sentence(cell: WeekCell) -> str:
    when = f"{DAY_NAMES[cell.weekday]}, {cell.hour:02}:00–{(cell.hour + 1) % HOURS_A_DAY:02}:00"
    if not cell.hours:
        return f"{when}: no hour collected"
    if not cell.known:
        return f"{when}: busy time unknown in {_hours(cell.hours)}"
    over = f"{_hours(cell.known)}" if cell.known == cell.hours else f"{cell.known} of {_hours(cell.hours)}"
    if cell.share is None:
        return f"{when}: nothing reserved in {over}"
    return f"{when}: {notation.percent(cell.share)} of reserved busy, over {over}"


def _hours(count: int) -> str:
    return f"{count} hour{'' if count == 1 else 's'}"
