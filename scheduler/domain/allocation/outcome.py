"""A result in its file form: a grid with its figures, and read back."""

from collections.abc import Mapping

import numpy as np

from scheduler.domain.allocation.figures import Figures, Run, figures_of, realtime_counts, runs_of
from scheduler.domain.allocation.grid import FREE, Grid, empty_grid
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.scenario_fields import shown

PROVED_GAP_SHARE = 1e-6
ROUNDING = 1e-6


class IllegalResult(ValueError):
    """A result whose grid cannot be read for its scenario; the message is one sentence."""


def gap_share_of(objective: float, bound: float | None) -> float | None:
    """(bound − objective) ÷ |bound|; None without a bound and where it is 0.

    A bound may lie below the objective by what rounding takes from it, and then nothing is missing. Raises ValueError
    where it lies lower, since then it bounds nothing.
    """
    if bound is None:
        return None
    if objective - bound > ROUNDING * max(1.0, abs(bound)):
        raise ValueError(f"a bound of {bound!r} is below the {objective!r} that a grid reaches")
    return max(0.0, (bound - objective) / abs(bound)) if bound else None


def is_proved(objective: float, bound: float | None) -> bool:
    """Whether ``bound`` leaves nothing to be found, to a share of 1e-6 of it."""
    return bound is not None and bound - objective <= PROVED_GAP_SHARE * abs(bound)


def outcome_of(
    instance: Instance,
    grid: Grid,
    *,
    mode: str,
    bound: float | None = None,
    latency_ms: float | None = None,
    reasons: Mapping[str, str] | None = None,
) -> dict[str, object]:
    """The result of a legal ``grid``, ready for JSON.

    ``bound`` is one on the objective, None where none was asked for; ``reasons`` why a job does not start sooner, by
    its id.
    """
    figures = figures_of(instance, grid)
    return {
        "mode": mode,
        "grid": _named(instance, grid),
        **_figures(figures),
        "bound": bound,
        "gap_share": gap_share_of(figures.objective, bound),
        "proved": is_proved(figures.objective, bound),
        "latency_ms": latency_ms,
        "jobs": _jobs(instance, grid, reasons or {}),
    }


def _figures(figures: Figures) -> dict[str, object]:
    names = (
        *("objective", "value", "output", "utilization", "occupied_share", "completed", "continuing", "unplaced"),
        *("realtime_served", "unmet_gpu_steps", "weighted_shortfall", "swaps_used"),
    )
    return {name: getattr(figures, name) for name in names}


def _named(instance: Instance, grid: Grid) -> list[list[str | None]]:
    names = [*(job.id for job in instance.jobs), None]
    return [[names[at] for at in row] for row in grid.tolist()]


def _jobs(instance: Instance, grid: Grid, reasons: Mapping[str, str]) -> list[dict[str, object]]:
    """A row for each job; a real-time job has no one block, so only its first step and the most it holds at once."""
    runs = runs_of(instance, grid)
    places = {at: _block(run) for at, run in runs.items()}
    for (at, _), counts in zip(instance.realtime, realtime_counts(instance, grid), strict=True):
        if counts.any():
            places[at] = {"start": int(np.flatnonzero(counts)[0]), "first_gpu": None, "gpus": int(counts.max())}
    nowhere = {"start": None, "first_gpu": None, "gpus": None}
    return [
        {"id": job.id, "placed": at in places, **places.get(at, nowhere), "reason": reasons.get(job.id)}
        for at, job in enumerate(instance.jobs)
    ]


def _block(run: Run) -> dict[str, int | None]:
    return {"start": run.start, "first_gpu": run.first_gpu, "gpus": run.mode.gpus}


def grid_of(instance: Instance, result: object) -> Grid:
    """The grid of a ``result``, whatever it may hold; whether it is legal is for ``violations`` to say.

    Raises IllegalResult where it has no grid of this many GPUs and steps, or names a job that the scenario has not.
    """
    rows = result.get("grid") if isinstance(result, Mapping) else None
    if not isinstance(rows, list | tuple):
        raise IllegalResult(f'The result: "grid" is {shown(rows)}, where a list with a row for each GPU is due.')
    if len(rows) != instance.gpus:
        raise IllegalResult(f'The result: "grid" has {len(rows):,} rows, and there are {instance.gpus:,} GPUs.')
    indices: dict[object, int] = {job.id: at for at, job in enumerate(instance.jobs)} | {None: FREE}
    grid = empty_grid(instance.gpus, instance.steps)
    for gpu, row in enumerate(rows):
        grid[gpu] = _row(gpu, row, indices, instance.steps)
    return grid


def _row(gpu: int, row: object, indices: Mapping[object, int], steps: int) -> list[int]:
    if not isinstance(row, list | tuple) or len(row) != steps:
        given = f"has {len(row):,} cells" if isinstance(row, list | tuple) else f"is {shown(row)}"
        raise IllegalResult(f'The result: "grid" of GPU {gpu:,} {given}, and there are {steps:,} steps.')
    for step, name in enumerate(row):
        if not isinstance(name, str | None) or name not in indices:
            raise IllegalResult(
                f'The result: "grid" of GPU {gpu:,} at step {step:,} is {shown(name)}, '
                f"which is neither a job of the scenario nor null."
            )
    return [indices[name] for name in row]
