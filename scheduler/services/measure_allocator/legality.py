"""Odd instances by the thousand, every mode's grid through the verifier."""

from collections.abc import Callable, Iterator

from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import figures_of, rank_of
from scheduler.domain.allocation.full import full_plan
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.legality import violations
from scheduler.domain.allocation.measured import Spread
from scheduler.domain.allocation.oddities import odd_instance
from scheduler.services.measure_allocator.judged import BASELINES
from scheduler.services.measure_allocator.protocol import Protocol
from scheduler.services.measure_allocator.rows import COUNT, row
from scheduler.services.measure_allocator.timing import left_of

CHUNK = 1_000
FULL_EACH = 100
"""Every so many instances the full mode is asked too, for a second at most."""


def legality_rows(protocol: Protocol, step: Callable[[], None]) -> Iterator[Spread]:
    """Illegal grids by mode, and fast grids that rank below FIFO's: both have to be none."""
    illegal = dict.fromkeys(("fast", "full", *BASELINES), 0.0)
    asked = dict.fromkeys(illegal, 0)
    below = 0.0
    for seed in range(protocol.odd):
        instance = odd_instance(seed)
        below += _is_below(instance)
        for mode, grid_of in _modes(seed).items():
            asked[mode] += 1
            illegal[mode] += bool(violations(instance, grid_of(instance)))
        if (seed + 1) % CHUNK == 0:
            step()
    for mode, count in illegal.items():
        yield row("legality", f"{mode}, {asked[mode]:,} odd instances", "illegal grids", COUNT, [count])
    yield row("legality", f"fast, {protocol.odd:,} odd instances", "below FIFO", COUNT, [below])


def legality_count(protocol: Protocol) -> int:
    """Steps of progress in it."""
    return protocol.odd // CHUNK


def _modes(seed: int) -> dict[str, Callable[[Instance], object]]:
    modes: dict[str, Callable[[Instance], object]] = {"fast": fast_grid, **BASELINES}
    if seed % FULL_EACH == 0:
        modes["full"] = lambda instance: full_plan(instance, fast_grid(instance), left=left_of(1)).grid
    return modes


def _is_below(instance: Instance) -> bool:
    fast, fifo = (rank_of(instance, figures_of(instance, way(instance))) for way in (fast_grid, fifo_grid))
    return tuple(fast) < tuple(part - 1e-9 * max(1.0, abs(part)) for part in fifo)
