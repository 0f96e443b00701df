"""What each kind of hour looks like: one label, colour token and pattern, the same in every chart.

Colours are tokens of the stylesheet (``var(--…)``); the browser turns them into the colours of its theme.
"""

from dataclasses import dataclass

from telemetry.domain.labels import STEP_LABELS

CLEAR = "rgba(0,0,0,0)"


@dataclass(frozen=True, slots=True)
class Ink:
    """``shape`` is plotly's name of the pattern, blank for solid; an outlined or hatched kind is never filled."""

    label: str
    token: str
    shape: str = ""
    size: int = 6
    solidity: float = 0.3
    filled: bool = True

    @property
    def colour(self) -> str:
        """The colour as the stylesheet names it."""
        return f"var({self.token})"

    def bar(self) -> dict[str, object]:
        """Plotly's marker of a bar."""
        marker: dict[str, object] = {"color": self.colour if self.filled else CLEAR, "line": {"width": 0}}
        if self.shape:
            marker["pattern"] = self._pattern()
        if not self.filled:
            marker["line"] = {"width": 1 if self.shape else 2, "color": self.colour}
        return marker

    def area(self) -> dict[str, object]:
        """Plotly's fill of an area; an outline cannot follow hours, so there it is hatched."""
        fill: dict[str, object] = {"fillcolor": self.colour if self.filled else CLEAR}
        if self.shape or not self.filled:
            fill["fillpattern"] = self._pattern()
        return fill

    def _pattern(self) -> dict[str, object]:
        return {
            "shape": self.shape or "\\",
            "fgcolor": "var(--paper)" if self.filled else self.colour,
            "fgopacity": 0.55 if self.filled else 1,
            "bgcolor": self.colour if self.filled else CLEAR,
            "size": self.size,
            "solidity": self.solidity,
            "fillmode": "replace",
        }


RESERVED = Ink("reserved", "--ink", filled=False)

INKS: dict[str, Ink] = {
    "owner_busy": Ink(STEP_LABELS["owner_busy"], "--busy-owner"),
    "borrower_busy": Ink(STEP_LABELS["borrower_busy"], "--busy-borrower", "/", size=9, solidity=0.16),
    "unmanaged_busy": Ink(STEP_LABELS["unmanaged_busy"], "--busy-unmanaged", ".", size=6, solidity=0.2),
    "unattributed_busy": Ink(STEP_LABELS["unattributed_busy"], "--busy-unattributed", ".", size=10, solidity=0.12),
    "busy_unsplit": Ink(STEP_LABELS["busy_unsplit"], "--busy-unattributed", "x", size=8, solidity=0.15),
    "idle_held": Ink(STEP_LABELS["idle_held"], "--idle-held", "-", size=6, solidity=0.2),
    "idle_free": Ink(STEP_LABELS["idle_free"], "--idle-free"),
    "idle_unsplit": Ink(STEP_LABELS["idle_unsplit"], "--idle-free", "-", size=8, solidity=0.2),
    "unknown": Ink(STEP_LABELS["unknown"], "--no-telemetry", "/", size=6, solidity=0.2, filled=False),
    "not_joined": Ink(STEP_LABELS["not_joined"], "--not-joined", "x", size=7, solidity=0.2),
    "ec2_unused": Ink(STEP_LABELS["ec2_unused"], "--not-launched", size=8, solidity=0.12, filled=False),
    "not_observed": Ink(STEP_LABELS["not_observed"], "--muted", "\\", size=8, solidity=0.12, filled=False),
    "not_accounted": Ink(STEP_LABELS["not_accounted"], "--muted", ".", size=8, solidity=0.1, filled=False),
}
"""Every step of the waterfall in stacking order, bottom to top."""

FRAME: dict[str, object] = {
    "paper_bgcolor": CLEAR,
    "plot_bgcolor": CLEAR,
    "showlegend": False,
    "font": {"size": 12, "color": "var(--muted)"},
    "hoverlabel": {
        "bgcolor": "var(--paper)",
        "bordercolor": "var(--ink)",
        "font": {"color": "var(--ink)", "size": 13},
        "align": "left",
    },
    "dragmode": False,
}
"""What every figure's layout starts from."""


def axis(title: str, **more: object) -> dict[str, object]:
    """An axis with its title and unit; grid lines lighter than any data."""
    return {
        "title": {"text": title, "font": {"size": 12, "color": "var(--muted)"}, "standoff": 8},
        "gridcolor": "var(--grid)",
        "linecolor": "var(--hairline)",
        "tickcolor": "var(--hairline)",
        "zeroline": False,
        "fixedrange": True,
        **more,
    }


def nodes_axis(title: str, first: float, last: float, *, most_ticks: int = 12) -> dict[str, object]:
    """The axis of whole nodes from ``first`` to ``last``: a tick at each, or every 2, 5, 10, …; never between two."""
    steps = (digit * 10**power for power in range(12) for digit in (1, 2, 5))
    step = next(step for step in steps if (last - first) / step <= most_ticks)
    ticks = {"tickmode": "linear", "tick0": 0, "dtick": step, "tickformat": "d"}
    return axis(title, range=[first, last], showgrid=False, **ticks)


def line_over(height: float, dash: str = "dash") -> list[dict[str, object]]:
    """A dashed or dotted line across a figure at a height, on a light seam so that it shows over columns too."""
    ends = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": height, "y1": height}
    return [
        {**ends, "line": {"color": "var(--paper)", "width": 3}},
        {**ends, "line": {"color": "var(--ink)", "width": 1.5, "dash": dash}},
    ]


def per_cent_axis(title: str, top: float) -> dict[str, object]:
    """The upright axis of shares from nothing to all."""
    values = [0, 25, 50, 75, 100]
    return axis(title, range=[0, top], tickvals=values, ticktext=[f"{value}\u202f%" for value in values])
