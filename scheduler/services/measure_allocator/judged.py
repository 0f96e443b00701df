"""Grids by name: every one goes through the verifier before anything is measured on it."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from scheduler.domain.allocation.baselines import easy_backfill_grid, priority_calendar_grid, strict_fifo_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import Figures, figures_of
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import Instance
from scheduler.services.allocation.answering import verified

BASELINES: Mapping[str, Callable[[Instance], Grid]] = MappingProxyType(
    {
        "FIFO": fifo_grid,
        "strict FIFO": strict_fifo_grid,
        "priority calendar": priority_calendar_grid,
        "EASY backfill": easy_backfill_grid,
    }
)
"""What fast is held against."""


def judged(instance: Instance, grid: Grid, *, by: str) -> Figures:
    """The figures of a legal grid.

    Raises:
        IllegalGrid: the verifier found something; never to be measured around.
    """
    verified(instance, grid, by)
    return figures_of(instance, grid)


def gap_share(bound: float, value: float) -> float:
    """(bound − value) ÷ |bound|; 0 where both are 0, and never below 0 by rounding alone."""
    if bound == 0:
        return 0.0 if value == 0 else float("inf")
    gap = (bound - value) / abs(bound)
    return 0.0 if -1e-9 < gap < 0 else gap


def gained_share(value: float, other: float) -> float | None:
    """(value − other) ÷ other, None where the other is not positive and a percentage would say nothing."""
    return (value - other) / other if other > 0 else None
