"""The load-duration curve: in which share of the hours the first, the second, … node was needed. All of it is exact."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate

from reservations.domain.period import HOUR_MS


@dataclass(frozen=True, slots=True)
class LoadDuration:
    """``needed[n − 1]`` of ``hours`` hours needed at least n nodes; the last entry is the peak's."""

    hours: int
    needed: tuple[int, ...]

    @property
    def peak(self) -> int:
        """The most nodes that any hour needed."""
        return len(self.needed)

    @property
    def mean_nodes(self) -> Fraction | None:
        """Nodes needed on average: the area under the curve; None without any hour."""
        return Fraction(sum(self.needed), self.hours) if self.hours else None

    def share(self, node: int) -> Fraction | None:
        """In which share of the hours at least ``node`` nodes were needed; None without any hour."""
        if not self.hours:
            return None
        if node <= 0:
            return Fraction(1)
        return Fraction(self.needed[node - 1] if node <= self.peak else 0, self.hours)


def load_duration_curve(nodes: Iterable[int]) -> LoadDuration:
    """The curve of the whole nodes that each hour needed; ValueError for less than none."""
    counts = Counter(nodes)
    if any(count < 0 for count in counts):
        raise ValueError("an hour cannot need less than no node")
    peak = max(counts, default=0)
    needed = list(accumulate(counts[node] for node in range(peak, 0, -1)))
    return LoadDuration(counts.total(), tuple(reversed(needed)))


def whole_nodes(gpu_ms: int, gpus_per_node: Decimal) -> int:
    """The nodes that an hour's GPU-milliseconds fill, rounded up to whole ones."""
    return -((-Fraction(gpu_ms)) // (HOUR_MS * Fraction(gpus_per_node)))


def mean_nodes(gpu_ms: Iterable[int], gpus_per_node: Decimal) -> Fraction | None:
    """The nodes that hours of GPU-milliseconds come to on average, not rounded; None without any hour."""
    hours = list(gpu_ms)
    return Fraction(sum(hours)) / (len(hours) * HOUR_MS * Fraction(gpus_per_node)) if hours else None
