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


def figure(
    reserved: int, steps: Sequence[Step], *, written: Sequence[tuple[str, str]] = (), leads: str = ""
) -> dict[str, object]:
    """Bars in GPU-hours over the columns 0 (reserved), 1, 2, …; what stands under them is the page's.

    ``written``: hours and share of each column as the page writes them; ``leads``: the address of the hours behind a
    step, with ``{}`` for its name.
    """
    bars = hanging(reserved, steps)
    levels = [("reserved", 0, reserved), *((bar.step.name, bar.end, bar.start) for bar in bars)]
    said = [*written, *(_said(high - low, reserved) for _, low, high in levels[len(written) :])]
    return {
        "data": [_bar(place, level, said[place], leads) for place, level in enumerate(levels)],
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


def _said(height: int, reserved: int) -> tuple[str, str]:
    return notation.gpu_hours(height), f"{100 * height / reserved:.1f}{notation.THIN}%" if reserved else ""


def _bar(place: int, level: tuple[str, int, int], written: tuple[str, str], leads: str) -> dict[str, object]:
    name, low, high = level
    ink = RESERVED if name == "reserved" else INKS[name]
    hours, share = written
    said = f"{ink.label}: {hours} GPU-hours"
    if share and name != "reserved":
        said += f", {share} of reserved"
    bar: dict[str, object] = {
        "type": "bar",
        "name": ink.label,
        "x": [place],
        "y": [round((high - low) / HOUR_MS, 4)],
        "base": [round(low / HOUR_MS, 4)],
        "width": 0.86,
        "marker": ink.bar(),
        "hovertemplate": f"{said}<extra></extra>",
    }
    if leads and high != low and name != "reserved":
        bar |= {"customdata": [name], "meta": {"leads": leads}}
    return bar


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
