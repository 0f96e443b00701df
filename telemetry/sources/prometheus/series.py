"""From Prometheus' own shape (labels and pairs of time and text) to the domain's samples.

A series here is ``{"metric": {label: text}, "values": [[seconds, text], …]}``. A label with a blank value is absent.
"""

import math
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

from telemetry.domain.sample import Samples

Series = dict[str, Any]
Key = TypeVar("Key", bound=Hashable)


class SampleReader:
    """Reads a series' samples later than ``after_ms``, values times ``scale``; NaN and other nonsense is kept.

    Devices of one node share their scrapes' instants, so the last ones are kept at hand: reading is half the work.
    """

    def __init__(self, after_ms: int) -> None:
        self._after_ms = after_ms
        self._seconds: tuple[float, ...] = ()
        self._times: list[int] = []
        self._skipped = 0

    def __call__(self, series: Series, scale: float = 1) -> Samples:
        """The samples in time order."""
        if not series["values"]:
            return ()
        seconds, texts = zip(*series["values"], strict=True)
        if seconds != self._seconds:
            self._seconds, self._times = seconds, [int(at * 1000 + 0.5) for at in seconds]
            # a 2.x range includes its first instant, a 3.x one does not: the hour must not depend on the version
            self._skipped = bisect_right(self._times, self._after_ms)
        values = map(float, texts) if scale == 1 else [float(text) * scale for text in texts]
        pairs = tuple(zip(self._times, values, strict=True))
        return pairs[self._skipped :] if self._skipped else pairs


def grouped(
    found: Iterable[Series], key: Callable[[Mapping[str, str]], Key | None], convert: Callable[[Series], Samples]
) -> dict[Key, list[Samples]]:
    """Samples of all series of one key, in the engine's order; series whose key is None are left out."""
    groups: dict[Key, list[Samples]] = defaultdict(list)
    for series in found:
        name = key(series["metric"])
        if name is not None and (converted := convert(series)):
            groups[name].append(converted)
    return groups


def merged_activity(parts: list[Samples]) -> Samples:
    """Several scrapes of one device as one: the larger value at each instant, a believable one before any other."""
    return _merged(parts, _activity_rank)


def merged_state(parts: list[Samples]) -> Samples:
    """Several views of one state (replicas, roles of Kueue) as one: the larger value at each instant."""
    return _merged(parts, _rank)


def summed_state(parts: list[Samples]) -> Samples:
    """Several resources of one node as one: their sum at each instant."""
    if len(parts) == 1:
        return parts[0]
    total: dict[int, float] = defaultdict(float)
    for part in parts:
        for at, value in part:
            total[at] += value
    return tuple(sorted(total.items()))


class SharedSamples:
    """Gives equal samples back as the same object: states seldom change, and ten thousand pods fit in little room."""

    def __init__(self) -> None:
        self._seen: dict[tuple[int, float], tuple[int, float]] = {}

    def __call__(self, state: Samples) -> Samples:
        """The same samples, made of shared pairs."""
        return tuple([self._seen.setdefault(pair, pair) for pair in state])


def _merged(parts: list[Samples], rank: Callable[[float], float]) -> Samples:
    merged = parts[0]
    for part in parts[1:]:
        merged = _merged_pair(merged, part, rank)
    return merged


def _merged_pair(one: Samples, other: Samples, rank: Callable[[float], float]) -> Samples:
    if [at for at, _ in one] == [at for at, _ in other]:  # what one scrape brought: no need to sort
        return tuple([a if a[1] == b[1] or rank(a[1]) >= rank(b[1]) else b for a, b in zip(one, other, strict=True)])
    best = dict(one)
    for at, value in other:
        if at not in best or rank(value) > rank(best[at]):
            best[at] = value
    return tuple(sorted(best.items()))


def _activity_rank(value: float) -> float:
    return value if 0 <= value <= 1 else -1


def _rank(value: float) -> float:
    return -math.inf if math.isnan(value) else value
