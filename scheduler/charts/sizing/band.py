"""The band: how many of the draws came to each size."""

from typing import Any

from scheduler.domain.sizing.weeks import NodesBand
from telemetry.charts.palette import FRAME, axis, nodes_axis


def figure(band: NodesBand, draws: int) -> dict[str, Any]:
    """A column for each size that came out; those within the band are filled, those in its tails are pale."""
    sizes = [nodes for nodes, _ in band.counts]
    inside = [band.low <= nodes <= band.high for nodes in sizes]
    return {
        "data": [
            {
                "type": "bar",
                "name": "draws",
                "x": sizes,
                "y": [count for _, count in band.counts],
                "marker": {"color": ["var(--busy-owner)" if within else "var(--busy-owner-tint)" for within in inside]},
                "text": [f"{count} of {draws} draws come to {nodes} nodes" for nodes, count in band.counts],
                "textposition": "none",
                "hoverinfo": "text",
            }
        ],
        "layout": {
            **FRAME,
            "margin": {"l": 60, "r": 12, "t": 12, "b": 44},
            "xaxis": nodes_axis("nodes", min(sizes) - 1.5, max(sizes) + 1.5, most_ticks=10),
            "yaxis": axis("draws", rangemode="tozero"),
        },
    }
