"""Kueue's quotas and the queue each pod belongs to."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from telemetry.domain.sample import Pod, PodQueueSeries, QueueSeries, Samples
from telemetry.sources.prometheus.names import Limits, SeriesNames
from telemetry.sources.prometheus.presence import Inventory
from telemetry.sources.prometheus.questions import Questions
from telemetry.sources.prometheus.series import SampleReader, Series, SharedSamples, grouped, merged_state

Ask = Callable[[str], list[Series]]


def queue_series(ask: Ask, questions: Questions) -> tuple[tuple[QueueSeries, ...], bool]:
    """Quota and usage of every ClusterQueue (of the pool's flavor, if it names one), and whether any exist at all.

    Leader and followers export the same queue; the larger value at each instant counts.
    """
    found = ask(questions.queues())
    wanted = [series for series in found if questions.flavor in ("", series["metric"].get("flavor", ""))]
    usage = _by_queue(wanted, questions.names.queue_usage_metric, questions)
    nominal = _by_queue(wanted, questions.names.queue_nominal_metric, questions)
    queues = tuple(
        QueueSeries(key[0], key[2], key[1], usage=usage.get(key, ()), nominal=nominal.get(key, ()))
        for key in sorted(usage.keys() | nominal.keys())
    )
    return queues, bool(found)


def _by_queue(found: list[Series], metric: str, questions: Questions) -> dict[tuple[str, str, str], Samples]:
    def queue(labels: Mapping[str, str]) -> tuple[str, str, str] | None:
        name = labels.get("cluster_queue")
        return (name, labels.get("flavor", ""), labels.get("cohort", "")) if name else None

    series = [one for one in found if one["metric"]["__name__"] == metric]
    groups = grouped(series, queue, SampleReader(questions.start_ms))
    return {key: merged_state(parts) for key, parts in groups.items()}


def pod_queues(
    ask: Ask, questions: Questions, limits: Limits, inventory: Inventory
) -> tuple[tuple[PodQueueSeries, ...], bool]:
    """The queue label over time of every pod with a GPU on the pool's nodes, and whether pod labels are exported."""
    pods = _pods_of_interest(ask, questions, limits, inventory)
    groups: dict[tuple[Pod, str], Samples] = {}
    share, exported = SharedSamples(), False
    for shard in shards(sorted({name for _, name in pods}), limits.pods_per_shard):
        found = ask(questions.pod_labels(shard))
        exported = exported or any(label.startswith("label_") for series in found for label in series["metric"])
        for key, parts in _by_pod_and_queue(found, pods, questions).items():
            groups[key] = share(merged_state(parts))
    return tuple(PodQueueSeries(pod, queue, samples) for (pod, queue), samples in sorted(groups.items())), exported


def _pods_of_interest(ask: Ask, questions: Questions, limits: Limits, inventory: Inventory) -> set[tuple[str, str]]:
    asked = (questions.names.state_pod_label, questions.names.state_namespace_label)
    pairs = {asked, inventory.pod_labels or asked}
    pods = set()
    for shard in shards(sorted(inventory.nodes), limits.nodes_per_shard):
        found = ask(questions.pods_on(shard))
        if inventory.pod_labels:
            for label in inventory.hostname_labels:
                found += ask(questions.pods_on_devices(label, shard, inventory.pod_labels))
        for labels in (series["metric"] for series in found):
            pods |= {(labels.get(namespace, ""), labels[pod]) for pod, namespace in pairs if pod in labels}
    return pods


def _by_pod_and_queue(
    found: list[Series], pods: set[tuple[str, str]], questions: Questions
) -> dict[tuple[Pod, str], list[Samples]]:
    names = questions.names

    def pod_and_queue(labels: Mapping[str, str]) -> tuple[Pod, str] | None:
        pod = state_pod(labels, names)
        return (pod, labels.get(names.pod_queue_label, "")) if pod and (pod.namespace, pod.name) in pods else None

    return grouped(found, pod_and_queue, SampleReader(questions.start_ms))


def state_pod(labels: Mapping[str, str], names: SeriesNames) -> Pod | None:
    """The pod a series of kube-state-metrics speaks of, None where it names none."""
    name = labels.get(names.state_pod_label)
    if not name:
        return None
    return Pod(labels.get(names.state_namespace_label, ""), name, labels.get(names.state_uid_label, ""))


def shards(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """The items in runs of at most ``size``, so that one answer stays small."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
