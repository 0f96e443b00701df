"""From Prometheus' own shape (labels and pairs of time and text) to the domain's samples.

A series here is ``{"metric": {label: text}, "values": [[seconds, text], …]}``. A label with a blank value is absent.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

from telemetry.domain.sample import Samples

Series = dict[str, Any]
Key = TypeVar("Key", bound=Hashable)


def samples(series: Series, after_ms: int, scale: float = 1) -> Samples:
    """The series' samples later than ``after_ms``, values times ``scale``; NaN and other nonsense is kept."""
    pairs = [(int(at * 1000 + 0.5), float(value)) for at, value in series["values"]]
    if scale != 1:
        pairs = [(at, value * scale) for at, value in pairs]
    # a 2.x range includes its first instant, a 3.x one does not: without this the hour would depend on the version
    while pairs and pairs[0][0] <= after_ms:
        del pairs[0]
    return tuple(pairs)


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
    if len(parts) == 1:
        return parts[0]
    best: dict[int, float] = {}
    for part in parts:
        for at, value in part:
            if at not in best or rank(value) > rank(best[at]):
                best[at] = value
    return tuple(sorted(best.items()))


def _activity_rank(value: float) -> float:
    return value if 0 <= value <= 1 else -1


def _rank(value: float) -> float:
    return -math.inf if math.isnan(value) else value
