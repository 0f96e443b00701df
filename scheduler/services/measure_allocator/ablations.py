"""What each idea is worth: fast without it, its grid judged by the whole question."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from scheduler.domain.allocation.families import SMALL, Family, load
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import CONTIGUOUS, BatchJob, Instance, Job
from scheduler.domain.allocation.measured import Spread
from scheduler.services.measure_allocator.judged import judged
from scheduler.services.measure_allocator.protocol import Protocol
from scheduler.services.measure_allocator.rows import SHARE, Tally


def _reserved(instance: Instance) -> Grid:
    """As if each real-time job wanted its maximum all day."""

    def constant(job: Job) -> Job:
        return job if isinstance(job, BatchJob) else replace(job, demand=(max(job.demand),) * instance.steps)

    return fast_grid(replace(instance, jobs=tuple(constant(job) for job in instance.jobs)))


def _equal(instance: Instance) -> Grid:
    """As if all batch-like work were worth the same."""

    def levelled(job: Job) -> Job:
        return replace(job, priority=1.0) if isinstance(job, BatchJob) else job

    return fast_grid(replace(instance, jobs=tuple(levelled(job) for job in instance.jobs)))


WITHOUT: dict[str, Callable[[Instance], Grid]] = {
    "no elastic release": _reserved,
    "no priority": _equal,
    "no search": lambda instance: fast_grid(instance, iterations=0),
}


def ablation_rows(protocol: Protocol, step: Callable[[], None]) -> Iterator[Spread]:
    """(fast − without) ÷ |fast| for each idea, and what merely contiguous blocks would add to aligned ones."""
    tally = Tally.of("ablations")
    families: dict[str, Family] = {**SMALL, "64 × 30, contended": lambda seed: load(seed, gpus=64, jobs=30)}
    for name, family in families.items():
        for seed in protocol.some(protocol.seeds):
            _measure(tally, name, family(seed))
            step()
    yield from tally.rows()


def ablation_count(protocol: Protocol) -> int:
    """Steps of progress in it."""
    return (len(SMALL) + 1) * protocol.seeds


def _measure(tally: Tally, name: str, instance: Instance) -> None:
    fast = judged(instance, fast_grid(instance), by="fast").value
    for idea, grid_of in WITHOUT.items():
        without = judged(instance, grid_of(instance), by=f"fast with {idea}").value
        tally.add(name, f"lost with {idea}", SHARE, (fast - without) / abs(fast))
    loose = replace(instance, blocks=CONTIGUOUS)
    contiguous = judged(loose, fast_grid(loose), by="fast, contiguous").value
    tally.add(name, "gained with contiguous blocks", SHARE, (contiguous - fast) / abs(fast))
