"""Seeded families of random instances: the ground on which the allocator is measured, and nothing it was tuned to.

Seeds below ``HELD_OUT_FROM`` may be used while tuning; figures are taken from those above.
"""

import math
from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from scheduler.domain.allocation.instance import BATCH_TYPES, BatchJob, Instance, Job, Mode, Objective, RealtimeJob

HELD_OUT_FROM = 1_000
DAY = 24
CONTENDED, UNCONTENDED = 1.3, 0.4
TYPE_OF_SIZE = {1: "quantization", 2: "batch_inference"}

Family = Callable[[int], Instance]


def mixed(seed: int) -> Instance:
    """8 GPUs, 10 jobs: eight of all kinds and two real-time ones with a day's curve."""
    rng = _rng("mixed", seed)
    jobs = [_batch(rng, at, sizes=(1, 1, 2, 2, 4), longest=9, late_share=0.3, latest=6) for at in range(8)]
    return _instance(8, [*jobs, *_curves(rng, count=2, least=0, most=3)])


def realtime_contention(seed: int) -> Instance:
    """8 GPUs, 8 jobs: three real-time ones that together want most of the fleet at their peak, and five others."""
    rng = _rng("realtime_contention", seed)
    jobs = [_batch(rng, at, sizes=(1, 2, 2, 4), longest=10, late_share=0.4, latest=6) for at in range(5)]
    return _instance(8, [*jobs, *_curves(rng, count=3, least=0, most=3)])


def training_heavy(seed: int) -> Instance:
    """8 GPUs, 16 jobs: nine long trainings of up to the whole fleet, six small ones and one real-time job."""
    rng = _rng("training_heavy", seed)
    long = [_batch(rng, at, sizes=(2, 4, 4, 8), longest=12, shortest=4, late_share=0.3, latest=8) for at in range(9)]
    small = [_batch(rng, 9 + at, sizes=(1, 1, 2), longest=4, late_share=0.3, latest=8) for at in range(6)]
    return _instance(8, [*long, *small, *_curves(rng, count=1, least=0, most=4)])


def fragmentation(seed: int) -> Instance:
    """8 GPUs, 14 jobs: singles of many lengths arriving first, then blocks of four and eight that need room."""
    rng = _rng("fragmentation", seed)
    singles = [_batch(rng, at, sizes=(1, 1, 2), longest=12, late_share=0.2, latest=4) for at in range(8)]
    blocks = [_batch(rng, 8 + at, sizes=(4, 4, 8), longest=7, shortest=2, late_share=0.7, latest=8) for at in range(5)]
    return _instance(8, [*singles, *blocks, *_curves(rng, count=1, least=0, most=2)])


def priority_inversion(seed: int) -> Instance:
    """8 GPUs, 13 jobs: long ones of low priority in front of the queue, short ones of high priority behind."""
    rng = _rng("priority_inversion", seed)
    low = [_batch(rng, at, sizes=(2, 4, 4), longest=12, shortest=6, priorities=(1, 2)) for at in range(6)]
    high = [
        _batch(rng, 6 + at, sizes=(1, 2, 4, 8), longest=6, shortest=2, priorities=(4, 5), late_share=0.7, latest=5)
        for at in range(6)
    ]
    return _instance(8, [*low, *high, *_curves(rng, count=1, least=0, most=3)])


def scale(seed: int) -> Instance:
    """64 GPUs, 30 jobs that fit beside each other: only who comes first can be won."""
    return load(seed, gpus=64, jobs=30, steps=DAY, offered=UNCONTENDED, name="scale")


def load(
    seed: int, *, gpus: int, jobs: int, steps: int = DAY, offered: float = CONTENDED, name: str = "load"
) -> Instance:
    """``jobs`` of which a tenth is real-time, asking together for ``offered`` × GPUs × steps.

    A fifth of what is offered is the real-time jobs' at their mean. The others' areas spread by a factor of about ten
    around their mean; each is cut into a block of up to half the fleet and its steps.
    """
    rng = _rng(f"{name}:{gpus}:{jobs}:{steps}", seed)
    elastic = max(1, jobs // 10)
    cells = offered * gpus * steps
    area = 0.8 * cells / (jobs - elastic)
    most = max(1, round(0.2 * cells / steps / elastic / 0.55))
    batch = [_by_area(rng, at, area * math.exp(rng.gauss(-0.25, 0.7)), gpus, steps) for at in range(jobs - elastic)]
    return _instance(gpus, [*batch, *_curves(rng, count=elastic, least=0, most=most, steps=steps)], steps)


SMALL: Mapping[str, Family] = MappingProxyType(
    {
        "mixed": mixed,
        "realtime_contention": realtime_contention,
        "training_heavy": training_heavy,
        "fragmentation": fragmentation,
        "priority_inversion": priority_inversion,
    }
)
"""The five contended families of 8 GPUs × 24 steps."""

FAMILIES: Mapping[str, Family] = MappingProxyType({**SMALL, "scale": scale})
"""The six families by name."""


def shuffled_arrivals(instance: Instance, seed: int) -> Instance:
    """The same jobs in another order of the file: what FIFO sees when the same requests had come in otherwise."""
    jobs = list(instance.jobs)
    _rng("arrivals", seed).shuffle(jobs)
    return Instance(
        instance.gpus, instance.steps, tuple(jobs), instance.objective, instance.step_minutes, instance.blocks,
        instance.nodes,
    )  # fmt: skip


def _rng(name: str, seed: int) -> Random:
    return Random(f"{name}:{seed}")  # noqa: S311 an instance to measure on, no secret # nosec B311


def _instance(gpus: int, jobs: list[Job], steps: int = DAY) -> Instance:
    return Instance(gpus, steps, tuple(jobs), Objective(half_life_steps=steps / 2))


def _batch(
    rng: Random,
    at: int,
    *,
    sizes: tuple[int, ...],
    longest: int,
    shortest: int = 1,
    priorities: tuple[int, ...] = (1, 2, 3, 4, 5),
    late_share: float = 0.0,
    latest: int = 0,
) -> BatchJob:
    size = rng.choice(sizes)
    arrival = rng.randint(1, latest) if rng.random() < late_share else 0
    steps = rng.randint(shortest, longest)
    return BatchJob(f"b{at}", TYPE_OF_SIZE.get(size, "training"), rng.choice(priorities), arrival, (Mode(size, steps),))


def _by_area(rng: Random, at: int, area: float, gpus: int, steps: int) -> BatchJob:
    largest = 2 ** max(0, (gpus // 2).bit_length() - 1)
    # The most even cut is a block about as large as it lasts long; a factor of eight either way is usual.
    wanted = math.sqrt(area * gpus / steps) * 2 ** rng.uniform(-3, 3)
    size = min(largest, 2 ** max(0, round(math.log2(max(1.0, wanted)))))
    duration = min(steps, max(1, round(area / size)))
    arrival = rng.randrange(steps) if rng.random() < 0.25 else 0
    return BatchJob(f"b{at}", rng.choice(BATCH_TYPES), rng.randint(1, 5), arrival, (Mode(size, duration),))


def _curves(rng: Random, *, count: int, least: int, most: int, steps: int = DAY) -> list[RealtimeJob]:
    return [_curve(rng, at, low=rng.randint(least, max(least, most // 2)), high=rng.randint(max(1, most // 2), most),
                   steps=steps) for at in range(count)]  # fmt: skip


def _curve(rng: Random, at: int, *, low: int, high: int, steps: int) -> RealtimeJob:
    """A day's curve: a trough of ``low`` at night, a peak of ``high`` after noon, and some noise."""
    peak = rng.uniform(11, 17)
    noise = max(0.3, high / 10)
    demand = []
    for step in range(steps):
        risen = (1 + math.cos(2 * math.pi * (step - peak) / DAY)) / 2
        demand.append(min(max(low, high), max(0, round(low + (high - low) * risen + rng.gauss(0, noise)))))
    cap = max(1, rng.randint(1, max(1, (high + 2) // 2)))
    return RealtimeJob(f"r{at}", rng.choice((3, 4, 5)), tuple(demand), cap, (0,) * steps)
