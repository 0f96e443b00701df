"""A node's GPUs, each within the time and the count in which it may be counted."""

import math
from collections.abc import Sequence
from fractions import Fraction

from telemetry.domain.accounting.busy import account_whole_gpu
from telemetry.domain.accounting.device import Device, device_steps
from telemetry.domain.accounting.hold import Interval, joined
from telemetry.domain.accounting.node import Physical, Rules
from telemetry.domain.accounting.parts import account_gpu_parts
from telemetry.domain.accounting.tally import Tally

Slots = list[tuple[int, int, int]]
"""``(start_ms, end_ms, devices that may still be counted)``."""


def account_gpus(gpus: dict[str, list[Device]], physical: Sequence[Physical], rules: Rules, tally: Tally) -> None:
    """Add the hour of all GPUs of a node; more of them than it physically has at a time are rejected."""
    weight = _gpu_size(physical)
    slots: Slots = [(a, b, math.ceil(size)) for a, b, size in physical]
    crowded = len(gpus) > min((n for _, _, n in slots), default=0)
    everywhere = joined((a, b) for a, b, _ in physical)
    for uuid in sorted(gpus):
        devices = gpus[uuid]
        allowed = everywhere
        if crowded:
            allowed, slots = _taken(slots, _reported(devices, rules))
        allowed = _not_elsewhere(uuid, devices, allowed, tally)
        if weight == 1 and len(devices) == 1 and not devices[0].gpu_instance:
            account_whole_gpu(devices[0], allowed, rules, tally)
        else:
            account_gpu_parts(devices, allowed, weight, rules, tally)


def _not_elsewhere(uuid: str, devices: Sequence[Device], allowed: list[Interval], tally: Tally) -> list[Interval]:
    """One GPU is one GPU, whatever number of nodes claims it: while it counts on one it counts on no other."""
    spans = [(one.samples[0][0], one.samples[-1][0]) for device in devices for one in device.series if one.samples]
    if not spans or not allowed:
        return allowed
    first = max(min(start for start, _ in spans), allowed[0][0])
    last = min(max(end for _, end in spans), allowed[-1][1])
    before = tally.seen.get(uuid)
    if before is None:
        tally.seen[uuid] = (first, last)
        return allowed
    tally.seen[uuid] = (min(first, before[0]), max(last, before[1]))
    free = [part for a, b in allowed for part in ((a, min(b, before[0])), (max(a, before[1]), b))]
    return [(a, b) for a, b in free if a < b]


def _gpu_size(physical: Sequence[Physical]) -> Fraction:
    """1, but for a node that owns a fraction of a GPU (then that fraction)."""
    sizes = [size for _, _, size in physical if size.denominator != 1]
    return sizes[0] / math.ceil(sizes[0]) if sizes else Fraction(1)


def _reported(devices: Sequence[Device], rules: Rules) -> list[Interval]:
    """When a GPU said anything at all, valid or not: it takes a place then."""
    return joined((a, b) for device in devices for a, b, _, _ in device_steps(device, rules.step_ms, rules.hour)[0])


def _taken(slots: Slots, reported: Sequence[Interval]) -> tuple[list[Interval], Slots]:
    """Where a GPU finds a free place while it reports, and the places left after it."""
    allowed: list[Interval] = []
    left: Slots = []
    for a, b, free in slots:
        at = a
        for lower, upper in reported:
            start, end = max(at, lower), min(b, upper)
            if start >= end or not free:
                continue
            if at < start:
                left.append((at, start, free))
            left.append((start, end, free - 1))
            allowed.append((start, end))
            at = end
        if at < b:
            left.append((at, b, free))
    return joined(allowed), left
