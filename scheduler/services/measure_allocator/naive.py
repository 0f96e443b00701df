"""The literal model, one binary per GPU, job and step, given the time that the full mode is given."""

from collections.abc import Callable, Iterator

from scheduler.domain.allocation.families import SMALL, Family, load
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.full import full_plan
from scheduler.domain.allocation.full.naive import naive_plan
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.measured import Spread
from scheduler.services.measure_allocator.judged import gap_share, judged
from scheduler.services.measure_allocator.protocol import Protocol
from scheduler.services.measure_allocator.rows import SECONDS, SHARE, Tally
from scheduler.services.measure_allocator.timing import left_of, timed


def naive_rows(protocol: Protocol, step: Callable[[], None]) -> Iterator[Spread]:
    """How far each of the two is from the better of their bounds when both were given the same time."""
    tally = Tally.of("naive")
    for name, family in _families(protocol).items():
        for seed in protocol.some(protocol.naive_seeds):
            _measure(tally, name, family(seed), protocol.small_seconds)
            step()
    yield from tally.rows()


def naive_count(protocol: Protocol) -> int:
    """Steps of progress in it."""
    return len(_families(protocol)) * protocol.naive_seeds


def _families(protocol: Protocol) -> dict[str, Family]:
    if not protocol.largest:
        return dict(SMALL)
    return {**SMALL, "64 × 30, contended": lambda seed: load(seed, gpus=64, jobs=30)}


def _measure(tally: Tally, name: str, instance: Instance, seconds: float) -> None:
    warm = fast_grid(instance)
    full, took = timed(lambda: full_plan(instance, warm, left=left_of(seconds)))
    naive, naive_took = timed(lambda: naive_plan(instance, left=left_of(seconds)))
    bound = min(full.bound, naive.bound if naive else full.bound)
    tally.add(name, "full: gap", SHARE, gap_share(bound, judged(instance, full.grid, by="full").value))
    tally.add(name, "full: time", SECONDS, took)
    tally.add(name, "naive: found a plan", SHARE, float(naive is not None))
    tally.add(name, "naive: time", SECONDS, naive_took)
    if naive is not None:
        tally.add(name, "naive: gap", SHARE, gap_share(bound, judged(instance, naive.grid, by="naive").value))
        tally.add(name, "naive: proved", SHARE, float(naive.proved))
