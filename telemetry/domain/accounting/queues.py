"""Whose work it was: pod → ClusterQueue → owner or borrower (DESIGN §3, the ledger's last row)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from telemetry.domain.accounting.hold import Interval, Span, held_spans, merged_samples, value_at
from telemetry.domain.sample import HourUsage, Pod, PodQueueSeries, QueueSeries, Samples

Share = Fraction | None
"""A queue's borrowed fraction; None where its quota metrics are missing."""


def borrowed_share(usage: Fraction, nominal: Fraction, *, cohort: bool) -> Fraction:
    """max(0, usage − nominal) ÷ usage of a queue in a cohort; 0 outside any or unused, 1 when it owns nothing."""
    if not cohort or usage == 0:
        return Fraction(0)
    if nominal == 0:
        return Fraction(1)
    return max(Fraction(0), usage - nominal) / usage


def borrowed_shares(series: Sequence[QueueSeries], step_ms: int, hour: Interval) -> list[Span[Share]]:
    """One queue's borrowed fraction over the whole hour, its flavors added up; None where metrics are missing."""
    flavors = sorted({one.flavor for one in series})
    usage = [_spans([s.usage for s in series if s.flavor == flavor], step_ms, hour) for flavor in flavors]
    nominal = [_spans([s.nominal for s in series if s.flavor == flavor], step_ms, hour) for flavor in flavors]
    cohort = _spans([s.usage for s in series if s.cohort], step_ms, hour)
    edges = {edge for spans in [*usage, *nominal, cohort] for span in spans for edge in span[:2]}
    shares: list[Span[Share]] = []
    for a, b in pairwise(sorted({*hour, *edges})):
        used = [value_at(spans, b) for spans in usage]
        owned = [value_at(spans, b) for spans in nominal]
        share = _share_of_totals(used, owned, cohort=value_at(cohort, b) is not None)
        if shares and shares[-1][2] == share:
            shares[-1] = (shares[-1][0], b, share)
        else:
            shares.append((a, b, share))
    return shares


def _spans(series: Sequence[Samples], step_ms: int, hour: Interval) -> list[Span[float]]:
    return held_spans(merged_samples(series), step_ms, hour) if series else []


def _share_of_totals(used: list[float | None], owned: list[float | None], *, cohort: bool) -> Share:
    """A flavor with neither figure is not used here; one with only half of them makes the share unknown."""
    total_used = total_owned = Fraction(0)
    seen = False
    for usage, nominal in zip(used, owned, strict=True):
        if usage is None and nominal is None:
            continue
        if usage is None or nominal is None:
            return None
        seen = True
        total_used += Fraction(usage)
        total_owned += Fraction(nominal)
    return borrowed_share(total_used, total_owned, cohort=cohort) if seen else None


Party = tuple[Pod, str | None]
"""A pod on a device, with the queue its own labels name (None: they name none)."""


@dataclass(frozen=True, slots=True)
class BusyPart:
    """The share of a busy device step that belongs to one pod in one role of one queue."""

    share: Fraction
    role: str
    queue: str
    pod: Pod

    @property
    def order(self) -> tuple[str, str, Pod, bool]:
        """Ties of a split go by queue, then pod uid; a pod's own part before its borrowed one."""
        return self.queue, self.pod.uid, self.pod, self.role == "borrower_busy"


class Attribution:
    """Answers, for one hour, which queue a pod ran in and how much of that queue's use was borrowed."""

    UNMANAGED = ""

    def __init__(self, usage: HourUsage, *, expects_queues: bool, hour: Interval) -> None:
        self._hour = hour
        self._labels_say = usage.queue_labels or not (usage.queue_metrics or expects_queues)
        self._pods = self._pod_spans(usage.pod_queues, usage.state_step_ms)
        self._shares = self._queue_shares(usage.queues, usage.state_step_ms)
        self._missing: list[Span[Share]] = [(*hour, None)]
        self._constant: dict[tuple[Party, ...], BusyPart | None] = {}

    def _pod_spans(
        self, series: Sequence[PodQueueSeries], step_ms: int
    ) -> dict[tuple[str, str], list[tuple[str, str, list[Span[float]]]]]:
        pods: dict[tuple[str, str], list[tuple[str, str, list[Span[float]]]]] = defaultdict(list)
        for one in series:
            spans = held_spans(one.samples, step_ms, self._hour)
            pods[(one.pod.namespace, one.pod.name)].append((one.pod.uid, one.queue, spans))
        return pods

    def _queue_shares(self, series: Sequence[QueueSeries], step_ms: int) -> dict[str, list[Span[Share]]]:
        by_queue: dict[str, list[QueueSeries]] = defaultdict(list)
        for one in series:
            by_queue[one.cluster_queue].append(one)
        return {name: borrowed_shares(several, step_ms, self._hour) for name, several in by_queue.items()}

    def queue_of(self, pod: Pod, at: int, own_label: str | None = None) -> str | None:
        """The pod's ClusterQueue at an instant, ``UNMANAGED`` outside any, None where nobody can say."""
        if own_label is not None:
            return own_label
        candidates = self._candidates(pod)
        queues = {queue for _, queue, _ in candidates}
        if len(queues) == 1:
            return queues.pop()
        for _, queue, spans in candidates:
            if value_at(spans, at) is not None:
                return queue
        if candidates:
            return None
        return self.UNMANAGED if self._labels_say else None

    def _candidates(self, pod: Pod) -> list[tuple[str, str, list[Span[float]]]]:
        named = self._pods.get((pod.namespace, pod.name), [])
        return [one for one in named if one[0] in ("", pod.uid)] or named if pod.uid else named

    def shares_of(self, queue: str) -> list[Span[Share]]:
        """The borrowed fraction of a queue over the hour."""
        return self._shares.get(queue, self._missing)

    def constant_part(self, parties: tuple[Party, ...]) -> BusyPart | None:
        """The one part all busy steps of these pods are in the whole hour; None where steps must be split."""
        if parties not in self._constant:
            self._constant[parties] = self._find_constant_part(parties)
        return self._constant[parties]

    def _find_constant_part(self, parties: tuple[Party, ...]) -> BusyPart | None:
        if len(parties) > 1 or any(self._changes_queue(pod, label) for pod, label in parties):
            return None
        end = self._hour[1]
        for pod, label in parties:
            queue = self.queue_of(pod, end, label)
            if queue and len(self.shares_of(queue)) > 1:
                return None
        parts = busy_parts(end, parties, self)
        return parts[0] if len(parts) == 1 else None

    def _changes_queue(self, pod: Pod, label: str | None) -> bool:
        return label is None and len({queue for _, queue, _ in self._candidates(pod)}) > 1


def busy_parts(at: int, parties: Sequence[Party], attribution: Attribution) -> list[BusyPart]:
    """The shares (they sum to 1) of a busy device step that ends at ``at``, in the order that settles ties."""
    if not parties:
        return [BusyPart(Fraction(1), "unattributed_busy", "", Pod("", ""))]
    equal = Fraction(1, len(parties))
    parts = [part for party in parties for part in _pod_parts(party, equal, at, attribution)]
    return sorted(parts, key=lambda part: part.order)


def _pod_parts(party: Party, equal: Fraction, at: int, attribution: Attribution) -> list[BusyPart]:
    pod, label = party
    queue = attribution.queue_of(pod, at, label)
    if queue is None:
        return [BusyPart(equal, "unattributed_busy", "", pod)]
    if queue == attribution.UNMANAGED:
        return [BusyPart(equal, "unmanaged_busy", "", pod)]
    borrowed = value_at(attribution.shares_of(queue), at)
    if borrowed is None:
        return [BusyPart(equal, "unattributed_busy", queue, pod)]
    parts = [
        BusyPart(equal * (1 - borrowed), "owner_busy", queue, pod),
        BusyPart(equal * borrowed, "borrower_busy", queue, pod),
    ]
    return [part for part in parts if part.share]
