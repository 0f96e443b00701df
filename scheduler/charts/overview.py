"""A grid too large for lanes: how much of each node is used over time, and each job as a bar of a Gantt chart."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from scheduler.charts.steps_axis import across
from scheduler.domain.allocation.clock import span_label
from scheduler.domain.allocation.grid import FREE, Grid
from scheduler.domain.allocation.instance import BatchJob, Instance

MOST_ROWS, MOST_COLUMNS = 64, 96
"""So many rows and columns share the GPUs and the steps."""

SHADES = (0.0, 0.25, 0.5, 0.75)
"""From which share on a cell is of the next shade; nothing used is the first."""

USE_ROW, JOB_ROW = 10, 18


@dataclass(frozen=True, slots=True)
class Patch:
    """Columns of one row that are of one shade, 0 (nothing used) to 4 (over three quarters)."""

    x: str
    width: str
    shade: int
    told: str


@dataclass(frozen=True, slots=True)
class UseRow:
    """A node, or some neighbouring GPUs."""

    y: int
    label: str
    patches: tuple[Patch, ...]


@dataclass(frozen=True, slots=True)
class Use:
    """The rows, and what one of them and one column stand for."""

    height: int
    row: int
    rows: tuple[UseRow, ...]
    by_node: bool
    gpus_a_row: int
    steps_a_column: int


@dataclass(frozen=True, slots=True)
class JobBar:
    """Steps over which a job holds the same number of GPUs; the height is its share of the most it holds."""

    x: str
    width: str
    y: int
    height: int


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job of the Gantt chart: bars, or a real-time job's outline, a step wide a unit; neither: it never runs."""

    at: int
    id: str
    kind: str
    told: str
    inherited: bool
    bars: tuple[JobBar, ...]
    outline: str


def use_rows(instance: Instance, grid: Grid) -> Use:
    """Shares of GPU-time that are held, by node (or by as many neighbours as it takes) and by some steps together."""
    by_node = 1 < len(instance.node_sizes) <= MOST_ROWS
    edges = _edges(instance, by_node)
    columns = -(-instance.steps // MOST_COLUMNS)
    starts = range(0, instance.steps, columns)
    held = np.add.reduceat(np.add.reduceat(grid != FREE, edges[:-1], axis=0), list(starts), axis=1)
    widths = np.diff([*starts, instance.steps])
    rows = []
    for place, (first, end) in enumerate(pairwise(edges)):
        shares = held[place] / ((end - first) * widths)
        label = f"{first}–{end - 1}" if end - first > 1 else str(first)
        rows.append(UseRow(place * USE_ROW, label, _patches(instance, label, shares, columns)))
    return Use(len(rows) * USE_ROW, USE_ROW, tuple(rows), by_node, edges[1] - edges[0], columns)


def job_rows(instance: Instance, grid: Grid, jobs: Sequence[int], told: Sequence[str]) -> tuple[JobRow, ...]:
    """The bars of these jobs; ``told``: a sentence for each of them."""
    rows = []
    for at, words in zip(jobs, told, strict=True):
        job = instance.jobs[at]
        counts = (grid == at).sum(axis=0)
        batch = isinstance(job, BatchJob)
        inherited = job.running is not None if isinstance(job, BatchJob) else bool(job.inherited)
        kind = job.type if isinstance(job, BatchJob) else "realtime"
        bars, outline = (_bars(counts, instance.steps), "") if batch else ((), _outline(counts))
        rows.append(JobRow(at, job.id, kind, words, inherited and batch, bars, outline))
    return tuple(rows)


def _edges(instance: Instance, by_node: bool) -> list[int]:
    if by_node:
        return [0, *(int(end) for end in np.cumsum(instance.node_sizes))]
    every = 1
    while instance.gpus > every * MOST_ROWS:
        every *= 2
    return [*range(0, instance.gpus, every), instance.gpus]


def _patches(instance: Instance, label: str, shares: np.ndarray, columns: int) -> tuple[Patch, ...]:  # type: ignore[type-arg]
    shades = [sum(share > least for least in SHADES) for share in shares]
    edges = [0, *(at for at in range(1, len(shades)) if shades[at] != shades[at - 1]), len(shades)]
    found = []
    for first, last in pairwise(edges):
        if shades[first]:
            start, end = first * columns, min(last * columns, instance.steps)
            mean = round(100 * float(shares[first:last].mean()))
            told = f"GPUs {label}, {span_label(start, end, instance.step_minutes)}: {mean} % held"
            width = across(end - start, instance.steps)
            found.append(Patch(across(start, instance.steps), width, shades[first], told))
    return tuple(found)


def _outline(counts: np.ndarray) -> str:  # type: ignore[type-arg]
    """A path along what is held at each step, closed along the foot of the row; blank where nothing is."""
    most, foot = int(counts.max(initial=0)), JOB_ROW - 2
    if not most:
        return ""
    tops = [f"{foot - (foot - 2) * int(count) / most:.4g}" for count in counts]
    return f"M0 {foot}" + "".join(f"V{top}h1" for top in tops) + f"V{foot}z"


def _bars(counts: np.ndarray, steps: int) -> tuple[JobBar, ...]:  # type: ignore[type-arg]
    most, room = int(counts.max()), JOB_ROW - 4
    edges = [0, *(int(at) + 1 for at in np.flatnonzero(np.diff(counts))), steps]
    found = []
    for start, end in pairwise(edges):
        if counts[start]:
            height = max(2, round(room * int(counts[start]) / most))
            found.append(JobBar(across(start, steps), across(end - start, steps), 2 + room - height, height))
    return tuple(found)
