"""What a usage source hands to the ledger: raw samples, node by node, and what it could not give.

Times are whole milliseconds since 1970. How long a sample speaks: docs/ledger.md#how-long-a-sample-holds.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from reservations.domain.period import Period

Samples = tuple[tuple[int, float], ...]
"""``(t_ms, value)`` in time order."""


class UnableToFetch(Exception):
    """A source could not give a usable answer; the message is one sentence that names what to mend.

    ``permanent`` is True where trying again cannot help (a wrong address, a refused log-in).
    """

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        super().__init__(message)
        self.permanent = permanent


class Pod(NamedTuple):
    """A pod by name; ``uid`` is blank where the exporter does not say it (names repeat, uids do not)."""

    namespace: str
    name: str
    uid: str = ""


@dataclass(frozen=True, slots=True)
class DeviceSeries:
    """SM activity (0–1 after scaling) of one GPU or GPU instance under one set of labels.

    ``gpu_instance`` and ``profile`` are blank for a whole GPU; ``pod`` None where no pod label is present;
    ``queue`` is the ClusterQueue where the exporter itself carries that label.
    """

    uuid: str
    samples: Samples
    gpu_instance: str = ""
    profile: str = ""
    model: str = ""
    pod: Pod | None = None
    queue: str | None = None


@dataclass(frozen=True, slots=True)
class RequestSeries:
    """GPUs one container of a bound pod asks for; ``resource`` as kube-state-metrics spells it."""

    pod: Pod
    container: str
    resource: str
    samples: Samples
    init: bool = False


@dataclass(frozen=True, slots=True)
class PhaseSeries:
    """1 while a pod is in a phase that holds its GPUs (Pending or Running), else 0."""

    pod: Pod
    samples: Samples


@dataclass(frozen=True, slots=True)
class NodeUsage:
    """All samples of one node that carried the pool's label at some time of the window.

    ``presence`` holds a sample (value 1) at each time the node carried the label; ``capacity`` the GPUs
    Kubernetes says it has; ``mig_capacity`` the same for GPU instances (0 where it has none);
    ``physical_label`` the node's own count of physical GPUs where a label says it;
    ``match_value`` the value of the label that joined it.
    """

    node: str
    match_value: str
    presence: Samples
    capacity: Samples
    devices: tuple[DeviceSeries, ...] = ()
    requests: tuple[RequestSeries, ...] = ()
    phases: tuple[PhaseSeries, ...] = ()
    mig_capacity: Samples = ()
    physical_label: int | None = None


@dataclass(frozen=True, slots=True)
class PodQueueSeries:
    """During which samples kube-state-metrics showed a pod with this ClusterQueue; blank: with no queue label."""

    pod: Pod
    queue: str
    samples: Samples


@dataclass(frozen=True, slots=True)
class QueueSeries:
    """Kueue's view of one ClusterQueue and flavor; ``cohort`` blank: it belongs to none."""

    cluster_queue: str
    cohort: str
    flavor: str
    usage: Samples
    nominal: Samples


@dataclass(frozen=True, slots=True)
class PendingSeries:
    """GPUs that the work of one ClusterQueue waits for, over all flavors: it has none before it is admitted."""

    cluster_queue: str
    samples: Samples


@dataclass(slots=True)
class HourUsage:
    """One pool's telemetry around one hour, T0 − 1.5Δ to T1 + 1.5Δ; ``nodes`` may be a generator that fetches.

    ``step_ms`` is Δ of the device samples, ``state_step_ms`` that of kube-state-metrics and Kueue.
    ``sm_exported``: the busy metric exists at all in the window; ``pod_labels_exported``: some device of the
    source carries a pod label; ``node_data``: some node of the source has a capacity sample;
    ``allocation_data``: kube-state-metrics answers about pods; ``queue_labels``: some pod series exists that
    could carry a queue label; ``queue_metrics``: Kueue's quota metrics exist.
    ``dark_spans`` gives the parts ``(start_ms, end_ms)`` of the hour in which the source itself was down,
    ``wordless_spans`` those in which it spoke of no node at all, the pool's or anybody's.
    ``warnings`` make the hour not final; ``suspects`` are uuids that show no activity while they work, with why.
    They may be appended to while ``nodes`` is consumed, so read them after it.
    ``pending`` is empty where nothing tells in GPUs what waits.
    ``node_match`` says in words which label tells the pool's nodes, blank where none does.
    """

    period: Period
    step_ms: int
    state_step_ms: int
    nodes: Iterable[NodeUsage]
    sm_exported: bool
    pod_labels_exported: bool
    node_data: bool
    allocation_data: bool
    queue_labels: bool
    queue_metrics: bool
    queues: tuple[QueueSeries, ...] = ()
    pod_queues: tuple[PodQueueSeries, ...] = ()
    pending: tuple[PendingSeries, ...] = ()
    warnings: list[str] = field(default_factory=list)
    suspects: dict[str, str] = field(default_factory=dict)
    dark_spans: Callable[[], tuple[tuple[int, int], ...]] = tuple
    wordless_spans: Callable[[], tuple[tuple[int, int], ...]] = tuple
    node_match: str = ""


@dataclass(frozen=True, slots=True)
class UsageQuestion:
    """What a usage source is asked: one pool, one hour. ``options`` are the source's own names and limits."""

    source: str
    url: str
    period: Period
    pool: str
    gpus_per_node: float
    node_label: str
    node_values: tuple[str, ...]
    scrape_interval_seconds: int
    busy_metric: str
    busy_metric_scale: float
    cluster: str
    hostname_label: str
    flavor: str = ""
    options: Mapping[str, object] = field(default_factory=dict)


class UsageSource(Protocol):
    """The one signature of every usage source."""

    def __call__(self, question: UsageQuestion, *, session: object | None = None) -> HourUsage:
        """Raise UnableToFetch when no usable answer could be had."""
