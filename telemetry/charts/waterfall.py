"""The waterfall of reserved GPU-hours: each bar hangs where the one before it ended."""

from collections.abc import Sequence
from dataclasses import dataclass

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from telemetry.charts.palette import FRAME, INKS, RESERVED, axis
from telemetry.domain.waterfall import Step

LEFT = 72
"""Pixels left of the first column; the sums under the bars keep the same."""


@dataclass(frozen=True, slots=True)
class Hanging:
    """One bar between two levels, in GPU-milliseconds; a negative step climbs."""

    step: Step
    start: int
    end: int


def hanging(reserved: int, steps: Sequence[Step]) -> list[Hanging]:
    """Where each bar hangs; a step nobody knows has no height and is said elsewhere."""
    bars: list[Hanging] = []
    level = reserved
    for step in steps:
        bars.append(Hanging(step, level, level - (step.gpu_ms or 0)))
        level -= step.gpu_ms or 0
    return bars


def figure(reserved: int, steps: Sequence[Step]) -> dict[str, object]:
    """Bars in GPU-hours over the columns 0 (reserved), 1, 2, …; what stands under them is the page's."""
    bars = hanging(reserved, steps)
    return {
        "data": [
            _bar(0, "reserved", 0, reserved, reserved),
            *(_bar(place, bar.step.name, bar.end, bar.start, reserved) for place, bar in enumerate(bars, 1)),
        ],
        "layout": {
            **FRAME,
            "margin": {"l": LEFT, "r": 0, "t": 8, "b": 0},
            "barmode": "overlay",
            "xaxis": axis(
                "", range=[-0.5, len(bars) + 0.5], showgrid=False, showticklabels=False, ticks="", showline=False
            ),
            "yaxis": axis("GPU-hours", rangemode="tozero", separatethousands=True, tickformat=",~r", nticks=5),
            "separators": f".{notation.THIN}",
            "shapes": [_joint(place, bar.start) for place, bar in enumerate(bars)],
        },
    }


def _bar(place: int, name: str, low: int, high: int, reserved: int) -> dict[str, object]:
    ink = RESERVED if name == "reserved" else INKS[name]
    height = high - low
    said = f"{ink.label}: {notation.gpu_hours(height)} GPU-hours"
    if reserved and name != "reserved":
        said += f", {100 * height / reserved:.1f} % of reserved"
    return {
        "type": "bar",
        "name": ink.label,
        "x": [place],
        "y": [round(height / HOUR_MS, 4)],
        "base": [round(low / HOUR_MS, 4)],
        "width": 0.86,
        "marker": ink.bar(),
        "hovertemplate": f"{said}<extra></extra>",
    }


def _joint(place: int, level: int) -> dict[str, object]:
    """Along the foot of a bar to the next one, so that a bar too thin to be seen leaves no gap."""
    height = round(level / HOUR_MS, 4)
    return {
        "type": "line",
        "x0": place - 0.43,
        "x1": place + 0.57,
        "y0": height,
        "y1": height,
        "line": {"color": "var(--muted)", "width": 1},
        "layer": "below",
    }
