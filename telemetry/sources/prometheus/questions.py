"""Every question Moorage asks a metrics engine about one hour of one pool.

Ranges are pulled raw, ``metric{…}[window]`` at T1 + 1.5Δ: no step, no lookback, no staleness between us and the
samples. Windows over ``last_over_time`` only tell what exists.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from telemetry.domain.sample import UsageQuestion
from telemetry.sources.prometheus.names import Limits, SeriesNames, checked_name
from telemetry.sources.prometheus.promql import equal, one_of, present, selector

SUSPICIOUS_UTIL_PERCENT = 50
SUSPICIOUS_MINUTES = 10

WORKING_POWER_PERCENT = 40
"""Of its power limit: a large GPU at rest draws a tenth to a fifth of it, with a model in its memory too."""

LEAST_WORKING_WATTS = 60
"""Below that a small card's rest and its work are too near each other: 70 W cards rest at up to 35."""

WORKING_WATTS = 250
"""Where no limit is exported: more than any GPU draws at rest, so small cards are not judged."""


@dataclass(frozen=True, slots=True)
class Questions:
    """The pool's labels and the window they hold for; ``start_ms`` (exclusive) to ``at_ms`` (inclusive)."""

    names: SeriesNames
    busy_metric: str
    busy_metric_scale: float
    hostname_labels: tuple[str, ...]
    node_label: str
    node_values: tuple[str, ...]
    cluster: str
    flavor: str
    step_ms: int
    state_step_ms: int
    start_ms: int
    at_ms: int

    @property
    def window(self) -> str:
        """The range that ends at ``at_ms``, as PromQL writes it."""
        return f"[{self.at_ms - self.start_ms}ms]"

    def what_exists(self) -> str:
        """One count per kind of series, told apart by the label ``what``; a kind that is missing is absent."""
        names = self.names
        kinds = {
            "capacity": self._of(names.node_capacity_metric, equal("resource", "cpu")),
            "gpu_capacity": self._of(names.node_capacity_metric, self._gpus()),
            "requests": self._of(names.requests_metric, self._gpus()),
            "pod_queue": self._of(names.pod_labels_metric, present(names.pod_queue_label)),
        }
        return " or ".join(
            f'label_replace(count(last_over_time({series}{self.window})),"what","{kind}","","")'
            for kind, series in kinds.items()
        )

    def scrapes(self) -> str:
        """A point for each step of the window in which the engine scraped anything at all."""
        return self._points("up", self.step_ms)

    def words_on_nodes(self) -> str:
        """A point for each step of the window in which any node of any pool was spoken of."""
        return self._points(self.names.node_capacity_metric, self.state_step_ms)

    def _points(self, series: str, step_ms: int) -> str:
        return f"max(last_over_time({series}[{step_ms * 3 // 2}ms])){self.window[:-1]}:{step_ms}ms]"

    @property
    def exporter_labels(self) -> tuple[str, ...]:
        """The labels that may name a device's host or pod."""
        pod_labels = (self.names.pod_label,) if self.names.pod_label else ("exported_pod", "pod_name", "pod")
        return (*self.hostname_labels, *pod_labels)

    def exporter_spellings(self) -> str:
        """How many devices' series carry which of the exporter's labels: ``has_0`` … are blank or ``y``."""
        vector = f"last_over_time({self._of(self.busy_metric)}{self.window})"
        for number, label in enumerate(self.exporter_labels):
            vector = f'label_replace({vector},"has_{number}","y","{checked_name(label)}",".+")'
        return f"count by ({','.join(f'has_{number}' for number in range(len(self.exporter_labels)))}) ({vector})"

    def pods_that_own_their_label(self) -> str:
        """How many pods named by plain ``pod`` labels of the exporter ask for GPUs: none, if it is its own pod."""
        asking = selector(self.names.requests_metric, self._gpus(), self._ours())
        named = self._of(self.busy_metric, present("pod"))
        pair = f"({self.names.state_namespace_label},{self.names.state_pod_label})"
        return (
            f"count(count by (namespace,pod) (last_over_time({named}{self.window})) and on (namespace,pod) "
            + self._renamed(f"count by {pair} (last_over_time({asking}{self.window}))")
            + ")"
        )

    def pods_exist(self) -> str:
        """Whether kube-state-metrics speaks of pods at all."""
        return f"count(last_over_time({self._of(self.names.phase_metric, equal('phase', 'Running'))}{self.window}))"

    def labelled_nodes(self) -> str:
        """The nodes that carried the pool's label at some time of the window, with its value and their cluster."""
        names = self.names
        series = self._of(names.node_labels_metric, one_of(self.node_label, self.node_values))
        by = f"{names.state_node_label},{self.node_label},{names.cluster_label}"
        return f"count by ({by}) (last_over_time({series}{self.window}))"

    def any_node_labels(self) -> str:
        """The label sets of all nodes, to tell “none is ours” from “labels are not exported”."""
        return f"last_over_time({self._of(self.names.node_labels_metric)}{self.window})"

    def queues(self) -> str:
        """Usage and nominal quota of every ClusterQueue, raw."""
        names = self.names
        metrics = [names.queue_usage_metric, names.queue_nominal_metric]
        return self._raw(metrics, equal("resource", names.kueue_resource))

    def pending(self) -> str:
        """What every ClusterQueue's work waits for, of each resource, and how many workloads wait, raw."""
        return self._raw([self.names.queue_pending_metric, self.names.queue_pending_count_metric])

    def pods_on(self, nodes: Sequence[str]) -> str:
        """The pods that asked for GPUs on these nodes at some time of the window."""
        names = self.names
        asking = [names.requests_metric, names.init_requests_metric]
        series = self._of(asking, self._gpus(), one_of(names.state_node_label, nodes))
        by = f"{names.state_namespace_label},{names.state_pod_label},{names.state_uid_label}"
        return f"count by ({by}) (last_over_time({series}{self.window}))"

    def pods_on_devices(self, hostname_label: str, nodes: Sequence[str], pod_labels: tuple[str, str]) -> str:
        """The pods the exporter named on these nodes; claims of devices (DRA) show up in no request."""
        series = self._of(self.busy_metric, one_of(hostname_label, nodes), present(pod_labels[0]))
        return f"count by ({','.join(pod_labels)}) (last_over_time({series}{self.window}))"

    def pod_labels(self, pods: Sequence[str]) -> str:
        """The labels of these pods, raw."""
        return self._raw(self.names.pod_labels_metric, one_of(self.names.state_pod_label, pods))

    def node_state(self, nodes: Sequence[str]) -> str:
        """Labels, capacity and GPU requests of these nodes, raw and in one answer."""
        names = self.names
        metrics = [
            names.node_labels_metric,
            names.node_capacity_metric,
            names.requests_metric,
            names.init_requests_metric,
        ]
        on_nodes = one_of(names.state_node_label, nodes)
        return self._raw(metrics, on_nodes, self._gpus(or_absent=True))

    def phases(self, pods: Sequence[str]) -> str:
        """Whether these pods were in a phase that holds GPUs, raw."""
        phases = one_of("phase", ["Pending", "Running"])
        return self._raw(self.names.phase_metric, phases, one_of(self.names.state_pod_label, pods))

    def activity(self, hostname_label: str, nodes: Sequence[str]) -> str:
        """SM activity of every device on these nodes, raw."""
        return self._raw(self.busy_metric, one_of(hostname_label, nodes))

    def called_busy(self, hostname_label: str, nodes: Sequence[str]) -> str:
        """Ten-minute spans, told by their ends, in which a device worked all the time, by its label ``by``.

        ``utilization``: the driver called it busy; ``power``: it drew what only a device at work draws.
        """
        names, on_nodes = self.names, one_of(hostname_label, nodes)
        span, inside = f"{SUSPICIOUS_MINUTES}m", self.at_ms - self.start_ms - SUSPICIOUS_MINUTES * 60_000
        uuid = checked_name(names.uuid_label)
        util, power = (
            f"max by ({uuid}) (min_over_time({self._of(metric, on_nodes)}[{span}]))"
            for metric in (names.gpu_util_metric, names.power_metric)
        )
        limit = f"max by ({uuid}) (last_over_time({self._of(names.power_limit_metric, on_nodes)}[{span}]))"
        told = f"({power} >= on ({uuid}) {limit} * {WORKING_POWER_PERCENT / 100}) >= {LEAST_WORKING_WATTS}"
        untold = f"({power} unless on ({uuid}) {limit}) >= {WORKING_WATTS}"
        kinds = {"utilization": f"{util} >= {SUSPICIOUS_UTIL_PERCENT}", "power": f"{told} or {untold}"}
        marked = " or ".join(f'label_replace({vector},"by","{kind}","","")' for kind, vector in kinds.items())
        return f"({marked})[{inside}ms:{span}]"

    def _gpus(self, *, or_absent: bool = False) -> str:
        names = self.names
        return one_of("resource", names.gpu_resources, prefix=names.mig_resource_prefix, or_absent=or_absent)

    def _ours(self) -> str:
        return one_of(self.names.cluster_label, [self.cluster], or_absent=True) if self.cluster else ""

    def _of(self, metrics: str | Sequence[str], *matchers: str) -> str:
        return selector(metrics, *matchers, self._ours())

    def _raw(self, metrics: str | Sequence[str], *matchers: str) -> str:
        return f"{self._of(metrics, *matchers)}{self.window}"

    def _renamed(self, vector: str) -> str:
        for ours, theirs in (("namespace", self.names.state_namespace_label), ("pod", self.names.state_pod_label)):
            if ours != theirs:
                vector = f'label_replace({vector},"{ours}","$1","{theirs}","(.+)")'
        return vector


def questions_of(question: UsageQuestion, names: SeriesNames, limits: Limits) -> Questions:
    """The questions for one pool and hour; the window leaves 1.5Δ on both sides of the hour."""
    step_ms = question.scrape_interval_seconds * 1000
    state_step_ms = limits.state_interval_seconds * 1000 or step_ms
    margin = max(step_ms, state_step_ms) * 3 // 2
    return Questions(
        names=names,
        busy_metric=question.busy_metric,
        busy_metric_scale=question.busy_metric_scale,
        hostname_labels=_spellings(question.hostname_label),
        node_label=question.node_label or names.node_match_label,
        node_values=question.node_values,
        cluster=question.cluster,
        flavor=question.flavor,
        step_ms=step_ms,
        state_step_ms=state_step_ms,
        start_ms=question.period.start_ms - margin,
        at_ms=question.period.end_ms + margin,
    )


def _spellings(label: str) -> tuple[str, ...]:
    # the exporter renamed Hostname to hostname; both live in one fleet while it is being upgraded
    if label.lower() != "hostname" and label:
        return (label,)
    return ("Hostname", "hostname")
