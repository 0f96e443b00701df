"""One question to the allocator: GPUs, steps and jobs, already checked (``scenario`` reads and checks them)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

BATCH_TYPES = ("training", "batch_inference", "quantization")
REALTIME = "realtime"
WEIGHTED, GUARANTEED = "weighted", "guaranteed"
ALIGNED, CONTIGUOUS = "aligned", "contiguous"


@dataclass(frozen=True, slots=True)
class Objective:
    """What a grid is worth: the decay's half-life in steps (None: no decay), λ, and how real-time demand is weighed."""

    half_life_steps: float | None
    realtime_penalty: float = 8.0
    realtime: str = WEIGHTED


@dataclass(frozen=True, slots=True)
class Mode:
    """One size of a batch-like job: a block of ``gpus``, a power of two, held for ``steps``.

    ``paid_share`` = P ÷ (gpus × steps), P the smallest gpus × steps among the job's sizes: what each of its cells
    counts of the priority, so that a bigger block earns nothing by being bigger.
    """

    gpus: int
    steps: int
    paid_share: float = 1.0


@dataclass(frozen=True, slots=True)
class Held:
    """The block that a batch-like job runs in just before the first step, and the steps it still needs."""

    first_gpu: int
    gpus: int
    remaining: int


@dataclass(frozen=True, slots=True)
class BatchJob:
    """A job that holds one block from its start to its end.

    ``modes`` by size, smallest first; of a running job exactly one, with the remaining steps. ``arrival`` is the first
    step it may start, ``latest_end`` the step by which it must have ended, if started (may lie beyond the horizon).
    """

    id: str
    type: str
    priority: float
    arrival: int
    modes: tuple[Mode, ...]
    latest_end: int | None = None
    running: Held | None = None


@dataclass(frozen=True, slots=True)
class RealtimeJob:
    """A job that grows and shrinks with ``demand`` (GPUs, one a step), by at most ``swap_cap`` GPUs between two steps.

    ``floor``: GPUs it never goes below, one a step. ``inherited``: the GPUs held just before the first step, which
    bind that step too; None when its first placement is free.
    """

    id: str
    priority: float
    demand: tuple[int, ...]
    swap_cap: int
    floor: tuple[int, ...]
    inherited: frozenset[int] | None = None

    @property
    def most(self) -> int:
        """GPUs it may hold at once: the largest of demand, floor and what it inherits (bounded by the fleet)."""
        return max(*self.demand, *self.floor, len(self.inherited or ()), 0)


Job = BatchJob | RealtimeJob


@dataclass(frozen=True)
class Instance:
    """GPUs 0 … ``gpus`` − 1, steps 0 … ``steps`` − 1 of ``step_minutes``, and ``jobs`` in the order of the file.

    ``nodes``: sizes of the nodes in order, adding up to ``gpus``; without nodes given, one node of all GPUs.
    """

    gpus: int
    steps: int
    jobs: tuple[Job, ...]
    objective: Objective
    step_minutes: float = 60.0
    blocks: str = ALIGNED
    nodes: tuple[int, ...] = ()

    @cached_property
    def node_sizes(self) -> tuple[int, ...]:
        """Sizes of the nodes, one of all GPUs where none are given."""
        return self.nodes or (self.gpus,)

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """w(t) = 2^(−t ÷ half-life), one a step; all 1 without decay."""
        half_life = self.objective.half_life_steps
        if half_life is None:
            return (1.0,) * self.steps
        return tuple(2.0 ** (-step / half_life) for step in range(self.steps))

    @cached_property
    def batch(self) -> tuple[tuple[int, BatchJob], ...]:
        """The batch-like jobs, each with its index in ``jobs``."""
        return tuple((at, job) for at, job in enumerate(self.jobs) if isinstance(job, BatchJob))

    @cached_property
    def realtime(self) -> tuple[tuple[int, RealtimeJob], ...]:
        """The real-time jobs, each with its index in ``jobs``."""
        return tuple((at, job) for at, job in enumerate(self.jobs) if isinstance(job, RealtimeJob))

    @cached_property
    def by_arrival(self) -> tuple[int, ...]:
        """Indices of the batch-like jobs in arrival order; of equal arrivals the one named first comes first."""
        return tuple(at for at, _ in sorted(self.batch, key=lambda pair: (pair[1].arrival, pair[0])))

    def block_starts(self, size: int) -> Iterator[int]:
        """First GPUs a new block of ``size`` may have, ascending.

        Up to a node's size it lies inside one node, and when aligned starts at a multiple of its size in it; a larger
        one lies on whole adjacent nodes of one size.
        """
        first = 0
        for at, node in enumerate(self.node_sizes):
            if size <= node:
                step = size if self.blocks == ALIGNED else 1
                yield from range(first, first + node - size + 1, step)
            elif size % node == 0 and self._equal_nodes[at] >= size // node:
                yield first
            first += node

    @cached_property
    def _equal_nodes(self) -> tuple[int, ...]:
        """From each node on, how many of its own size stand in a row."""
        return tuple(left for _, run in groupby(self.node_sizes) for left in range(len(list(run)), 0, -1))
