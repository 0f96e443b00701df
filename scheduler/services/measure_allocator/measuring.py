"""The parts of the benchmark, run one after the other."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scheduler.domain.allocation.measured import Spread
from scheduler.services.allocation import warm_up_allocator
from scheduler.services.measure_allocator.ablations import ablation_count, ablation_rows
from scheduler.services.measure_allocator.larger import larger_count, larger_rows
from scheduler.services.measure_allocator.legality import legality_count, legality_rows
from scheduler.services.measure_allocator.naive import naive_count, naive_rows
from scheduler.services.measure_allocator.protocol import Protocol
from scheduler.services.measure_allocator.rolling import rolling_count, rolling_rows
from scheduler.services.measure_allocator.sizes import latency_rows, size_count, size_rows
from scheduler.services.measure_allocator.small import order_rows, small_count, small_rows
from scheduler.services.measure_allocator.traces import trace_count, trace_rows


@dataclass(frozen=True, slots=True)
class Part:
    """One part: what it measures, its steps of progress, and whether it runs when none is named."""

    rows: Callable[[Protocol, Callable[[], None]], Iterator[Spread]]
    count: Callable[[Protocol], int]
    by_itself: bool = True


PARTS: dict[str, Part] = {
    "small": Part(small_rows, small_count),
    "orders": Part(order_rows, small_count),
    "larger": Part(larger_rows, larger_count),
    "sizes": Part(size_rows, size_count),
    "latency": Part(latency_rows, lambda protocol: 6),
    "ablations": Part(ablation_rows, ablation_count),
    "rolling": Part(rolling_rows, rolling_count),
    "legality": Part(legality_rows, legality_count),
    "naive": Part(naive_rows, naive_count, by_itself=False),
    "traces": Part(trace_rows, trace_count, by_itself=False),
}


def measure_allocator(
    *, parts: Sequence[str], protocol: Protocol, started: Callable[[str, int], None], step: Callable[[], None]
) -> list[Spread]:
    """Every figure of the named parts; ``started`` hears each part's name and steps, ``step`` one of them done.

    Raises:
        IllegalGrid: a mode broke the rules.
        UnableToReadTraces: the traces are asked for and not there.
    """
    warm_up_allocator()
    found: list[Spread] = []
    for name in parts:
        started(name, PARTS[name].count(protocol))
        found.extend(PARTS[name].rows(protocol, step))
    return found
