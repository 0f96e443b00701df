"""Box plots that lie: a row for each case, all on one axis, places as shares of the width."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scheduler.domain.allocation.measured import Spread

BEYOND = 1.35
"""The axis ends so far behind the largest 90th percentile or mean: one far outlier must not press the rest together."""

TICKS = 5


@dataclass(frozen=True, slots=True)
class Box:
    """One case: a line from least to most (to the edge where ``cut``), a box from p10 to p90, the median and mean."""

    name: str
    count: int
    least: str
    most: str
    line: str
    low: str
    width: str
    median: str
    mean: str
    cut: bool
    told: str


@dataclass(frozen=True, slots=True)
class AxisTick:
    """One value of the axis."""

    x: str
    label: str
    minor: bool


@dataclass(frozen=True, slots=True)
class Boxes:
    """The rows and their axis."""

    rows: tuple[Box, ...]
    ticks: tuple[AxisTick, ...]


def boxes(spreads: Sequence[Spread], *, scale: float, names: Sequence[str], told: Sequence[str]) -> Boxes:
    """The boxes of some spreads, each with its name and told in a sentence; the axis has values × ``scale`` and 0."""
    least = min([0.0, *(one.p10 for one in spreads)])
    most = max([one.p90 for one in spreads] + [one.mean for one in spreads] + [0.0])
    top = _nice(BEYOND * (most - least) * scale / TICKS)
    first = -_times(-least * scale, top)
    count = max(1, _times(BEYOND * most * scale, top)) - first
    low, high = first * top / scale, (first + count) * top / scale

    def x(value: float) -> float:
        return 100 * min(1.0, max(0.0, (value - low) / (high - low)))

    rows = tuple(_box(one, name, x, high, words) for one, name, words in zip(spreads, names, told, strict=True))
    ticks = tuple(
        AxisTick(f"{100 * place / count:.3f}%", f"{(first + place) * top:g}", bool(place % 2))
        for place in range(count + 1)
    )
    return Boxes(rows, ticks)


def _box(one: Spread, name: str, x: Callable[[float], float], high: float, told: str) -> Box:
    return Box(
        name=name,
        count=one.count,
        least=f"{x(one.least):.3f}%",
        most=f"{x(one.most):.3f}%",
        line=f"{x(one.most) - x(one.least):.3f}%",
        low=f"{x(one.p10):.3f}%",
        width=f"{x(one.p90) - x(one.p10):.3f}%",
        median=f"{x(one.median):.3f}%",
        mean=f"{x(one.mean):.3f}%",
        cut=one.most > high,
        told=told,
    )


def _times(value: float, step: float) -> int:
    """How many steps reach a value that is not negative."""
    return -int(-value // step) if value > 0 else 0


def _nice(step: float) -> float:
    """The next of 1, 2 and 5 times a power of ten; 1 where there is nothing to divide."""
    if step <= 0:
        return 1.0
    power = 10.0 ** (len(str(int(step))) - 1) if step >= 1 else 1.0
    while power > step:
        power /= 10
    return next(times * power for times in (1, 2, 5, 10) if times * power >= step * 0.999)
