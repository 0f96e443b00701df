"""A GPU that is counted in parts: GPU instances (MIG), or a node that owns a fraction of one."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from telemetry.domain.accounting.busy import checked_steps, flag_outside, share_busy
from telemetry.domain.accounting.device import Device, Step
from telemetry.domain.accounting.hold import Interval
from telemetry.domain.accounting.node import Rules
from telemetry.domain.accounting.split import largest_remainder, whole_weights
from telemetry.domain.accounting.tally import Tally


@dataclass(slots=True)
class _Cursor:
    """One device's steps, read forward; the device exists from its first step to its last."""

    device: Device
    steps: list[Step]
    at: int = 0

    def exists(self, end: int) -> bool:
        return bool(self.steps) and self.steps[0][0] < end <= self.steps[-1][1]

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

    An instance weighs its compute slices ÷ the profile's total; slices no instance has are known and free
    while any instance of that GPU reports.
    """
    cursors = [_Cursor(device, checked_steps(device, rules, tally)) for device in devices]
    edges = {edge for cursor in cursors for a, b, _, _ in cursor.steps for edge in (a, b)}
    edges |= {edge for interval in allowed for edge in interval}
    outside = 0
    for a, b in pairwise(sorted(edges)):
        if not any(lower <= a and b <= upper for lower, upper in allowed):
            outside += (b - a) * any(cursor.step_at(b) is not None for cursor in cursors)
            continue
        _account_piece((a, b), [cursor for cursor in cursors if cursor.exists(b)], weight, rules, tally)
    flag_outside(devices[0].uuid, outside, rules, tally)


def _account_piece(piece: Interval, cursors: Sequence[_Cursor], weight: Fraction, rules: Rules, tally: Tally) -> None:
    a, b = piece
    steps = [cursor.step_at(b) for cursor in cursors]
    if not any(step is not None and step[2] is not None for step in steps):
        return
    shares = [cursor.device.weight for cursor in cursors]
    if sum(shares) > 1:
        tally.flag("instances_overlap", f"{cursors[0].device.uuid} showed more GPU instances than it has slices")
        shares = [share / sum(shares) for share in shares]
    amounts = largest_remainder(int((b - a) * weight), whole_weights([*shares, 1 - sum(shares, Fraction(0))]))
    tally.known += amounts[-1]
    tally.idle_free += amounts[-1]
    for step, amount in zip(steps, amounts, strict=False):
        if step is not None and step[2] is not None:
            _account_instance(piece, (step[2], step), amount, rules, tally)


def _account_instance(piece: Interval, valid: tuple[int, Step], amount: int, rules: Rules, tally: Tally) -> None:
    nano, (_, _, _, parties) = valid
    tally.known += amount
    tally.sm_nano += nano * amount
    if nano >= rules.threshold_nano:
        tally.busy += amount
        share_busy(piece, amount, rules.attribution.timeline(parties), tally)
    elif parties:
        tally.idle_held += amount
    else:
        tally.idle_free += amount
