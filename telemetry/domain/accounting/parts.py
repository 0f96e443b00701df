"""A GPU that is counted in parts: GPU instances (MIG), or a node that owns a fraction of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from telemetry.domain.accounting.busy import checked_steps, flag_outside, share_busy, share_idle
from telemetry.domain.accounting.device import Device, Step
from telemetry.domain.accounting.hold import Interval
from telemetry.domain.accounting.node import Rules
from telemetry.domain.accounting.split import largest_remainder, whole_weights
from telemetry.domain.accounting.tally import Tally


@dataclass(slots=True)
class _Cursor:
    """One device's steps, read forward."""

    device: Device
    steps: list[Step]
    at: int = 0

    def step_at(self, end: int) -> Step | None:
        while self.at < len(self.steps) and self.steps[self.at][1] < end:
            self.at += 1
        if self.at < len(self.steps) and self.steps[self.at][0] < end:
            return self.steps[self.at]
        return None


def account_gpu_parts(
    devices: Sequence[Device], allowed: Sequence[Interval], weight: Fraction, rules: Rules, tally: Tally
) -> None:
    """Add one physical GPU's hour, instance by instance; ``weight`` is the GPU's own size (1: a whole one).

    An instance weighs its compute slices ÷ all slices of its GPU. While any instance reports, the slices of one
    that is silent stay unknown, as far as those that report leave room for it; what then is left is free.
    """
    cursors = [_Cursor(device, checked_steps(device, rules, tally)) for device in devices]
    edges = {edge for cursor in cursors for a, b, _, _ in cursor.steps for edge in (a, b)}
    edges |= {edge for interval in allowed for edge in interval}
    outside = 0
    for a, b in pairwise(sorted(edges)):
        steps = [cursor.step_at(b) for cursor in cursors]
        if any(lower <= a and b <= upper for lower, upper in allowed):
            _account_piece((a, b), steps, devices, (weight, rules, tally))
        else:
            outside += (b - a) * any(step is not None for step in steps)
    flag_outside(devices[0].uuid, outside, rules, tally)


def _account_piece(
    piece: Interval,
    steps: Sequence[Step | None],
    devices: Sequence[Device],
    context: tuple[Fraction, Rules, Tally],
) -> None:
    weight, rules, tally = context
    valid: list[tuple[int, Step]] = []
    shares: list[Fraction] = []
    silent = Fraction(0)
    for step, device in zip(steps, devices, strict=True):
        if step is None or step[2] is None:
            silent += device.weight
        else:
            valid.append((step[2], step))
            shares.append(device.weight)
    if not valid:
        return
    if sum(shares) > 1:
        tally.flag("instances_overlap", f"{devices[0].uuid} showed more GPU instances than it has slices")
        shares = [share / sum(shares) for share in shares]
    rest = 1 - sum(shares, Fraction(0))
    silent = min(silent, rest)
    amounts = largest_remainder(int((piece[1] - piece[0]) * weight), whole_weights([*shares, silent, rest - silent]))
    tally.known += amounts[-1]
    tally.idle_free += amounts[-1]
    for reading, amount in zip(valid, amounts, strict=False):
        _account_instance(piece, reading, amount, rules, tally)


def _account_instance(piece: Interval, valid: tuple[int, Step], amount: int, rules: Rules, tally: Tally) -> None:
    nano, (_, _, _, parties) = valid
    tally.known += amount
    tally.sm_nano += nano * amount
    tally.labelled += amount if parties else 0
    if nano >= rules.threshold_nano:
        tally.busy += amount
        share_busy(piece, amount, rules.attribution.timeline(parties), tally)
    elif parties:
        tally.idle_held += amount
        share_idle(piece, amount, rules.attribution.timeline(parties), tally)
    else:
        tally.idle_free += amount
