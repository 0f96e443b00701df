"""Device time into known, busy and idle, and whose it was (docs/ledger.md#quantities)."""

from collections.abc import Iterator, Sequence

from telemetry.domain.accounting.attribution import BusyPart, Parties, Split
from telemetry.domain.accounting.device import Device, Step, device_steps
from telemetry.domain.accounting.hold import Interval, Span
from telemetry.domain.accounting.node import Rules
from telemetry.domain.accounting.split import largest_remainder
from telemetry.domain.accounting.tally import Tally


def checked_steps(device: Device, rules: Rules, tally: Tally) -> list[Step]:
    """The device's steps, with a flag for what is not to be believed in them."""
    steps, frozen = device_steps(device, rules.step_ms, rules.hour)
    if frozen:
        tally.flag("suspect", f"{device.uuid} repeated one value bit by bit: its exporter may stand still")
    rejected = sum(1 for step in steps if step[2] is None)
    if rejected:
        tally.flag("samples_rejected", f"{device.uuid} sent {rejected} samples outside 0–1: that time is unknown")
    return steps


def account_whole_gpu(device: Device, allowed: Sequence[Interval], rules: Rules, tally: Tally) -> None:
    """Add the hour of a GPU that is one device to the tally, within the time it counts."""
    outside = known = sm_nano = held = free = labelled = 0
    busy: list[tuple[int, int, Parties]] = []
    for a, b, nano, parties, left in _inside(checked_steps(device, rules, tally), allowed):
        outside += left
        if nano is None:
            continue
        length = b - a
        known += length
        sm_nano += nano * length
        labelled += length if parties else 0
        if nano >= rules.threshold_nano:
            busy.append((a, b, parties))
        elif parties:
            held += length
        else:
            free += length
    tally.known += known
    tally.sm_nano += sm_nano
    tally.busy += known - held - free
    tally.idle_held += held
    tally.idle_free += free
    tally.labelled += labelled
    share_busy_steps(busy, rules, tally)
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


def share_busy_steps(steps: Sequence[tuple[int, int, Parties]], rules: Rules, tally: Tally) -> None:
    """Share out busy steps of a whole GPU; where one pod in one role has all of them they are booked at once."""
    at = 0
    while at < len(steps):
        parties = steps[at][2]
        timeline = rules.attribution.timeline(parties)
        first = at
        while at < len(steps) and steps[at][2] is parties:
            at += 1
        run = steps[first:at]
        if len(timeline) == 1 and len(timeline[0][2].parts) == 1:
            credit(timeline[0][2].parts[0], sum(b - a for a, b, _ in run), tally)
            continue
        for a, b, _ in run:
            share_busy((a, b), b - a, timeline, tally)


def share_busy(step: Interval, amount: int, timeline: Sequence[Span[Split]], tally: Tally) -> None:
    """Share out the ``amount`` GPU-milliseconds of one busy step between the pods on the device.

    The step is cut where the shares change; each cut is split equally between the pods and, within a pod's
    part, between owner and borrower, in one split.
    """
    start, end = step
    pieces = [(min(b, end) - max(a, start), split) for a, b, split in timeline if a < end and b > start]
    amounts = [amount] if len(pieces) == 1 else largest_remainder(amount, [length for length, _ in pieces])
    for (_, split), of_piece in zip(pieces, amounts, strict=True):
        for part, ms in zip(split.parts, largest_remainder(of_piece, split.weights), strict=True):
            credit(part, ms, tally)


def credit(part: BusyPart, ms: int, tally: Tally) -> None:
    """Book GPU-milliseconds to whom they belong, and say why where nobody can tell."""
    row = tally.queues[part.queue]
    setattr(row, part.role, getattr(row, part.role) + ms)
    if part.role != "unattributed_busy" or not ms:
        return
    if part.queue:
        tally.flag("queue_metrics_missing", f"queue {part.queue} ran without quota metrics: owner or borrower unknown")
    elif part.pod.name:
        tally.flag("pod_queue_unknown", f"the queue of pod {part.pod.namespace}/{part.pod.name} is not exported")
    else:
        tally.flag("pod_label_missing", "a busy device carried no pod label")
