"""One GPU or GPU instance in one hour: its samples as steps, each with its value and the pods on it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from telemetry.domain.accounting.attribution import Parties
from telemetry.domain.accounting.hold import Interval
from telemetry.domain.accounting.tally import NANO
from telemetry.domain.sample import DeviceSeries, Pod

Step = tuple[int, int, int | None, Parties]
"""``(start_ms, end_ms, activity in billionths or None when invalid, pods)`` on ``(start, end]``."""

QUARTERED = re.compile(r"\bA30\b|RTX PRO", re.IGNORECASE)
"""Models that are cut in four compute slices; all others are cut in seven."""

FROZEN_AFTER = 20
"""So many bit-identical samples above zero in a row are not to be believed: a stalled exporter repeats its last."""


@dataclass(frozen=True, slots=True)
class Device:
    """All series of one device; ``weight`` is its part of a physical GPU."""

    uuid: str
    gpu_instance: str
    weight: Fraction
    series: tuple[DeviceSeries, ...]


def _parties(found: set[tuple[Pod | None, str | None]]) -> Parties:
    named = {(pod, queue) for pod, queue in found if pod is not None}
    return tuple(sorted(named, key=lambda party: (party[0], party[1] or "")))


def device_steps(device: Device, step_ms: int, hour: Interval) -> tuple[list[Step], bool]:
    """The device's steps in time order, clipped to the hour, and whether its value stood frozen.

    An invalid sample (blank, NaN, outside 0–1) takes its step all the same: that time is unknown, not idle.
    """
    if len(device.series) == 1:
        only = device.series[0]
        parties = _parties({(only.pod, only.queue)})
        return _steps([(t, value, parties) for t, value in only.samples], step_ms, hour)
    return _steps(_merged(device.series), step_ms, hour)


def _merged(series: Sequence[DeviceSeries]) -> list[tuple[int, float, Parties]]:
    """Samples of all series by time: the largest valid value, and every pod named at that instant."""
    at: dict[int, tuple[float, set[tuple[Pod | None, str | None]]]] = {}
    for one in series:
        label = (one.pod, one.queue)
        for t, value in one.samples:
            known = at.get(t)
            if known is None:
                at[t] = (value, {label})
                continue
            known[1].add(label)
            if _valid(value) and not (_valid(known[0]) and known[0] >= value):
                at[t] = (value, known[1])
    return [(t, value, _parties(labels)) for t, (value, labels) in sorted(at.items())]


def _valid(value: float) -> bool:
    return 0.0 <= value <= 1.0


def _steps(samples: Sequence[tuple[int, float, Parties]], step_ms: int, hour: Interval) -> tuple[list[Step], bool]:
    start, end = hour
    limit = step_ms * 3 // 2
    steps: list[Step] = []
    previous: int | None = None
    last, same, frozen = -1.0, 0, False
    for t, value, parties in samples:
        gap = step_ms if previous is None else t - previous
        previous = t
        a = t - (gap if gap <= limit else step_ms)
        # plain comparisons: this runs for every sample there is
        if a < start:
            a = start
        b = t if t < end else end
        if b <= a:
            continue
        steps.append((a, b, int(value * NANO + 0.5) if 0.0 <= value <= 1.0 else None, parties))
        same = same + 1 if value == last else 1
        last = value
        frozen = frozen or (same >= FROZEN_AFTER and value > 0)
    return steps, frozen


def mig_weight(profile: str, model: str) -> Fraction | None:
    """Compute slices of a profile ÷ slices of the whole GPU (``3g.40gb`` → 3/7); None when it can't be read."""
    slices, _, rest = profile.lower().partition("g.")
    if not slices.isdigit() or not rest:
        return None
    total = 4 if QUARTERED.search(model) else 7
    return Fraction(int(slices), total) if 0 < int(slices) <= total else None
