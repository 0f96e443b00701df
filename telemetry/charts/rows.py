"""Bars that lie: one row for each part of a figure, its length in GPU-hours."""

from collections.abc import Mapping, Sequence

from reservations.domain.period import HOUR_MS


def bars(name: str, amounts: Sequence[int], marker: Mapping[str, object]) -> dict[str, object]:
    """One trace: a bar of GPU-milliseconds in each row, written in GPU-hours."""
    return {
        "type": "bar",
        "orientation": "h",
        "name": name,
        "y": list(range(len(amounts))),
        "x": [round(amount / HOUR_MS, 3) for amount in amounts],
        "marker": marker,
        "hoverinfo": "skip",
    }
