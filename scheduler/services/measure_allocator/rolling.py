"""Without foresight: plans made anew whenever a job arrives, against the plan that knew all arrivals."""

from collections.abc import Callable, Iterator

from scheduler.domain.allocation.families import SMALL, Family, load
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.measured import Spread
from scheduler.domain.allocation.rolling import regret, rolled
from scheduler.services.measure_allocator.judged import judged
from scheduler.services.measure_allocator.protocol import Protocol
from scheduler.services.measure_allocator.rows import SHARE, Tally


def rolling_rows(protocol: Protocol, step: Callable[[], None]) -> Iterator[Spread]:
    """(clairvoyant − rolling) ÷ |clairvoyant|: what not knowing costs; below 0 where planning anew helps more."""
    tally = Tally.of("rolling")
    for name, family in _families().items():
        for seed in protocol.some(protocol.seeds):
            instance = family(seed)
            came = rolled(instance, fast_grid).grid
            judged(instance, came, by="rolling fast")
            found = regret(instance, fast_grid(instance), came)
            tally.add(name, "regret", SHARE, found.value / abs(found.clairvoyant))
            step()
    yield from tally.rows()


def rolling_count(protocol: Protocol) -> int:
    """Steps of progress in it."""
    return len(_families()) * protocol.seeds


def _families() -> dict[str, Family]:
    return {**SMALL, "64 × 30, contended": lambda seed: load(seed, gpus=64, jobs=30)}
