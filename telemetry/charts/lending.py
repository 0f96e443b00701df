"""What each team lent, to the right, and borrowed, to the left."""

from collections.abc import Sequence
from typing import Any

from reservations.domain import notation
from reservations.domain.period import HOUR_MS
from telemetry.charts.palette import FRAME, INKS, axis
from telemetry.charts.rows import bars
from telemetry.domain.lending import Balance

MOST = 8
"""So many teams are drawn: those that moved most."""


def figure(balances: Sequence[Balance], names: Sequence[str]) -> dict[str, Any]:
    """One row for each team in GPU-hours; the middle is nothing."""
    reach = max((max(one.lent, one.borrowed) for one in balances), default=0) / HOUR_MS * 1.08 or 1
    return {
        "data": [
            bars("borrowed", [-one.borrowed for one in balances], INKS["borrower_busy"].bar()),
            bars("lent", [one.lent for one in balances], INKS["owner_busy"].bar()),
            _words(balances, names),
        ],
        "layout": {
            **FRAME,
            "margin": {"l": 8, "r": 16, "t": 4, "b": 44},
            "barmode": "relative",
            "bargap": 0.35,
            "hovermode": "y",
            "xaxis": axis(
                "← borrowed · GPU-hours · lent →", range=[-reach, reach], zeroline=True, zerolinecolor="var(--ink)",
                **_ticks(reach),
            ),
            "yaxis": axis(
                "",
                range=[len(balances) - 0.5, -0.5],
                tickvals=list(range(len(balances))),
                ticktext=list(names),
                tickfont={"color": "var(--ink)", "size": 13},
                automargin=True,
                showgrid=False,
            ),
        },
    }  # fmt: skip


def drawn(balances: Sequence[Balance]) -> list[Balance]:
    """The teams that lent or borrowed most, in their order."""
    moved = [one for one in balances if one.lent or one.borrowed]
    most = sorted(moved, key=lambda one: -(one.lent + one.borrowed))[:MOST]
    return [one for one in moved if one in most]


def _ticks(reach: float) -> dict[str, list[object]]:
    """Amounts to either side without a sign: a team borrows 200, not minus 200."""
    step = 10 ** max(0, len(str(int(reach))) - 1)
    for part in (5, 2, 1):
        if part * step <= reach:
            step *= part
            break
    values = [-step, 0, step]
    return {"tickvals": values, "ticktext": [notation.grouped(abs(value)) for value in values]}


def _words(balances: Sequence[Balance], names: Sequence[str]) -> dict[str, object]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "in words",
        "y": list(range(len(balances))),
        "x": [0] * len(balances),
        "text": [
            f"{name}: lent {notation.gpu_hours(one.lent)}, borrowed {notation.gpu_hours(one.borrowed)} GPU-hours"
            for one, name in zip(balances, names, strict=True)
        ],
        "marker": {"opacity": 0},
        "hoverinfo": "text",
    }
