"""How time and memory grow with GPUs and jobs: each size in a process of its own, so that its peak is its own."""

import math
import resource
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import django
import numpy as np

from scheduler.domain.allocation.bound import certified_bound
from scheduler.domain.allocation.families import FAMILIES, load
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.measured import Spread
from scheduler.services.allocation import warm_up_allocator
from scheduler.services.measure_allocator.judged import gap_share, judged
from scheduler.services.measure_allocator.protocol import Protocol
from scheduler.services.measure_allocator.rows import COUNT, MIB, MS, SHARE, Tally, row
from scheduler.services.measure_allocator.timing import least_seconds, timed

SIZES = ((64, 30, 24), (256, 100, 24), (1_024, 500, 168), (4_096, 2_000, 168))
LARGEST = (10_000, 5_000, 168)
EXPONENT_FROM = 500
"""Jobs from which on the exponent is fitted: below, the time of a call that does nothing shows."""


def size_rows(protocol: Protocol, step: Callable[[], None]) -> Iterator[Spread]:
    """Times of set-up with seven starts, of the whole fast mode and of the certificate, its gap, and the peak."""
    sizes = (*SIZES, LARGEST) if protocol.largest else SIZES[:3]
    tally = Tally.of("sizes")
    points = []
    for gpus, jobs, steps in sizes:
        case = f"{gpus:,} × {jobs:,} × {steps}"
        for measure, unit, value in _in_a_process(gpus, jobs, steps, protocol.first_seed):
            tally.add(case, measure, unit, value)
            if measure == "seven starts: time" and jobs >= EXPONENT_FROM:
                points.append((gpus * jobs, value))
        step()
    yield from tally.rows()
    if len(points) > 1:
        yield row("sizes", "168 steps", "exponent in GPUs × jobs", COUNT, [_exponent(points)])


def size_count(protocol: Protocol) -> int:
    """Steps of progress in it."""
    return len(SIZES) + 1 if protocol.largest else 3


def latency_rows(protocol: Protocol, step: Callable[[], None]) -> Iterator[Spread]:
    """Each of many warm answers of the fast mode, one instance a family."""
    tally = Tally.of("latency")
    for name, family in FAMILIES.items():
        instance = family(protocol.first_seed)
        fast_grid(instance)
        for _ in range(protocol.warm_runs):
            tally.add(name, "fast: time", MS, 1000 * timed(lambda: fast_grid(instance))[1])  # noqa: B023 at once
        step()
    yield from tally.rows()


def _in_a_process(gpus: int, jobs: int, steps: int, seed: int) -> list[tuple[str, str, float]]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=django.setup) as one:
        return one.submit(_measured, gpus, jobs, steps, seed).result()


def _measured(gpus: int, jobs: int, steps: int, seed: int) -> list[tuple[str, str, float]]:
    warm_up_allocator()
    instance = load(seed, gpus=gpus, jobs=jobs, steps=steps)
    runs = 3 if jobs > 1_000 else 7
    certified_bound(instance)
    starts = least_seconds(lambda: fast_grid(_fresh(instance), iterations=0), runs)
    fast = least_seconds(lambda: fast_grid(_fresh(instance)), runs)
    certified = least_seconds(lambda: certified_bound(_fresh(instance)), runs)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)
    figures = judged(instance, fast_grid(instance), by="fast")
    return [
        ("seven starts: time", MS, 1000 * starts),
        ("fast: time", MS, 1000 * fast),
        ("certificate: time", MS, 1000 * certified),
        ("fast: gap to the certificate", SHARE, gap_share(certified_bound(instance).value, figures.value)),
        ("peak memory", MIB, peak),
    ]


def _fresh(instance: Instance) -> Instance:
    """The same instance without anything that an earlier run may have kept on it."""
    return Instance(
        instance.gpus, instance.steps, instance.jobs, instance.objective, instance.step_minutes, instance.blocks,
        instance.nodes,
    )  # fmt: skip


def _exponent(points: list[tuple[int, float]]) -> float:
    sizes, times = zip(*points, strict=True)
    slope, _ = np.polyfit([math.log(size) for size in sizes], [math.log(time) for time in times], 1)
    return float(slope)
