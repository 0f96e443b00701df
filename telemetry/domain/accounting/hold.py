"""How long a sample speaks: step functions out of raw samples (docs/ledger.md#how-long-a-sample-holds).

What is read at t is taken to have been so since shortly before: on ``(t − h, t]``, where h is the gap to the
sample before if that is at most 1.5 Δ, and Δ after a longer one. So an outage of ten minutes costs ten minutes
and a lost scrape costs one step.
"""

import math
from collections.abc import Iterable, Sequence
from typing import TypeVar

from telemetry.domain.sample import Samples

Value = TypeVar("Value")
Span = tuple[int, int, Value]
"""``(start_ms, end_ms, value)``: the value on ``(start, end]``."""

Interval = tuple[int, int]


def merged_samples(series: Sequence[Samples]) -> Samples:
    """Several scrapers' samples of one thing as one, the larger value where two speak at the same instant."""
    if len(series) == 1:
        return series[0]
    merged: dict[int, float] = {}
    for samples in series:
        for t, value in samples:
            if not math.isfinite(value):
                continue
            known = merged.get(t)
            merged[t] = value if known is None or value > known else known
    return tuple(sorted(merged.items()))


def held_spans(samples: Samples, step_ms: int, within: Interval) -> list[Span[float]]:
    """The step function behind samples in time order, clipped to ``within``; equal neighbours are joined.

    A value that is not a finite number says nothing about its time.
    """
    start, end = within
    limit = step_ms * 3 // 2
    spans: list[Span[float]] = []
    previous: int | None = None
    for t, value in samples:
        gap = step_ms if previous is None else t - previous
        previous = t
        a = t - (gap if gap <= limit else step_ms)
        if a < start:
            a = start
        b = t if t < end else end
        if b <= a or not math.isfinite(value):
            continue
        if spans and spans[-1][1] == a and spans[-1][2] == value:
            spans[-1] = (spans[-1][0], b, value)
        else:
            spans.append((a, b, value))
    return spans


def joined(spans: Iterable[Interval]) -> list[Interval]:
    """Touching or overlapping intervals as one, in order."""
    result: list[Interval] = []
    for a, b in sorted(spans):
        if result and a <= result[-1][1]:
            result[-1] = (result[-1][0], max(b, result[-1][1]))
        else:
            result.append((a, b))
    return result


def clipped(spans: Sequence[Span[Value]], regions: Sequence[Interval]) -> list[Span[Value]]:
    """Spans cut to the regions they lie in; both in order, regions disjoint."""
    result: list[Span[Value]] = []
    first = 0
    for a, b, value in spans:
        while first < len(regions) and regions[first][1] <= a:
            first += 1
        at = first
        while at < len(regions) and regions[at][0] < b:
            result.append((max(a, regions[at][0]), min(b, regions[at][1]), value))
            at += 1
    return result


def length(spans: Iterable[tuple[int, int]]) -> int:
    """Milliseconds covered by disjoint intervals."""
    return sum(b - a for a, b in spans)


def value_at(spans: Sequence[Span[Value]], t: int) -> Value | None:
    """The value that holds at an instant, None where nothing was said."""
    for a, b, value in spans:
        if a < t <= b:
            return value
    return None
