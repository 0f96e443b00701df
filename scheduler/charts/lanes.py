"""A grid as swim lanes, GPUs down and steps across: shapes with their places, for a drawing as wide as its page.

Across, places are shares of the width; down, they are pixels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from scheduler.charts.steps_axis import across
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import BatchJob, Instance, RealtimeJob

DRAWN_GPUS, DRAWN_CELLS = 64, 6_144
"""So many GPUs and cells have lanes of their own; what is larger is drawn together."""

HEIGHTS = ((8, 26), (16, 18), (32, 12), (64, 9))
"""Height of a lane in pixels by the most GPUs it is for."""

LABEL_HEIGHT = 11
BAND = 22
"""Pixels of the band of unmet demand."""

_NARROW, _MIDDLE, _WIDE = 285, 830, 1_180
"""Pixels that a drawing is wide on a phone, a tablet and a desk."""

_LETTER = 7


@dataclass(frozen=True, slots=True)
class Piece:
    """One shape of a job; ``look``: held, spare or inherited; ``label`` blank: it has no room for one.

    ``room``: from which width of page on the label fits (phone, tablet, desk).
    """

    x: str
    width: str
    y: int
    height: int
    look: str
    label: str = ""
    room: str = ""
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class DrawnJob:
    """A job's shapes; ``kind`` its type, ``told`` what it is and where it stands, in one sentence."""

    at: int
    id: str
    kind: str
    told: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Unmet:
    """Unmet demand of one step: a bar downwards."""

    x: str
    width: str
    height: int
    count: int
    told: str


@dataclass(frozen=True, slots=True)
class Lanes:
    """A drawn grid."""

    height: int
    row: int
    jobs: tuple[DrawnJob, ...]
    rows: tuple[tuple[int, str], ...]
    lines: tuple[tuple[int, bool], ...]
    unmet: tuple[Unmet, ...]


def has_lanes(instance: Instance) -> bool:
    """Whether every GPU of this instance gets a lane."""
    return instance.gpus <= DRAWN_GPUS and instance.gpus * instance.steps <= DRAWN_CELLS


def lanes(instance: Instance, grid: Grid, told: Sequence[str], unmet_told: Sequence[str]) -> Lanes:
    """The shapes of every job on a grid, and what it leaves unmet.

    ``told``: a sentence for each job; ``unmet_told``: one for each step.
    """
    row = next(height for most, height in HEIGHTS if instance.gpus <= most)
    drawn = []
    for at, job in enumerate(instance.jobs):
        shapes = _block(grid, at, job) if isinstance(job, BatchJob) else _layers(instance, grid, at, job)
        if pieces := tuple(_labelled(instance, job.id, list(shapes), row)):
            drawn.append(DrawnJob(at, job.id, job.type if isinstance(job, BatchJob) else "realtime", told[at], pieces))
    by_start = sorted(drawn, key=lambda one: (float(one.pieces[0].x.rstrip("%")), one.pieces[0].y))
    return Lanes(
        instance.gpus * row, row, tuple(by_start), _rows(instance.gpus, row), _lines(instance, row),
        _unmet(instance, grid, unmet_told),
    )  # fmt: skip


@dataclass(slots=True)
class _Shape:
    """Cells of one look: GPUs ``first`` … ``last`` and steps ``start`` … ``end``, the ends not within."""

    first: int
    last: int
    start: int
    end: int
    look: str
    goes_on: bool = False

    @property
    def cells(self) -> int:
        return (self.last - self.first) * (self.end - self.start)


def _block(grid: Grid, at: int, job: BatchJob) -> Iterator[_Shape]:
    gpus, steps = np.nonzero(grid == at)
    if not len(gpus):
        return
    start, end, first, last = int(steps.min()), int(steps.max()) + 1, int(gpus.min()), int(gpus.max()) + 1
    lasts = job.running.remaining if job.running else max(mode.steps for mode in job.modes if mode.gpus == last - first)
    yield _Shape(first, last, start, end, "inherited" if job.running else "held", goes_on=start + lasts > end)


def _layers(instance: Instance, grid: Grid, at: int, job: RealtimeJob) -> Iterator[_Shape]:
    """Runs of a real-time job on each GPU, alike ones on neighbours in one; what it holds beyond its demand is spare.

    Wanted are the GPUs that it holds longest, then the upper ones: that is how layers are laid.
    """
    held = grid == at
    order = sorted(range(instance.gpus), key=lambda gpu: (-int(held[gpu].sum()), -gpu))
    rank = np.cumsum(held[order], axis=0)
    looks = np.zeros(grid.shape, dtype=np.int8)
    looks[order] = np.where(held[order], np.where(rank <= np.asarray(job.demand), 1, 2), 0)
    for gpu in job.inherited or ():
        kept = int(np.argmin(np.append(held[gpu], False)))
        looks[gpu, :kept] = np.where(looks[gpu, :kept] == 1, 3, looks[gpu, :kept])
    yield from _merged(looks)


_LOOKS = {1: "held", 2: "spare", 3: "inherited"}


def _merged(looks: np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> list[_Shape]:
    found: list[_Shape] = []
    below: dict[tuple[int, int, str], _Shape] = {}
    for gpu, line in enumerate(looks):
        edges = [0, *(int(at) + 1 for at in np.flatnonzero(np.diff(line))), len(line)]
        for start, end in pairwise(edges):
            if not line[start]:
                continue
            look = _LOOKS[int(line[start])]
            above = below.pop((start, end, look), None)
            if above is not None and above.last == gpu:
                above.last = gpu + 1
            else:
                found.append(above := _Shape(gpu, gpu + 1, start, end, look))
            below[start, end, look] = above
    return found


def _labelled(instance: Instance, label: str, shapes: list[_Shape], row: int) -> Iterator[Piece]:
    """The shapes as pieces; the largest that has the height for it bears the label."""
    tall = [shape for shape in shapes if (shape.last - shape.first) * row >= LABEL_HEIGHT]
    bearer = max(tall, key=lambda shape: shape.cells, default=None)
    for shape in shapes:
        share = (shape.end - shape.start) / instance.steps
        room = _room(label, share) if shape is bearer else ""
        yield Piece(
            across(shape.start, instance.steps), across(shape.end - shape.start, instance.steps),
            shape.first * row, (shape.last - shape.first) * row, shape.look,
            label if room else "", room, shape.goes_on,
        )  # fmt: skip


def _room(label: str, share: float) -> str:
    needed = _LETTER * len(label) + 8
    rooms = (("phone", _NARROW), ("tablet", _MIDDLE), ("desk", _WIDE))
    return next((name for name, width in rooms if share * width >= needed), "")


def _rows(gpus: int, row: int) -> tuple[tuple[int, str], ...]:
    """Names of lanes, as many as have room."""
    every = next(step for step in (1, 2, 4, 8, 16) if step * row >= 16)
    return tuple((gpu * row + row // 2 + 4, str(gpu)) for gpu in range(0, gpus, every))


def _lines(instance: Instance, row: int) -> tuple[tuple[int, bool], ...]:
    """Lines between lanes, as (height, whether a node ends there)."""
    ends, at = set(), 0
    for size in instance.node_sizes:
        at += size
        ends.add(at)
    every = 1 if row >= 12 else 4
    return tuple((gpu * row, gpu in ends) for gpu in range(1, instance.gpus) if gpu % every == 0 or gpu in ends)


def _unmet(instance: Instance, grid: Grid, told: Sequence[str]) -> tuple[Unmet, ...]:
    short = unmet_by_step(instance, grid)
    most = max(short, default=0)
    return tuple(
        Unmet(across(step, instance.steps), across(1, instance.steps), max(4, round(BAND * count / most)), count,
              told[step])
        for step, count in enumerate(short) if count
    )  # fmt: skip


def unmet_by_step(instance: Instance, grid: Grid) -> list[int]:
    """GPUs that real-time jobs want at each step and do not have."""
    short = np.zeros(instance.steps, dtype=np.int64)
    for at, job in instance.realtime:
        short += np.maximum(np.asarray(job.demand) - (grid == at).sum(axis=0), 0)
    return [int(count) for count in short]
