"""The pool's nodes with all they hold, a shard of them in memory at a time."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor

from telemetry.domain.sample import DeviceSeries, NodeUsage, PhaseSeries, Pod, RequestSeries, Samples
from telemetry.sources.prometheus.devices import DeviceKey, device_key
from telemetry.sources.prometheus.garbage import paused_gc
from telemetry.sources.prometheus.names import Limits
from telemetry.sources.prometheus.presence import Inventory
from telemetry.sources.prometheus.questions import Questions
from telemetry.sources.prometheus.queues import shards, state_pod
from telemetry.sources.prometheus.series import (
    SampleReader,
    Series,
    grouped,
    merged_activity,
    merged_state,
    summed_state,
)
from telemetry.sources.prometheus.suspects import silent_while_busy

Ask = Callable[[str], list[Series]]
RequestKey = tuple[str, Pod, str, str, bool]


class NodeReader:
    """Asks shard by shard; ``suspects`` fills while the nodes are read."""

    def __init__(self, ask: Ask, questions: Questions, found: Inventory, limits: Limits) -> None:
        self._ask = ask
        self._questions = questions
        self._found = found
        self._limits = limits
        self._read = SampleReader(questions.start_ms)
        self.suspects: dict[str, str] = {}

    def nodes(self) -> Iterator[NodeUsage]:
        """Every node of the pool, by name; the engine works on the next shard while this one is accounted for."""
        with ThreadPoolExecutor(max_workers=1) as ahead:
            coming: Future[list[NodeUsage]] | None = None
            for shard in shards(sorted(self._found.nodes), self._limits.nodes_per_shard):
                following = ahead.submit(self._shard, shard)
                if coming is not None:
                    yield from coming.result()
                coming = following
            if coming is not None:
                yield from coming.result()

    def _shard(self, nodes: Sequence[str]) -> list[NodeUsage]:
        with paused_gc():
            return self._read_shard(nodes)

    def _read_shard(self, nodes: Sequence[str]) -> list[NodeUsage]:
        state = _by_metric(self._ask(self._questions.node_state(nodes)))
        requests = self._requests(state)
        phases = self._phases({request.pod for asked in requests.values() for request in asked})
        devices = self._devices(nodes)
        self._suspect(nodes, devices)
        names = self._questions.names
        presence = self._state(state[names.node_labels_metric], self._joined)
        capacity, mig_capacity = self._capacities(state[names.node_capacity_metric])
        physical = self._physical_counts(state[names.node_labels_metric])
        return [
            NodeUsage(
                node=node,
                match_value=self._found.nodes[node],
                presence=presence.get(node, ()),
                capacity=capacity.get(node, ()),
                mig_capacity=mig_capacity.get(node, ()),
                physical_label=physical.get(node),
                devices=tuple(devices[node]),
                requests=tuple(requests[node]),
                phases=_of_pods(requests[node], phases),
            )
            for node in nodes
        ]

    def _joined(self, labels: Mapping[str, str]) -> str | None:
        ours = labels.get(self._questions.node_label) in self._questions.node_values
        return labels.get(self._questions.names.state_node_label) if ours else None

    def _state(self, found: list[Series], key: Callable[[Mapping[str, str]], str | None]) -> dict[str, Samples]:
        return {name: merged_state(parts) for name, parts in grouped(found, key, self._read).items()}

    def _capacities(self, found: list[Series]) -> tuple[dict[str, Samples], dict[str, Samples]]:
        names = self._questions.names
        parts: dict[bool, dict[str, list[Samples]]] = {False: defaultdict(list), True: defaultdict(list)}

        def node_and_resource(labels: Mapping[str, str]) -> tuple[str, str]:
            return labels.get(names.state_node_label, ""), labels.get("resource", "")

        for (node, resource), views in sorted(grouped(found, node_and_resource, self._read).items()):
            if resource:
                parts[resource.startswith(names.mig_resource_prefix)][node].append(merged_state(views))
        whole, mig = ({node: summed_state(of) for node, of in kind.items()} for kind in parts.values())
        return whole, mig

    def _physical_counts(self, found: list[Series]) -> dict[str, int]:
        names, counts = self._questions.names, {}
        for series in found:
            written = series["metric"].get(names.physical_count_label, "")
            if written.isascii() and written.isdigit():
                counts[series["metric"].get(names.state_node_label, "")] = int(written)
        return counts

    def _requests(self, state: dict[str, list[Series]]) -> dict[str, list[RequestSeries]]:
        names = self._questions.names

        def key(labels: Mapping[str, str]) -> RequestKey | None:
            pod, resource = state_pod(labels, names), labels.get("resource", "")
            if not pod or not resource:
                return None
            init = labels["__name__"] == names.init_requests_metric
            node = labels.get(names.state_node_label, "")
            return node, pod, labels.get(names.state_container_label, ""), resource, init

        asked: dict[str, list[RequestSeries]] = defaultdict(list)
        found = state[names.requests_metric] + state[names.init_requests_metric]
        for (node, pod, container, resource, init), parts in sorted(grouped(found, key, self._read).items()):
            asked[node].append(RequestSeries(pod, container, resource, merged_state(parts), init))
        return asked

    def _phases(self, pods: set[Pod]) -> dict[Pod, Samples]:
        names, phases = self._questions.names, {}

        def ours(labels: Mapping[str, str]) -> Pod | None:
            pod = state_pod(labels, names)
            return pod if pod in pods else None

        for shard in shards(sorted({pod.name for pod in pods}), self._limits.pods_per_shard):
            for pod, parts in grouped(self._ask(self._questions.phases(shard)), ours, self._read).items():
                phases[pod] = merged_state(parts)
        return phases

    def _devices(self, nodes: Sequence[str]) -> dict[str, list[DeviceSeries]]:
        questions, wanted = self._questions, set(nodes)
        groups: dict[tuple[str, DeviceKey], list[Samples]] = defaultdict(list)
        for label in self._found.hostname_labels:
            found = self._ask(questions.activity(label, nodes))
            while found:  # each raw series is let go as soon as it is read
                series = found.pop()
                key, node = device_key(series["metric"], self._found, questions.names), series["metric"][label]
                read = self._read(series, questions.busy_metric_scale)
                if read and node in wanted:
                    groups[node, key].append(read)
        devices: dict[str, list[DeviceSeries]] = defaultdict(list)
        for (node, key), parts in sorted(groups.items()):
            devices[node].append(key.series(merged_activity(parts)))
        return devices

    def _suspect(self, nodes: Sequence[str], devices: Mapping[str, Sequence[DeviceSeries]]) -> None:
        for label in self._found.hostname_labels:
            called_busy = self._ask(self._questions.called_busy(label, nodes))
            if called_busy:
                self.suspects |= silent_while_busy(called_busy, devices, self._questions)


def _of_pods(requests: Sequence[RequestSeries], phases: Mapping[Pod, Samples]) -> tuple[PhaseSeries, ...]:
    pods = sorted({request.pod for request in requests})
    return tuple(PhaseSeries(pod, phases[pod]) for pod in pods if pod in phases)


def _by_metric(found: list[Series]) -> dict[str, list[Series]]:
    metrics: dict[str, list[Series]] = defaultdict(list)
    for series in found:
        metrics[series["metric"]["__name__"]].append(series)
    return metrics
