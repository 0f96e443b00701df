"""One node in one hour: when it was in the pool, and with how many physical GPUs."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from telemetry.domain.accounting.attribution import Attribution
from telemetry.domain.accounting.device import Device, mig_weight
from telemetry.domain.accounting.hold import Interval, Span, clipped, held_spans, joined, length
from telemetry.domain.accounting.tally import Tally
from telemetry.domain.sample import DeviceSeries, NodeUsage

Physical = Span[Fraction]
"""Physical GPUs of a node on ``(start_ms, end_ms]`` while it is in the pool."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What is the same for every node of one pool in one hour; times in ms, θ in billionths."""

    hour: Interval
    step_ms: int
    state_step_ms: int
    gpus_per_node: Decimal
    threshold_nano: int
    attribution: Attribution


def presence(node: NodeUsage, rules: Rules, usable_until_ms: int | None, tally: Tally) -> list[Interval]:
    """When the node was joined to the pool, without the time past its reservation's usable life."""
    spans = [(a, b) for a, b, there in held_spans(node.presence, rules.state_step_ms, rules.hour) if there > 0]
    here = joined(spans)
    if usable_until_ms is None or not here or here[-1][1] <= usable_until_ms:
        return here
    tally.flag(
        "past_usable_until",
        f"node {node.node} was still in the pool after its reservation's usable end: that time is left out",
    )
    return [(a, min(b, usable_until_ms)) for a, b in here if a < usable_until_ms]


def physical_spans(node: NodeUsage, here: Sequence[Interval], rules: Rules, tally: Tally) -> list[Physical]:
    """Physical GPUs while the node was in the pool: what Kubernetes says, at most the instance type's count.

    Under time-slicing Kubernetes counts one GPU several times, hence the cap; under MIG it does not count whole
    GPUs at all, hence the instance type's own count there.
    """
    cap = Fraction(rules.gpus_per_node)
    if node.physical_label is not None:
        cap = min(cap, Fraction(node.physical_label))
    says = held_spans(node.capacity, rules.state_step_ms, rules.hour)
    mig = joined((a, b) for a, b, n in held_spans(node.mig_capacity, rules.state_step_ms, rules.hour) if n > 0)
    whole = [(a, b, min(cap, Fraction(n))) for a, b, n in says if n >= 0]
    spans = [(a, b, cap) for a, b in mig] + _outside(whole, mig)
    result = clipped(sorted(spans), here)
    missing = length(here) - length((a, b) for a, b, _ in result)
    if missing > rules.state_step_ms:
        tally.flag("node_data_gap", f"node {node.node} was in the pool for {missing // 1000} s without a GPU count")
    return [span for span in result if span[2] > 0]


def _outside(spans: list[Physical], taken: list[Interval]) -> list[Physical]:
    if not taken or not spans:
        return spans
    free: list[Interval] = []
    at = spans[0][0]
    for a, b in taken:
        if a > at:
            free.append((at, a))
        at = max(at, b)
    if at < spans[-1][1]:
        free.append((at, spans[-1][1]))
    return clipped(spans, free)


def gpus_of(node: NodeUsage, tally: Tally) -> dict[str, list[Device]]:
    """The node's devices by physical GPU (UUID), GPU instances of one GPU together."""
    series: dict[tuple[str, str], list[DeviceSeries]] = defaultdict(list)
    for one in node.devices:
        series[(one.uuid, one.gpu_instance)].append(one)
    gpus: dict[str, list[Device]] = defaultdict(list)
    for (uuid, instance), several in sorted(series.items()):
        weight: Fraction | None = Fraction(1)
        if instance:
            weight = mig_weight(several[0].profile, several[0].model)
        if weight is None:
            tally.flag("profile_unreadable", f"GPU instance {instance} of {uuid} has no readable profile: left out")
            continue
        gpus[uuid].append(Device(uuid, instance, weight, tuple(several)))
    return gpus
