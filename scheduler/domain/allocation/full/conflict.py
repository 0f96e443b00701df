"""Why a schedule can't be packed: a small part of it that can't be either, whatever else is planned."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scheduler.domain.allocation.full.columns import Column
from scheduler.domain.allocation.full.sweep import OutOfEffort, Packing, Sweep
from scheduler.domain.allocation.instance import Instance

EFFORT = 3000
"""States a search may visit while a conflict is made smaller; what takes more stays in."""
LENGTHS = (2, 3, 4, 6, 8, 12)

Needs = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Conflict:
    """Columns, cut to the steps that matter, and real-time needs, from ``begin`` to ``end``: no packing has them all.

    ``needs`` is empty where the blocks alone are in each other's way.
    """

    columns: tuple[Column, ...]
    needs: Needs
    begin: int
    end: int


@dataclass(frozen=True)
class Packer:
    """Searches for packings of one instance until the time is over."""

    instance: Instance
    left: Callable[[], float]

    def packed(self, columns: Sequence[Column], needs: Needs, effort: int) -> Packing | Conflict | None:
        """A packing, or a conflict proved, or None where neither was found with this effort."""
        sweep = Sweep(self.instance, columns, needs, effort, self.left)
        try:
            found = sweep.packed()
        except OutOfEffort:
            return self._conflict_by_windows(tuple(columns), needs)
        if found is not None:
            return found
        if sweep.is_partial:
            return self._conflict_by_windows(tuple(columns), needs)
        return Conflict(tuple(columns), needs, 0, min(sweep.deepest + 1, self.instance.steps))

    def _conflict_by_windows(self, columns: tuple[Column, ...], needs: Needs) -> Conflict | None:
        """What a long search can't decide may be impossible within a few steps already."""
        steps = self.instance.steps
        for length in LENGTHS:
            for begin in range(0, steps - length + 1, max(1, length // 2)):
                conflict = Conflict(columns, needs, begin, begin + length)
                if self.holds(conflict):
                    return conflict
        return None

    def holds(self, conflict: Conflict) -> bool:
        """Whether there is no packing of the conflict, proved with little effort."""
        sweep = Sweep(self.instance, conflict.columns, conflict.needs, EFFORT, self.left, conflict.begin, conflict.end)
        try:
            return sweep.packed() is None and not sweep.is_partial
        except OutOfEffort:
            return False

    def smallest(self, conflict: Conflict) -> Conflict:
        """A part of the conflict of which nothing can be left out (deletion filter), as far as little effort tells."""
        alone = replace(conflict, needs=())
        conflict = alone if self.holds(alone) else conflict
        conflict = self._later(conflict)
        conflict = self._fewer(conflict)
        conflict = self._lesser(conflict)
        return self._shorter(conflict)

    def _later(self, conflict: Conflict) -> Conflict:
        low, high = conflict.begin, conflict.end - 1
        while low < high:
            middle = (low + high + 1) // 2
            if self.holds(replace(conflict, begin=middle)):
                low = middle
            else:
                high = middle - 1
        return replace(conflict, begin=low)

    def _fewer(self, conflict: Conflict) -> Conflict:
        inside = [c for c in conflict.columns if c.end > conflict.begin and c.start < conflict.end]
        conflict = replace(conflict, columns=tuple(inside))
        for column in sorted(inside, key=lambda one: one.gpus * (one.end - one.start)):
            without = replace(conflict, columns=tuple(one for one in conflict.columns if one != column))
            if self.holds(without):
                conflict = without
        return conflict

    def _lesser(self, conflict: Conflict) -> Conflict:
        """Needs that don't matter are taken back to the floor, of whole jobs first, then of single steps."""
        floors = [job.floor for _, job in self.instance.realtime]
        for r in range(len(conflict.needs)):
            whole = _with_needs(conflict, r, floors[r])
            if self.holds(whole):
                conflict = whole
                continue
            for step in range(conflict.begin, conflict.end):
                mine = conflict.needs[r]
                if mine[step] > floors[r][step]:
                    less = _with_needs(conflict, r, (*mine[:step], floors[r][step], *mine[step + 1 :]))
                    conflict = less if self.holds(less) else conflict
        return conflict

    def _shorter(self, conflict: Conflict) -> Conflict:
        """Each column is cut to the steps in which it is in the way."""
        for at in range(len(conflict.columns)):
            column = conflict.columns[at]
            column = replace(column, start=max(column.start, conflict.begin), end=min(column.end, conflict.end))
            conflict = _with_column(conflict, at, column)
            while column.end - column.start > 1:
                less = _with_column(conflict, at, replace(column, end=column.end - 1))
                if not self.holds(less):
                    less = _with_column(conflict, at, replace(column, start=column.start + 1))
                    if not self.holds(less):
                        break
                conflict, column = less, less.columns[at]
        return conflict


def _with_needs(conflict: Conflict, r: int, needs: Sequence[int]) -> Conflict:
    return replace(conflict, needs=(*conflict.needs[:r], tuple(needs), *conflict.needs[r + 1 :]))


def _with_column(conflict: Conflict, at: int, column: Column) -> Conflict:
    return replace(conflict, columns=(*conflict.columns[:at], column, *conflict.columns[at + 1 :]))
