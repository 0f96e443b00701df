"""How much is measured."""

from dataclasses import dataclass
from pathlib import Path

from scheduler.domain.allocation.families import HELD_OUT_FROM


@dataclass(frozen=True, slots=True)
class Protocol:
    """Counts and limits of one run; every figure names how many instances stand behind it.

    ``seeds`` instances a family and ``orders`` of arrival each; ``warm_runs`` answers behind a latency; seconds given
    to the full mode and to the naive model per instance; ``odd`` instances behind the count of illegal grids;
    ``traces``: the folder of the public traces, or None.
    """

    seeds: int
    orders: int
    warm_runs: int
    small_seconds: float
    medium_seeds: int
    medium_seconds: float
    large_seeds: int
    large_seconds: float
    naive_seeds: int
    odd: int
    largest: bool
    traces: Path | None = None
    first_seed: int = HELD_OUT_FROM

    def some(self, count: int) -> range:
        """The first ``count`` seeds."""
        return range(self.first_seed, self.first_seed + count)


FULL = Protocol(
    seeds=20, orders=100, warm_runs=200, small_seconds=10, medium_seeds=20, medium_seconds=30, large_seeds=5,
    large_seconds=60, naive_seeds=4, odd=100_000, largest=True,
)  # fmt: skip

QUICK = Protocol(
    seeds=6, orders=5, warm_runs=30, small_seconds=5, medium_seeds=3, medium_seconds=5, large_seeds=1,
    large_seconds=10, naive_seeds=1, odd=2_000, largest=False,
)  # fmt: skip
"""A few minutes of the same: what a change that makes grids worse would show in."""
