"""Whose work it was: pod → ClusterQueue → owner or borrower (docs/ledger.md#whose-work-it-was)."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from telemetry.domain.accounting.hold import Interval, Span, held_spans, value_at
from telemetry.domain.accounting.queues import Share, borrowed_shares
from telemetry.domain.accounting.split import whole_weights
from telemetry.domain.sample import HourUsage, Pod, PodQueueSeries, QueueSeries

Party = tuple[Pod, str | None]
"""A pod on a device, with the queue its own labels name (None: they name none)."""

Parties = tuple[Party, ...]


@dataclass(frozen=True, slots=True)
class BusyPart:
    """What one pod does in one role of one queue."""

    role: str
    queue: str
    pod: Pod

    @property
    def order(self) -> tuple[str, str, Pod, bool]:
        """Ties of a split go by queue, then pod uid; a pod's own part before its borrowed one."""
        return self.queue, self.pod.uid, self.pod, self.role == "borrower_busy"


@dataclass(frozen=True, slots=True)
class Split:
    """How busy time is shared out: the parts in the order that settles ties, and their whole-number weights."""

    parts: tuple[BusyPart, ...]
    weights: tuple[int, ...]

    @property
    def holders(self) -> list[tuple[str, Pod]]:
        """Every pod once, with its queue, in the order that settles ties."""
        return list(dict.fromkeys((part.queue, part.pod) for part in self.parts))


class Attribution:
    """Answers, for one hour, which queue a pod ran in and how much of that queue's use was borrowed."""

    UNMANAGED = ""

    def __init__(self, usage: HourUsage, *, expects_queues: bool, hour: Interval) -> None:
        self._hour = hour
        self._labels_say = usage.queue_labels or not (usage.queue_metrics or expects_queues)
        self._pods = self._pod_spans(usage.pod_queues, usage.state_step_ms)
        self._shares = self._queue_shares(usage.queues, usage.state_step_ms)
        self._missing: list[Span[Share]] = [(*hour, None)]
        self._timelines: dict[Parties, list[Span[Split]]] = {}

    def _pod_spans(
        self, series: Sequence[PodQueueSeries], step_ms: int
    ) -> dict[tuple[str, str], list[tuple[str, str, list[Span[float]]]]]:
        pods: dict[tuple[str, str], list[tuple[str, str, list[Span[float]]]]] = defaultdict(list)
        for one in series:
            if not one.queue and not self._labels_say:
                continue  # where no label is exported, a pod's series without one says nothing
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

    def timeline(self, parties: Parties) -> list[Span[Split]]:
        """How a device's busy time is shared out over the whole hour while these pods are on it."""
        if parties not in self._timelines:
            self._timelines[parties] = self._split_spans(parties)
        return self._timelines[parties]

    def _split_spans(self, parties: Parties) -> list[Span[Split]]:
        spans: list[Span[Split]] = []
        for a, b in pairwise(sorted({*self._hour, *(edge for party in parties for edge in self._edges(party))})):
            split = self._split(parties, b)
            if spans and spans[-1][2] == split:
                spans[-1] = (spans[-1][0], b, split)
            else:
                spans.append((a, b, split))
        return spans

    def _edges(self, party: Party) -> set[int]:
        """When the party's queue, or what that queue borrows, may change."""
        pod, label = party
        candidates = [] if label is not None else self._candidates(pod)
        queues = {queue for _, queue, _ in candidates} | ({label} if label else set())
        edges = {edge for queue in queues for span in self._shares.get(queue, ()) for edge in span[:2]}
        if len(queues) > 1:
            edges |= {edge for *_, spans in candidates for span in spans for edge in span[:2]}
        return edges

    def _split(self, parties: Parties, at: int) -> Split:
        """The shares of busy time at an instant: equal between the pods, then between owner and borrower."""
        if not parties:
            return Split((BusyPart("unattributed_busy", "", Pod("", "")),), (1,))
        equal = Fraction(1, len(parties))
        shares = [(part, equal * share) for party in parties for part, share in self._pod_parts(party, at) if share]
        shares.sort(key=lambda one: one[0].order)
        return Split(tuple(part for part, _ in shares), whole_weights([share for _, share in shares]))

    def _pod_parts(self, party: Party, at: int) -> list[tuple[BusyPart, Fraction]]:
        pod, label = party
        queue = self.queue_of(pod, at, label)
        if queue is None:
            return [(BusyPart("unattributed_busy", "", pod), Fraction(1))]
        if queue == self.UNMANAGED:
            return [(BusyPart("unmanaged_busy", "", pod), Fraction(1))]
        borrowed = value_at(self._shares.get(queue, self._missing), at)
        if borrowed is None:
            return [(BusyPart("unattributed_busy", queue, pod), Fraction(1))]
        return [
            (BusyPart("owner_busy", queue, pod), 1 - borrowed),
            (BusyPart("borrower_busy", queue, pod), borrowed),
        ]
