"""GPUs that work of the pool's queues waited for over the hour, and the most that was held and waited for at once."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate

from telemetry.domain.accounting.hold import Interval, Span, held_spans, length, merged_samples
from telemetry.domain.accounting.tally import Tally
from telemetry.domain.queued import AskedHour, QueuedWork
from telemetry.domain.sample import HourUsage, Samples

LEAST_KNOWN_PERCENT = 90
"""Of an hour must be known for its mean to stand for the whole of it."""

MOST_GPUS = 10_000_000
"""What claims that more are waited for is out of its mind, and says nothing."""


def asked_hour(usage: HourUsage, queues: Sequence[str], tally: Tally) -> AskedHour:
    """What each of some queues waited for, its mean over the known time × the hour, in whole GPU-milliseconds.

    None where under nine tenths of the hour are known: no metric tells GPUs, or it fell silent.
    """
    hour = (usage.period.start_ms, usage.period.end_ms)
    told: dict[str, list[Samples]] = defaultdict(list)
    for one in usage.pending:
        told[one.cluster_queue].append(one.samples)
    spans = {name: _spans(told.get(name, []), usage.state_step_ms, hour) for name in sorted(set(queues))}
    queued = tuple(QueuedWork(name, _mean_over(spans[name], hour)) for name in spans)
    known = bool(queued) and usage.allocation_data and all(one.queued is not None for one in queued)
    return AskedHour(queued, _peak(tally.held, spans.values()) if known else None)


def _spans(series: Sequence[Samples], step_ms: int, hour: Interval) -> list[Span[float]]:
    spans = held_spans(merged_samples(series), step_ms, hour) if series else []
    return [span for span in spans if 0 <= span[2] <= MOST_GPUS]


def _mean_over(spans: Sequence[Span[float]], hour: Interval) -> int | None:
    whole, known = hour[1] - hour[0], length((a, b) for a, b, _ in spans)
    if known * 100 < whole * LEAST_KNOWN_PERCENT:
        return None
    total = sum((Fraction(value) * (b - a) for a, b, value in spans), Fraction(0))
    return round(total * whole / known)


def _peak(held: Iterable[Span[Fraction]], waiting: Iterable[Sequence[Span[float]]]) -> Fraction:
    """The largest sum of all spans at one instant."""
    steps: dict[int, Fraction] = defaultdict(Fraction)
    asked = [(a, b, Fraction(value)) for spans in waiting for a, b, value in spans]
    for a, b, gpus in (*held, *asked):
        steps[a] += gpus
        steps[b] -= gpus
    return max(accumulate(steps[at] for at in sorted(steps)), default=Fraction(0))
