"""What a metrics engine holds of one hour: which kinds of series, which label spellings, which of the pool's nodes."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from telemetry.sources.prometheus.questions import Questions
from telemetry.sources.prometheus.series import Series

Ask = Callable[[str], list[Series]]

POD_LABELS = {"exported_pod": "exported_namespace", "pod_name": "pod_namespace", "pod": "namespace"}
"""Which namespace label goes with which pod label of the exporter."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """``nodes`` maps each of the pool's nodes to the label value that joined it; ``pod_labels`` is the exporter's
    pair (pod, namespace) for workloads, None where it has none; ``counts`` how many series of each kind exist."""

    counts: dict[str, int]
    nodes: dict[str, str]
    hostname_labels: tuple[str, ...]
    pod_labels: tuple[str, str] | None
    node_data: bool
    allocation_data: bool

    def exists(self, kind: str) -> bool:
        """Whether any series of this kind exists in the window."""
        return self.counts.get(kind, 0) > 0

    @property
    def sm_exported(self) -> bool:
        """Whether the busy metric exists at all."""
        return self.exists("sm")


def inventory(ask: Ask, questions: Questions, warnings: list[str]) -> Inventory:
    """What there is to read, in three questions, and more only where something seems to be missing."""
    counts = {series["metric"].get("what", ""): _count(series) for series in ask(questions.what_exists())}
    counts |= _spellings(ask(questions.exporter_spellings()), questions)
    # before its first reservation a pool has no label to look for, and no node
    labelled = ask(questions.labelled_nodes()) if questions.node_values else []
    nodes = _nodes(labelled, questions, warnings)
    hostnames = tuple(label for label in questions.hostname_labels if label in counts)
    if "sm" in counts and not hostnames:
        spellings = " or ".join(questions.hostname_labels)
        warnings.append(
            f"no series of {questions.busy_metric} carries the label {spellings}: set node_label of the source"
        )
    capacity = "capacity" in counts or "gpu_capacity" in counts
    return Inventory(
        counts=counts,
        nodes=nodes,
        hostname_labels=hostnames,
        pod_labels=_pod_labels(ask, questions, counts),
        node_data=capacity and (bool(nodes) or _labels_exported(ask, questions)),
        allocation_data="requests" in counts or bool(ask(questions.pods_exist())),
    )


def _spellings(found: list[Series], questions: Questions) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for series in found:
        counts["sm"] += _count(series)
        for number, label in enumerate(questions.exporter_labels):
            if f"has_{number}" in series["metric"]:
                counts[label] += _count(series)
    return dict(counts)


def _count(series: Series) -> int:
    return int(float(series["value"][1]))


def _nodes(found: list[Series], questions: Questions, warnings: list[str]) -> dict[str, str]:
    names = questions.names
    clusters = {cluster for series in found if (cluster := series["metric"].get(names.cluster_label))}
    if len(clusters) > 1:
        warnings.append(f"nodes of several clusters answer ({', '.join(sorted(clusters))}): set cluster of the source")
    joined = [
        (series["metric"].get(names.state_node_label), series["metric"][questions.node_label]) for series in found
    ]
    return {node: value for node, value in sorted(joined, key=str) if node}


def _labels_exported(ask: Ask, questions: Questions) -> bool:
    # No node is ours: either none runs, or kube-state-metrics was not told to export node labels.
    return any(label.startswith("label_") for series in ask(questions.any_node_labels()) for label in series["metric"])


def _pod_labels(ask: Ask, questions: Questions, counts: dict[str, int]) -> tuple[str, str] | None:
    fixed = questions.names.pod_label
    if fixed:
        namespace = questions.names.namespace_label or POD_LABELS.get(fixed, "namespace")
        return (fixed, namespace) if fixed in counts else None
    for label, namespace in POD_LABELS.items():
        if label in counts and (label != "pod" or _workloads(ask, questions, counts)):
            return label, namespace
    return None


def _workloads(ask: Ask, questions: Questions, counts: dict[str, int]) -> bool:
    # Without honor_labels the plain pod label names the exporter itself, which asks for no GPU and stands on every
    # series; where kube-state-metrics is silent, only a series without the label proves that it means workloads.
    if "requests" in counts:
        return bool(ask(questions.pods_that_own_their_label()))
    return counts["pod"] < counts["sm"]
