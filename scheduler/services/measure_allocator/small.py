"""The five contended families of 8 GPUs × 24 steps: against the proven optimum, and against others in many orders."""

from collections.abc import Callable, Iterator

from scheduler.domain.allocation.families import SMALL, shuffled_arrivals
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.full import full_plan
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.measured import Spread
from scheduler.services.measure_allocator.judged import BASELINES, gained_share, gap_share, judged
from scheduler.services.measure_allocator.protocol import Protocol
from scheduler.services.measure_allocator.rows import COUNT, MS, POINTS, SECONDS, SHARE, Tally
from scheduler.services.measure_allocator.timing import least_seconds, left_of, timed

ALL = "all five families"


def small_rows(protocol: Protocol, step: Callable[[], None]) -> Iterator[Spread]:
    """Gap, time and share proved by family and together; then what fast gains over each other way."""
    tally = Tally.of("small")
    for name, family in SMALL.items():
        for seed in protocol.some(protocol.seeds):
            _measure_optimum(tally, name, family(seed), protocol)
            step()
    yield from tally.rows()


def small_count(protocol: Protocol) -> int:
    """Steps of progress in it."""
    return len(SMALL) * protocol.seeds


def order_rows(protocol: Protocol, step: Callable[[], None]) -> Iterator[Spread]:
    """What fast gains over each other way to plan, in many orders of arrival of the same jobs."""
    tally = Tally.of("orders")
    for name, family in SMALL.items():
        for seed in protocol.some(protocol.seeds):
            for order in range(protocol.orders):
                _measure_order(tally, name, shuffled_arrivals(family(seed), order))
            step()
    yield from tally.rows()


def _measure_optimum(tally: Tally, name: str, instance: Instance, protocol: Protocol) -> None:
    grid = fast_grid(instance)
    fast = judged(instance, grid, by="fast")
    plan, seconds = timed(lambda: full_plan(instance, grid, left=left_of(protocol.small_seconds)))
    full = judged(instance, plan.grid, by="full")
    fifo = judged(instance, fifo_grid(instance), by="fifo")
    taken = least_seconds(lambda: fast_grid(instance), 5) * 1000
    for case in (name, ALL):
        tally.add(case, "fast: gap to the bound", SHARE, gap_share(plan.bound, fast.value))
        tally.add(case, "fast: time", MS, taken)
        tally.add(case, "fast ÷ full", SHARE, fast.value / full.value if full.value > 0 else 1.0)
        tally.add(case, "FIFO: gap to the bound", SHARE, gap_share(plan.bound, fifo.value))
        tally.add(case, "full: proved", SHARE, float(plan.proved))
        tally.add(case, "full: gap to the bound", SHARE, gap_share(plan.bound, full.value))
        tally.add(case, "full: time", SECONDS, seconds)


def _measure_order(tally: Tally, name: str, instance: Instance) -> None:
    fast = judged(instance, fast_grid(instance), by="fast")
    for other, grid_of in BASELINES.items():
        figures = judged(instance, grid_of(instance), by=other)
        gained = gained_share(fast.value, figures.value)
        points = 100 * (fast.utilization - figures.utilization)
        for case in (name, ALL):
            tally.add(case, f"value over {other}", SHARE, gained) if gained is not None else None
            tally.add(case, f"utilization over {other}", POINTS, points)
            tally.add(case, f"below {other}", COUNT, float(fast.value < figures.value - 1e-9 * abs(figures.value)))
