"""The ledger's words read literally, minute by minute: an oracle that shares nothing with the accounting.

All samples lie on whole minutes and Δ is ten of them, so nothing changes within a minute and asking for
the state at the end of each minute gives exact integrals.
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction

MINUTE = 60_000
STEP = 10
Series = dict[int, float]
"""Minute → value; minutes run from −15 to 75, the hour is (0, 60]."""


@dataclass
class OracleDevice:
    uuid: str
    pod: str | None
    values: Series


@dataclass
class OracleNode:
    present: Series
    capacity: Series
    devices: list[OracleDevice]
    requests: dict[str, Series] = field(default_factory=dict)
    alive: dict[str, Series] = field(default_factory=dict)
    usable_minutes: int | None = None


@dataclass
class OracleQueue:
    cohort: bool
    usage: Series
    nominal: Series


def speaks(series: Series, minute: int) -> float | None:
    """The value that describes the minute ending at ``minute``: of the next sample, if it reaches back so far."""
    later = [t for t in series if t >= minute]
    if not later:
        return None
    t = min(later)
    earlier = [p for p in series if p < t]
    gap = t - max(earlier) if earlier else STEP
    reach = gap if gap <= 1.5 * STEP else STEP
    return series[t] if minute > t - reach else None


def finite(series: Series, minute: int) -> float | None:
    value = speaks(series, minute)
    return value if value is not None and math.isfinite(value) else None


def borrowed(queue: OracleQueue | None, minute: int) -> Fraction | None:
    if queue is None:
        return None
    usage, nominal = finite(queue.usage, minute), finite(queue.nominal, minute)
    if usage is None or nominal is None:
        return None
    if not queue.cohort or usage == 0:
        return Fraction(0)
    if nominal == 0:
        return Fraction(1)
    return Fraction(max(0, usage - nominal)) / Fraction(usage)


def device_at(node: OracleNode, uuid: str, minute: int) -> tuple[float | None, set[str]] | None:
    """The device's (valid value or None, pods) in a minute, None when nothing was sampled for it."""
    mine = [device for device in node.devices if device.uuid == uuid]
    union: Series = {t: 0.0 for device in mine for t in device.values}
    if speaks(union, minute) is None:
        return None
    t = min(t for t in union if t >= minute)
    valid = [d.values[t] for d in mine if t in d.values and 0 <= d.values[t] <= 1]
    pods = {device.pod for device in mine if t in device.values and device.pod}
    return (max(valid) if valid else None), pods


def hour(nodes: list[OracleNode], queues: dict[str, OracleQueue], queue_of: dict[str, str], gpus: int) -> Counter:
    """Every figure of the hour in GPU-milliseconds (Fractions where a split does not come out even)."""
    sums: Counter = Counter()
    for node in nodes:
        for minute in range(1, 61):
            add_minute(sums, node, minute, queues, queue_of, gpus)
    return sums


def add_minute(sums, node, minute, queues, queue_of, gpus) -> None:
    present, capacity = finite(node.present, minute), finite(node.capacity, minute)
    if node.usable_minutes is not None and minute > node.usable_minutes:
        return
    if not present or capacity is None:
        return
    physical = int(min(capacity, gpus))
    sums["expected"] += physical * MINUTE
    reporting = sorted({d.uuid for d in node.devices if device_at(node, d.uuid, minute) is not None})
    for uuid in reporting[:physical]:
        value, pods = device_at(node, uuid, minute)
        if value is not None:
            add_device(sums, value, pods, minute, queues, queue_of)
    held = {
        pod: finite(series, minute)
        for pod, series in node.requests.items()
        if finite(node.alive.get(pod, {}), minute) and finite(series, minute)
    }
    asked = sum(held.values())
    cut = Fraction(physical) / Fraction(asked) if asked > physical else Fraction(1)
    for pod, count in held.items():
        sums["allocated"] += Fraction(count) * cut * MINUTE
        sums["allocated", queue_of.get(pod, "")] += Fraction(count) * cut * MINUTE


def add_device(sums, value, pods, minute, queues, queue_of) -> None:
    sums["known"] += MINUTE
    sums["sm"] += Fraction(str(value)) * MINUTE
    if value < 0.05:
        sums["idle"] += MINUTE
        sums["idle_held" if pods else "idle_free"] += MINUTE
        return
    sums["busy"] += MINUTE
    if not pods:
        sums["unattributed_busy"] += MINUTE
    for pod in pods:
        part = Fraction(MINUTE, len(pods))
        queue = queue_of.get(pod)
        if queue is None:
            sums["unmanaged_busy"] += part
            continue
        share = borrowed(queues.get(queue), minute)
        if share is None:
            sums["unattributed_busy"] += part
        else:
            sums["owner_busy"] += part * (1 - share)
            sums["borrower_busy"] += part * share
