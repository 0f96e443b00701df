"""64 and 256 GPUs: fast against the certified bound, and what full makes of it in the time it is given."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from scheduler.domain.allocation.bound import certified_bound
from scheduler.domain.allocation.families import CONTENDED, Family, load, scale
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.full import full_plan
from scheduler.domain.allocation.measured import Spread
from scheduler.services.measure_allocator.judged import gap_share, judged
from scheduler.services.measure_allocator.protocol import Protocol
from scheduler.services.measure_allocator.rows import MS, SECONDS, SHARE, Tally
from scheduler.services.measure_allocator.timing import least_seconds, left_of, timed


@dataclass(frozen=True, slots=True)
class _Case:
    name: str
    family: Family
    seeds: int
    seconds: float


def _cases(protocol: Protocol) -> tuple[_Case, ...]:
    def contended(gpus: int, jobs: int) -> Family:
        return lambda seed: load(seed, gpus=gpus, jobs=jobs, offered=CONTENDED)

    return (
        _Case("64 × 30, uncontended", scale, protocol.medium_seeds, protocol.medium_seconds),
        _Case("64 × 30, contended", contended(64, 30), protocol.medium_seeds, protocol.medium_seconds),
        _Case("256 × 100, contended", contended(256, 100), protocol.large_seeds, protocol.large_seconds),
    )


def larger_count(protocol: Protocol) -> int:
    """Steps of progress in it."""
    return sum(case.seeds for case in _cases(protocol))


def larger_rows(protocol: Protocol, step: Callable[[], None]) -> Iterator[Spread]:
    """Gaps of fast, full and FIFO to the best bound known, and their times."""
    tally = Tally.of("larger")
    for case in _cases(protocol):
        for seed in protocol.some(case.seeds):
            _measure(tally, case, seed)
            step()
    yield from tally.rows()


def _measure(tally: Tally, case: _Case, seed: int) -> None:
    instance = case.family(seed)
    grid = fast_grid(instance)
    fast = judged(instance, grid, by="fast")
    quick, certified = timed(lambda: certified_bound(instance))
    plan, seconds = timed(lambda: full_plan(instance, grid, left=left_of(case.seconds)))
    full = judged(instance, plan.grid, by="full")
    fifo = judged(instance, fifo_grid(instance), by="fifo")
    bound = min(plan.bound, quick.value)
    tally.add(case.name, "fast: gap to the bound", SHARE, gap_share(bound, fast.value))
    tally.add(case.name, "fast: gap to the certificate", SHARE, gap_share(quick.value, fast.value))
    tally.add(case.name, "fast: time", MS, 1000 * least_seconds(lambda: fast_grid(instance), 5))
    tally.add(case.name, "certificate: time", MS, 1000 * certified)
    tally.add(case.name, "full: proved", SHARE, float(plan.proved))
    tally.add(case.name, "full: gap to the bound", SHARE, gap_share(bound, full.value))
    tally.add(case.name, "full: within 1 %", SHARE, float(gap_share(bound, full.value) <= 0.01))
    tally.add(case.name, "full: time", SECONDS, seconds)
    tally.add(case.name, "FIFO: gap to the bound", SHARE, gap_share(bound, fifo.value))
