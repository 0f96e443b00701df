"""Device time into known, busy and idle, and whose it was (DESIGN §3)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from telemetry.domain.accounting.device import Device, Step, device_steps
from telemetry.domain.accounting.hold import Interval
from telemetry.domain.accounting.node import Rules
from telemetry.domain.accounting.queues import BusyPart, Party, busy_parts
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
    steps = checked_steps(device, rules, tally)
    constant = {parties: rules.attribution.constant_part(parties) for parties in {step[3] for step in steps}}
    credits: dict[tuple[Party, ...], int] = {}
    outside = 0
    for a, b, nano, parties, left in _inside(steps, allowed):
        outside += left
        length = b - a
        if nano is None or not length:
            continue
        tally.known += length
        tally.sm_nano += nano * length
        if nano < rules.threshold_nano:
            if parties:
                tally.idle_held += length
            else:
                tally.idle_free += length
        elif constant[parties] is None:
            tally.busy += length
            add_busy((a, b), length, parties, rules, tally)
        else:
            tally.busy += length
            credits[parties] = credits.get(parties, 0) + length
    for parties, ms in credits.items():
        part = constant[parties]
        if part is not None:
            credit(part, ms, tally)
    flag_outside(device.uuid, outside, rules, tally)


def _inside(
    steps: Sequence[Step], allowed: Sequence[Interval]
) -> Iterator[tuple[int, int, int | None, tuple[Party, ...], int]]:
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


def add_busy(step: Interval, amount: int, parties: Sequence[Party], rules: Rules, tally: Tally) -> None:
    """Share out the ``amount`` GPU-milliseconds of a busy step between the pods on the device.

    The step is cut where a queue's borrowed fraction changes; each cut is split equally between the pods
    and, within a pod's part, between owner and borrower.
    """
    cuts = _cuts(step, parties, rules)
    lengths = [Fraction(b - a, step[1] - step[0]) for a, b in cuts]
    for (_, end), ms in zip(cuts, largest_remainder(amount, lengths), strict=True):
        parts = busy_parts(end, parties, rules.attribution)
        for part, of_part in zip(parts, largest_remainder(ms, [part.share for part in parts]), strict=True):
            credit(part, of_part, tally)


def _cuts(step: Interval, parties: Sequence[Party], rules: Rules) -> list[Interval]:
    start, end = step
    edges: set[int] = set()
    for pod, label in parties:
        queue = rules.attribution.queue_of(pod, end, label)
        if queue:
            edges |= {b for _, b, _ in rules.attribution.shares_of(queue) if start < b < end}
    return list(pairwise([start, *sorted(edges), end]))


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
