"""The axis of steps under lanes and prices: where a step stands, and which ones are named."""

from dataclasses import dataclass

from scheduler.domain.allocation.clock import step_label

NICE = (1, 2, 3, 4, 6, 8, 12, 24, 48, 96, 168, 336, 720, 1_440)
MOST = 13
"""So many steps are named at most; a phone names every second of them."""


@dataclass(frozen=True, slots=True)
class Tick:
    """One named step; ``minor``: left out where there is little room."""

    x: str
    label: str
    minor: bool


def across(steps: float, of: int) -> str:
    """So many steps as a share of the width."""
    return f"{100 * steps / of:.4f}%"


def ticks(steps: int, step_minutes: float) -> tuple[Tick, ...]:
    """The starts of the steps that are named."""
    every = next((step for step in NICE if steps / step < MOST), -(-steps // (MOST - 1)))
    return tuple(
        Tick(across(step, steps), step_label(step, step_minutes), bool(place % 2))
        for place, step in enumerate(range(0, steps, every))
    )
