"""Device time into known, busy and idle, and whose it was (docs/ledger.md#quantities)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from telemetry.domain.accounting.attribution import BusyPart, Parties, Split
from telemetry.domain.accounting.device import FROZEN_AFTER, Device, Step, device_steps
from telemetry.domain.accounting.hold import Interval, Span
from telemetry.domain.accounting.node import Rules
from telemetry.domain.accounting.split import largest_remainder
from telemetry.domain.accounting.tally import Tally
from telemetry.domain.details import FROZEN

Stretch = tuple[int, int, Parties]
"""``(start_ms, end_ms, pods)``: a part of a step that counts, with who was on the device."""


def checked_steps(device: Device, rules: Rules, tally: Tally) -> list[Step]:
    """The device's steps, with a flag for what is not to be believed in them."""
    steps, frozen = device_steps(device, rules.step_ms, rules.hour)
    if frozen:
        tally.suspect(device.uuid, FROZEN, f"one value {FROZEN_AFTER} times in a row: its exporter may stand still")
    rejected = sum(1 for step in steps if step[2] is None)
    if rejected:
        tally.flag("samples_rejected", f"{device.uuid} sent {rejected} samples outside 0–1: that time is unknown")
    return steps


def account_whole_gpu(device: Device, allowed: Sequence[Interval], rules: Rules, tally: Tally) -> None:
    """Add the hour of a GPU that is one device to the tally, within the time it counts."""
    outside = known = sm_nano = held = free = labelled = 0
    busy: list[Stretch] = []
    idle: list[Stretch] = []
    for a, b, nano, parties, left in _inside(checked_steps(device, rules, tally), allowed):
        outside += left
        if nano is None or a == b:
            continue
        length = b - a
        known += length
        sm_nano += nano * length
        labelled += length if parties else 0
        if nano >= rules.threshold_nano:
            busy.append((a, b, parties))
        elif parties:
            held += length
            idle.append((a, b, parties))
        else:
            free += length
    tally.known += known
    tally.sm_nano += sm_nano
    tally.busy += known - held - free
    tally.idle_held += held
    tally.idle_free += free
    tally.labelled += labelled
    share_busy_steps(busy, rules, tally)
    share_idle_steps(idle, rules, tally)
    flag_outside(device.uuid, outside, rules, tally)


def _inside(steps: Sequence[Step], allowed: Sequence[Interval]) -> Iterator[tuple[int, int, int | None, Parties, int]]:
    """Each step cut to the time it counts, with the milliseconds of it that do not."""
    if len(allowed) == 1:
        lower, upper = allowed[0]
        for a, b, nano, parties in steps:
            if a >= lower and b <= upper:
                yield a, b, nano, parties, 0
            else:
                start, end = max(a, lower), min(b, upper)
                end = max(start, end)
                yield start, end, nano, parties, b - a - (end - start)
        return
    for a, b, nano, parties in steps:
        inside = 0
        for lower, upper in allowed:
            if max(a, lower) < min(b, upper):
                inside += min(b, upper) - max(a, lower)
                yield max(a, lower), min(b, upper), nano, parties, 0
        yield b, b, nano, parties, b - a - inside


def flag_outside(uuid: str, outside: int, rules: Rules, tally: Tally) -> None:
    """Say which device reported where it could not count; a step at each edge is only two scrapers' phases."""
    if outside > 2 * max(rules.step_ms, rules.state_step_ms):
        tally.flag(
            "devices_rejected",
            f"{uuid} reported {outside // 1000} s outside the pool or beyond the node's GPU count: not counted",
        )


def _runs(steps: Sequence[Stretch]) -> Iterator[tuple[Parties, Sequence[Stretch]]]:
    """Stretches in a row with the same pods, by identity: equal ones in two objects are only slower."""
    at = 0
    while at < len(steps):
        first, parties = at, steps[at][2]
        while at < len(steps) and steps[at][2] is parties:
            at += 1
        yield parties, steps[first:at]


def _shared(run: Sequence[Stretch], weights: Sequence[int]) -> list[int]:
    """Each stretch shared out by itself and then added up; most are of one length, so each length is split once."""
    sums = [0] * len(weights)
    for length, times in Counter(b - a for a, b, _ in run).items():
        for i, ms in enumerate(largest_remainder(length, weights)):
            sums[i] += ms * times
    return sums


def share_busy_steps(steps: Sequence[Stretch], rules: Rules, tally: Tally) -> None:
    """Share out busy steps of a whole GPU; while the shares stay the same they are booked at once."""
    for parties, run in _runs(steps):
        timeline = rules.attribution.timeline(parties)
        if len(timeline) == 1:
            split = timeline[0][2]
            for part, ms in zip(split.parts, _shared(run, split.weights), strict=True):
                credit(part, ms, run[-1][1], tally)
            continue
        for a, b, _ in run:
            share_busy((a, b), b - a, timeline, tally)


def share_busy(step: Interval, amount: int, timeline: Sequence[Span[Split]], tally: Tally) -> None:
    """Share out the ``amount`` GPU-milliseconds of one busy step between the pods on the device.

    The step is cut where the shares change; each cut is split equally between the pods and, within a pod's
    part, between owner and borrower, in one split.
    """
    for (_, until), split, of_piece in _pieces(step, amount, timeline):
        for part, ms in zip(split.parts, largest_remainder(of_piece, split.weights), strict=True):
            credit(part, ms, until, tally)


def _pieces(step: Interval, amount: int, timeline: Sequence[Span[Split]]) -> Iterator[tuple[Interval, Split, int]]:
    """A step cut where the shares change, each cut with its part of the ``amount``."""
    start, end = step
    pieces = [((max(a, start), min(b, end)), split) for a, b, split in timeline if a < end and b > start]
    amounts = [amount] if len(pieces) == 1 else largest_remainder(amount, [b - a for (a, b), _ in pieces])
    for (piece, split), of_piece in zip(pieces, amounts, strict=True):
        yield piece, split, of_piece


def share_idle_steps(steps: Sequence[Stretch], rules: Rules, tally: Tally) -> None:
    """Share out steps in which a whole GPU was held and idle."""
    for parties, run in _runs(steps):
        timeline = rules.attribution.timeline(parties)
        if len(timeline) == 1:
            holders = timeline[0][2].holders
            for holder, ms in zip(holders, _shared(run, [1] * len(holders)), strict=True):
                tally.pods[holder].saw_idle(ms, run[0][0])
            continue
        for a, b, _ in run:
            share_idle((a, b), b - a, timeline, tally)


def share_idle(step: Interval, amount: int, timeline: Sequence[Span[Split]], tally: Tally) -> None:
    """Share out the held but idle GPU-milliseconds of one step equally between the pods on the device."""
    for (since, _), split, of_piece in _pieces(step, amount, timeline):
        holders = split.holders
        for holder, ms in zip(holders, largest_remainder(of_piece, [1] * len(holders)), strict=True):
            tally.pods[holder].saw_idle(ms, since)


def credit(part: BusyPart, ms: int, until: int, tally: Tally) -> None:
    """Book GPU-milliseconds that ended at an instant to whom they belong; say why where nobody can tell."""
    row = tally.queues[part.queue]
    setattr(row, part.role, getattr(row, part.role) + ms)
    if ms and part.pod.name:
        tally.pods[part.queue, part.pod].saw_busy(part.role, ms, until)
    if part.role != "unattributed_busy" or not ms:
        return
    if part.queue:
        tally.flag("queue_metrics_missing", f"queue {part.queue} ran without quota metrics: owner or borrower unknown")
    elif part.pod.name:
        tally.flag("pod_queue_unknown", f"the queue of pod {part.pod.namespace}/{part.pod.name} is not exported")
    else:
        tally.flag("pod_label_missing", "a busy device carried no pod label")
