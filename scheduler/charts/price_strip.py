"""What a GPU costs at each step, as bars over the axis of steps."""

from collections.abc import Sequence
from dataclasses import dataclass

from scheduler.charts.steps_axis import across

HEIGHT = 44
HEAD = 14
"""Pixels for the bars, and above them for their numbers."""

_LETTER = 6.5
_ROOMS = (("phone", 285), ("tablet", 830), ("desk", 1_180))


@dataclass(frozen=True, slots=True)
class PriceBar:
    """One step; ``room``: from which width of page on its number fits, blank for never, as for no price."""

    x: str
    middle: str
    width: str
    y: int
    height: int
    label: str
    told: str
    room: str


def price_strip(prices: Sequence[float], told: Sequence[str]) -> tuple[PriceBar, ...]:
    """One bar a step, the dearest as high as the strip; ``told``: a sentence for each."""
    most, steps = max(prices, default=0.0), len(prices)
    bars = []
    for step, price in enumerate(prices):
        label = f"{price:.1f}" if round(price, 1) else ""
        height = round(HEIGHT * price / most) if most > 0 else 0
        needed = _LETTER * len(label) + 2
        room = next((name for name, width in _ROOMS if label and width / steps >= needed), "")
        bars.append(
            PriceBar(
                across(step, steps), across(step + 0.5, steps), across(1, steps), HEAD + HEIGHT - height, height,
                label, told[step], room,
            )
        )  # fmt: skip
    return tuple(bars)
