"""Packing a schedule onto GPUs: a search through the steps that remembers the states from which nothing follows.

The state before a step is one label per GPU: ``FREE``, the step at which the block on it ends, or whose real-time GPU
it is. States that differ only in the order of equal halves of aligned blocks are the same one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from scheduler.domain.allocation.full.columns import Column
from scheduler.domain.allocation.instance import ALIGNED, Instance

FREE = 0
Labels = tuple[int, ...]
MOST_WAYS = 1000
"""Ways to choose some GPUs for one real-time job that are tried; where there are more the search is partial."""


class OutOfEffort(Exception):
    """The search was given up before it was through."""


@dataclass(frozen=True, slots=True)
class Packing:
    """Where each column lies, by job, and whose real-time GPU each is, −1 − r, at each step from ``begin``."""

    first: dict[int, int]
    labels: list[Labels]


@dataclass
class Sweep:
    """One packing problem over the steps ``begin`` to ``end``: columns, and GPUs each real-time job needs at each step.

    ``needs`` is empty to pack the blocks alone. What went on before ``begin`` binds nobody, unless that is 0. After
    ``packed``, ``deepest`` is the last step reached, and ``is_partial`` says that ways were left out, so that finding
    none proves nothing.
    """

    instance: Instance
    columns: Sequence[Column]
    needs: Sequence[Sequence[int]]
    effort: int
    left: Callable[[], float]
    begin: int = 0
    end: int = -1
    is_partial: bool = False
    deepest: int = 0
    _failed: set[tuple[int, Labels]] = field(default_factory=set)
    _first: dict[int, int] = field(default_factory=dict)
    _labels: list[Labels] = field(default_factory=list)

    def packed(self) -> Packing | None:
        """A packing, or None if the search went through all there is; raises ``OutOfEffort``."""
        self.end = self.instance.steps if self.end < 0 else self.end
        self._starting: list[list[Column]] = [[] for _ in range(self.instance.steps)]
        for column in self.columns:
            if column.end > self.begin and column.start < self.end:
                self._starting[max(column.start, self.begin)].append(column)
        for here in self._starting:
            here.sort(key=lambda column: (-column.gpus, -column.end))
        sizes = {column.gpus for column in self.columns}
        self._places = {size: tuple(self.instance.block_starts(size)) for size in sizes}
        jobs = [job for _, job in self.instance.realtime][: len(self.needs)]
        self._low = [_needed_ahead(needs, job.swap_cap) for needs, job in zip(self.needs, jobs, strict=True)]
        self._is_symmetric = self.instance.blocks == ALIGNED and len(self.instance.node_sizes) == 1
        return Packing(self._first, self._labels) if self._from(self.begin, self._at_first()) else None

    def _at_first(self) -> Labels:
        labels = [FREE] * self.instance.gpus
        for _, job in self.instance.batch:
            if job.running is not None:
                first, gpus = job.running.first_gpu, job.running.gpus
                labels[first : first + gpus] = [job.running.remaining] * gpus
        if self.begin == 0:
            for r in range(len(self.needs)):
                for gpu in self.instance.realtime[r][1].inherited or ():
                    labels[gpu] = -1 - r
        return tuple(labels)

    def _from(self, step: int, before: Labels) -> bool:
        self.deepest = max(self.deepest, step)
        if step == self.end:
            return True
        labels = tuple(FREE if FREE < label <= step else label for label in before)
        key = (step, self._canonical(labels))
        if key in self._failed:
            return False
        self.effort -= 1
        if self.effort < 0 or self.left() <= 0:
            raise OutOfEffort
        for placed in self._with_blocks(labels, self._starting[step], 0):
            for now in self._with_realtime(step, labels, placed):
                self._labels.append(now)
                if self._from(step + 1, now):
                    return True
                self._labels.pop()
        self._failed.add(key)
        return False

    def _with_blocks(self, labels: Labels, starting: list[Column], at: int) -> Iterator[Labels]:
        """Every way, up to symmetry, to place the columns that start now; those that disturb nobody come first."""
        if at == len(starting):
            yield labels
            return
        column = starting[at]
        ways: dict[Labels, tuple[int, int, int]] = {}
        for first in self._places[column.gpus]:
            block = labels[first : first + column.gpus]
            if max(block) <= FREE:
                same = self._canonical(_filled(labels, first, column))
                crowd = sum(abs(label) for label in _twice_the_block(labels, first, column.gpus))
                ways.setdefault(same, (sum(label < FREE for label in block), -crowd, first))
        for _, _, first in sorted(ways.values()):
            self._first[column.job] = first
            yield from self._with_blocks(_filled(labels, first, column), starting, at + 1)

    def _with_realtime(self, step: int, before: Labels, labels: Labels) -> Iterator[Labels]:
        """Every way, up to symmetry, to bring the real-time jobs to what they need, the fewest changes first."""
        changes = []
        for r in range(len(self.needs)):
            job = self.instance.realtime[r][1]
            is_free = step == self.begin and (step > 0 or job.inherited is None)
            evicted = before.count(-1 - r) - labels.count(-1 - r)
            changes.append(len(labels) if is_free else job.swap_cap - evicted)
        if min(changes, default=0) >= 0:
            yield from self._with_less(step, labels, 0, changes)

    def _with_less(self, step: int, labels: Labels, r: int, changes: list[int]) -> Iterator[Labels]:
        """All give GPUs back before any takes one, so that one may take what another gave back."""
        if r == len(changes):
            yield from self._with_more(step, labels, 0, changes)
            return
        mine = [gpu for gpu, label in enumerate(labels) if label == -1 - r]
        mine.sort(key=lambda gpu: _taken_around(labels, gpu))
        spare = (len(mine) + changes[r] - self._low[r][step]) // 2  # whoever gives one back may have to take another
        for count in range(min(len(mine), changes[r], max(0, spare)) + 1):
            left = [*changes[:r], changes[r] - count, *changes[r + 1 :]]
            for now in self._ways(labels, mine, count, FREE):
                yield from self._with_less(step, now, r + 1, left)

    def _with_more(self, step: int, labels: Labels, r: int, changes: list[int]) -> Iterator[Labels]:
        if r == len(changes):
            yield labels
            return
        held = labels.count(-1 - r)
        free = [gpu for gpu, label in enumerate(labels) if label == FREE]
        free.sort(key=lambda gpu: -_taken_around(labels, gpu))
        most = min(self.instance.realtime[r][1].most - held, changes[r], len(free))
        for count in range(max(0, self._low[r][step] - held), most + 1):
            for now in self._ways(labels, free, count, -1 - r):
                yield from self._with_more(step, now, r + 1, changes)

    def _ways(self, labels: Labels, among: list[int], count: int, label: int) -> Iterator[Labels]:
        """Every way, up to symmetry, to put ``label`` on so many GPUs."""
        seen: set[Labels] = set()
        for tried, chosen in enumerate(combinations(among, count)):
            if tried >= MOST_WAYS:
                self.is_partial = True
                return
            now = list(labels)
            for gpu in chosen:
                now[gpu] = label
            same = self._canonical(tuple(now))
            if same not in seen:
                seen.add(same)
                yield tuple(now)

    def _canonical(self, labels: Labels) -> Labels:
        return _canonical(labels) if self._is_symmetric else labels


def _filled(labels: Labels, first: int, column: Column) -> Labels:
    return labels[:first] + (column.end,) * column.gpus + labels[first + column.gpus :]


def _twice_the_block(labels: Labels, first: int, size: int) -> Labels:
    low = first - first % (2 * size)
    return labels[low : low + 2 * size]


def _taken_around(labels: Labels, gpu: int) -> float:
    """How much is taken in the blocks of 2, 4, 8 … around a GPU, the smallest counting most."""
    score, size = 0.0, 1
    while size < len(labels):
        score += sum(label != FREE for label in _twice_the_block(labels, gpu - gpu % size, size)) / size**2
        size *= 2
    return score


def _needed_ahead(needs: Sequence[int], cap: int) -> list[int]:
    """What has to be held at each step so that later needs stay within reach of the swap cap."""
    low = list(needs)
    for step in range(len(low) - 2, -1, -1):
        low[step] = max(low[step], low[step + 1] - cap)
    return low


def _canonical(labels: Labels) -> Labels:
    """The least of all orders that exchange equal halves of aligned blocks; unchanged if they are no power of two."""
    if len(labels) == 1 or len(labels) & (len(labels) - 1):
        return labels
    half = len(labels) // 2
    left, right = _canonical(labels[:half]), _canonical(labels[half:])
    return left + right if left <= right else right + left
