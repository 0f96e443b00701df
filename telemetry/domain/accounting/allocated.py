"""GPUs that bound, non-terminal pods hold on a node (docs/ledger.md#quantities)."""

import re
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from telemetry.domain.accounting.device import mig_weight
from telemetry.domain.accounting.hold import Interval, Span, clipped, held_spans, joined, merged_samples, value_at
from telemetry.domain.accounting.node import Physical, Rules
from telemetry.domain.accounting.split import largest_remainder, whole_weights
from telemetry.domain.accounting.tally import Tally
from telemetry.domain.sample import NodeUsage, Pod, RequestSeries, Samples

MIG_RESOURCE = re.compile(r"mig_(\d+g)_(\d+gb)")
Need = list[Span[Fraction]]


def account_allocation(node: NodeUsage, physical: Sequence[Physical], rules: Rules, tally: Tally) -> None:
    """Add the node's allocated GPU time to the tally, by queue, at most its physical count at any time.

    Where pods ask for more than there is (time-slicing), the cut is shared pro rata and flagged.
    """
    needs = _held_needs(node, rules, tally)
    if not needs:
        return
    edges = {edge for spans in needs.values() for a, b, _ in spans for edge in (a, b)}
    edges |= {edge for a, b, _ in physical for edge in (a, b)}
    for a, b in pairwise(sorted(edges)):
        size = value_at(physical, b)
        wanted = [(pod, need) for pod, spans in needs.items() if (need := value_at(spans, b))]
        if size is None or not wanted:
            continue
        _account_piece((a, b), size, wanted, (node.node, rules, tally))


def _account_piece(
    piece: Interval,
    size: Fraction,
    wanted: Sequence[tuple[Pod, Fraction]],
    context: tuple[str, Rules, Tally],
) -> None:
    node, rules, tally = context
    start, at = piece
    total = sum((need for _, need in wanted), Fraction(0))
    if total > size:
        tally.flag("allocated_capped", f"pods on node {node} ask for more GPUs than it has: cut pro rata")
    whole = max(total, size)
    tally.held.append((start, at, min(total, size)))
    queued = sorted(
        ((rules.attribution.queue_of(pod, at) or "", pod.uid, pod, need) for pod, need in wanted),
        key=lambda row: row[:3],
    )
    shares = [need / whole for *_, need in queued]
    amounts = largest_remainder(int((at - start) * size), whole_weights([*shares, 1 - sum(shares, Fraction(0))]))
    for (queue, _, pod, _), amount in zip(queued, amounts, strict=False):
        tally.allocated += amount
        tally.queues[queue].allocated += amount
        tally.pods[queue, pod].allocated += amount


def _held_needs(node: NodeUsage, rules: Rules, tally: Tally) -> dict[Pod, Need]:
    """Per pod, the GPUs it holds while its phase is Pending or Running and it is bound to this node."""
    phases: dict[Pod, list[Samples]] = defaultdict(list)
    for phase in node.phases:
        phases[phase.pod].append(phase.samples)
    requests: dict[Pod, list[RequestSeries]] = defaultdict(list)
    for request in node.requests:
        requests[request.pod].append(request)
    model = next((device.model for device in node.devices if device.model), "")
    needs: dict[Pod, Need] = {}
    for pod in sorted(requests):
        if pod not in phases:
            tally.flag("phase_missing", f"pod {pod.namespace}/{pod.name} has no phase: not counted as allocated")
            continue
        spans = held_spans(merged_samples(phases[pod]), rules.state_step_ms, rules.hour)
        alive = joined((a, b) for a, b, there in spans if there > 0)
        needs[pod] = clipped(_pod_need(requests[pod], model, rules), alive)
    return needs


def _pod_need(requests: Sequence[RequestSeries], model: str, rules: Rules) -> Need:
    """max(Σ containers, largest init container), resource by resource, as GPUs over time."""
    by_container: dict[tuple[str, str, bool], list[Samples]] = defaultdict(list)
    for one in requests:
        by_container[(one.resource, one.container, one.init)].append(one.samples)
    spans = {
        key: held_spans(merged_samples(several), rules.state_step_ms, rules.hour)
        for key, several in by_container.items()
    }
    resources = sorted({resource for resource, _, _ in spans})
    edges = sorted({edge for several in spans.values() for a, b, _ in several for edge in (a, b)})
    need: Need = []
    for a, b in pairwise(edges):
        total = Fraction(0)
        for resource in resources:
            weight = _resource_weight(resource, model)
            now = {key[2]: Fraction(0) for key in spans}
            for key, several in spans.items():
                value = max(Fraction(value_at(several, b) or 0), Fraction(0)) if key[0] == resource else Fraction(0)
                now[key[2]] = max(now[True], value) if key[2] else now[False] + value
            total += weight * max(now.values())
        if total:
            need.append((a, b, total))
    return need


def _resource_weight(resource: str, model: str) -> Fraction:
    mig = MIG_RESOURCE.search(resource)
    weight = mig_weight(f"{mig[1]}.{mig[2]}", model) if mig else Fraction(1)
    return Fraction(1) if weight is None else weight
