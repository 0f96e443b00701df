"""Legal grids, each spoilt in one way: what breaks exactly one constraint, and which."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from scheduler.domain.allocation.grid import Grid, empty_grid
from scheduler.domain.allocation.instance import BatchJob, Instance, Mode
from scheduler.domain.allocation.scenario import instance_of
from tests.scheduler.domain.allocation.strategies import Scenario

Cell = tuple[int, int]
FREE = -1


@dataclass(frozen=True, slots=True)
class Corruption:
    """A legal grid and what it becomes by writing a few cells (GPU, step), which breaks ``kind`` and nothing else."""

    name: str
    kind: str
    instance: Instance
    grid: Grid
    cells: dict[Cell, int]

    @property
    def spoilt(self) -> Grid:
        grid = self.grid.copy()
        for (gpu, step), job in self.cells.items():
            grid[gpu, step] = job
        return grid


def waiting(**changes: Any) -> Scenario:
    """A job of 2 GPUs for two steps."""
    return {"type": "training", "priority": 1, "arrival": 0, "sizes": {"2": 2}} | changes


def running(first: int, gpus: int, remaining: int) -> Scenario:
    held = {"first_gpu": first, "gpus": gpus, "remaining": remaining}
    return {"type": "training", "priority": 1, "running": held}


def chat(demand: list[int], swap_cap: int, **changes: Any) -> Scenario:
    return {"type": "realtime", "priority": 1, "demand": demand, "swap_cap": swap_cap} | changes


def one_job(job: Scenario, rows: str, **fleet: Any) -> tuple[Instance, Grid]:
    """An instance of one job and its grid: a row for each GPU, an x where the job holds it."""
    lines = rows.split()
    scenario = {"gpus": len(lines), "steps": len(lines[0]), "jobs": [{"id": "a"} | job]}
    grid = empty_grid(len(lines), len(lines[0]))
    for gpu, line in enumerate(lines):
        for step, letter in enumerate(line):
            grid[gpu, step] = 0 if letter == "x" else FREE
    return instance_of(scenario | fleet), grid


PAIR = ".xx. .xx. .... ...."
BATCH: list[tuple[str, str, Scenario, str, dict[Cell, int], dict[str, Any]]] = [
    # name, kind, job, legal rows, cells written, fleet
    ("a cell of a running block is freed", "held", running(1, 2, 2), ".... xx.. xx.. ....", {(2, 1): FREE}, {}),
    ("a running block goes on too long", "held", running(0, 1, 2), "xx.. ....", {(0, 2): 0}, {}),
    ("a running block ends too soon", "held", running(0, 1, 2), "xx.. ....", {(0, 1): FREE}, {}),
    ("a running job is not placed at all", "held", running(1, 1, 1), ".... x...", {(1, 0): FREE}, {}),
    ("a running job is moved", "held", running(0, 1, 1), "x... ....", {(0, 0): FREE, (1, 0): 0}, {}),
    (
        "a run stops and goes on later",
        "break",
        waiting(sizes={"1": 2}),
        ".xx. ....",
        {(0, 2): FREE, (0, 3): 0},
        {},
    ),
    (
        "a block changes GPUs on the way",
        "same block",
        waiting(),
        PAIR,
        {(0, 2): FREE, (1, 2): FREE, (2, 2): 0, (3, 2): 0},
        {},
    ),
    ("a block loses a GPU on the way", "same block", waiting(), PAIR, {(1, 2): FREE}, {}),
    ("a block gains a GPU on the way", "same block", waiting(), PAIR, {(3, 2): 0}, {}),
    (
        "a block has a hole",
        "contiguous",
        waiting(),
        PAIR,
        {(1, 1): FREE, (1, 2): FREE, (2, 1): 0, (2, 2): 0},
        {},
    ),
    ("a block is not of its size", "size", waiting(), PAIR, {(1, 1): FREE, (1, 2): FREE}, {}),
    ("a block is of no size of its job", "size", waiting(sizes={"1": 1}), ".x.. ....", {(1, 1): 0}, {}),
    ("a run ends too soon", "duration", waiting(sizes={"1": 2}), ".xx. ....", {(0, 2): FREE}, {}),
    ("a run goes on too long", "duration", waiting(sizes={"1": 2}), ".xx. ....", {(0, 3): 0}, {}),
    ("a run stops before the horizon does", "duration", waiting(sizes={"1": 9}), ".xxx ....", {(0, 3): FREE}, {}),
    (
        "a moldable job runs for the steps of another size",
        "duration",
        waiting(sizes={"1": 3, "2": 2}),
        "xxx. ....",
        {(0, 2): FREE},
        {},
    ),
    (
        "an aligned block is shifted by one",
        "aligned",
        waiting(sizes={"2": 1}),
        ".x.. .x.. .... ....",
        {(0, 1): FREE, (2, 1): 0},
        {},
    ),
    (
        "a block is aligned in the fleet and not in its node",
        "aligned",
        waiting(sizes={"2": 1}),
        ".... .x.. .x.. .... ....",
        {(1, 1): FREE, (3, 1): 0},
        {"nodes": [1, 4]},
    ),
    (
        "a block cuts across two nodes",
        "nodes",
        waiting(sizes={"2": 1}),
        ".x.. .x.. .... ....",
        {(0, 1): FREE, (2, 1): 0},
        {"nodes": [2, 2], "blocks": "contiguous"},
    ),
    (
        "a block of two nodes starts in the midst of one",
        "nodes",
        waiting(sizes={"4": 1}),
        ".x.. .x.. .x.. .x.. .... ....",
        {(0, 1): FREE, (4, 1): 0},
        {"nodes": [2, 2, 2]},
    ),
    (
        "a block of two nodes lies on unequal ones",
        "nodes",
        waiting(sizes={"2": 1}),
        ".x.. .x.. .... ....",
        {(0, 1): FREE, (2, 1): 0},
        {"nodes": [1, 1, 2]},
    ),
    (
        "a job starts before it arrives",
        "arrival",
        waiting(sizes={"1": 1}, arrival=2),
        "..x.",
        {(0, 2): FREE, (0, 1): 0},
        {},
    ),
    (
        "a job ends after its latest end",
        "latest end",
        waiting(sizes={"1": 1}, latest_end=3),
        "..x.",
        {(0, 2): FREE, (0, 3): 0},
        {},
    ),
    (
        "a job would end after its latest end beyond the horizon",
        "latest end",
        waiting(sizes={"1": 3}, latest_end=5),
        "..xx",
        {(0, 2): FREE},
        {},
    ),
]
REALTIME: list[tuple[str, str, Scenario, str, dict[Cell, int], dict[str, Any]]] = [
    ("more is held than was ever asked for", "most", chat([1, 1], 9), "xx ..", {(1, 1): 0}, {}),
    (
        "more is held than inherited",
        "most",
        chat([0, 0], 9, running={"gpus": [0]}),
        "xx ..",
        {(1, 1): 0},
        {},
    ),
    ("less is held than the floor", "floor", chat([2, 2], 9, floor=[1, 2]), "xx xx", {(1, 1): FREE}, {}),
    ("nothing is held under a floor", "floor", chat([1, 1], 9, floor=[0, 1]), ".x ..", {(0, 1): FREE}, {}),
    ("a GPU more is added than the cap", "swaps", chat([3, 3], 1), "xx .x ..", {(2, 1): 0}, {}),
    ("a GPU more is dropped than the cap", "swaps", chat([3, 3], 1), "xx xx x.", {(1, 1): FREE}, {}),
    ("a GPU is changed for another", "swaps", chat([1, 1], 1), "xx ..", {(0, 1): FREE, (1, 1): 0}, {}),
    ("a GPU comes and goes under a cap of 0", "swaps", chat([1, 1, 1], 0), "... ...", {(0, 1): 0}, {}),
    (
        "a GPU more is added at once than was inherited",
        "first swaps",
        chat([3, 3], 1, running={"gpus": [0]}),
        "xx xx ..",
        {(2, 0): 0, (2, 1): 0},
        {},
    ),
    (
        "an inherited GPU is changed for another at once",
        "first swaps",
        chat([1, 1], 1, running={"gpus": [0]}),
        "xx ..",
        {(0, 0): FREE, (1, 0): 0, (0, 1): FREE, (1, 1): 0},
        {},
    ),
    (
        "inherited GPUs are all dropped at once",
        "first swaps",
        chat([2, 2], 1, running={"gpus": [0, 1]}),
        "x. ..",
        {(0, 0): FREE},
        {},
    ),
    (
        "an empty inheritance binds as well",
        "first swaps",
        chat([2, 2], 1, running={"gpus": []}),
        "xx .x",
        {(1, 0): 0},
        {},
    ),
]


def corruptions() -> Iterator[Corruption]:
    """The catalogue."""
    for name, kind, job, rows, cells, fleet in [*BATCH, *REALTIME]:
        yield Corruption(name, kind, *one_job(job, rows, **fleet), cells)
    yield _three_gpus()


def _three_gpus() -> Corruption:
    """A size that is no power of two, as no scenario could ask for."""
    instance, grid = one_job(waiting(sizes={"2": 1}), "x. x. .. ..")
    job = instance.jobs[0]
    assert isinstance(job, BatchJob)
    odd = replace(job, modes=(*job.modes, Mode(3, 1)))
    name = "a block of three, though its job says so"
    return Corruption(name, "power of two", replace(instance, jobs=(odd,)), grid, {(2, 0): 0})
