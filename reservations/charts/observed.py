"""Instances promised and in use as two stepped areas, 1000 wide and 80 high."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

WIDTH, HEIGHT, ROOM = 1000, 80, 2


@dataclass(frozen=True, slots=True)
class ObservedPaths:
    """The outlines of both areas as SVG path data."""

    total: str
    used: str


def observed_paths(seen: Sequence[tuple[datetime, int | None, int | None]]) -> ObservedPaths | None:
    """``seen`` are (instant, total, used) in time order, None unknown; None for fewer than two of them."""
    most = max((total for _, total, _ in seen if total is not None), default=0)
    if len(seen) < 2 or not most:
        return None
    start, length = seen[0][0], (seen[-1][0] - seen[0][0]).total_seconds()
    if not length:
        return None
    xs = [WIDTH * (at - start).total_seconds() / length for at, _, _ in seen]
    return ObservedPaths(
        total=_steps(xs, [total for _, total, _ in seen], most), used=_steps(xs, [used for _, _, used in seen], most)
    )


def _steps(xs: Sequence[float], values: Sequence[int | None], most: int) -> str:
    """A closed area that holds each value until the next instant; where a value is unknown there is none."""
    parts: list[str] = []
    place = 0
    while place < len(xs) - 1:
        if values[place] is None:
            place += 1
            continue
        begun = place
        tops: list[str] = []
        while place < len(xs) - 1 and (value := values[place]) is not None:
            y = HEIGHT - (HEIGHT - ROOM) * value / most
            if place == begun or values[place] != values[place - 1]:
                tops.append(f"H{xs[place]:.1f}V{y:.1f}")
            place += 1
        parts.append(f"M{xs[begun]:.1f} {HEIGHT}{''.join(tops)}H{xs[place]:.1f}V{HEIGHT}Z")
    return "".join(parts)
