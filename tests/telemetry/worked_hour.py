"""The worked hour: two nodes of four GPUs, 2026-11-02 10:00–11:00 UTC, as every series a cluster would hold.

| GPU | pod (queue)                    | samples                              | known h | busy h | sm h   |
|-----|--------------------------------|--------------------------------------|---------|--------|--------|
| 1   | owner-a (cq-a)                 | 0.9                                  | 1       | 1      | 0.9    |
| 2   | owner-a (cq-a)                 | 0.8 to :30, then 0                   | 1       | 0.5    | 0.4    |
| 3   | borrow-b (cq-b) to :30, object Succeeded to :50 | 0.6 to :30, then 0  | 1       | 0.5    | 0.3    |
| 4   | none                           | 0                                    | 1       | 0      | 0      |
| 5   | owner-c (cq-a)                 | 0.7                                  | 0.8333  | 0.8333 | 0.5833 |
| 6   | owner-c (cq-a)                 | 0.7, blank 2^47 :30–:35              | 0.75    | 0.75   | 0.525  |
| 7   | borrow-d (cq-b), scraped twice | 0.5                                  | 0.8333  | 0.8333 | 0.4167 |
| 8   | none; a rogue process to :10   | 0.4 to :10, then 0                   | 0.8333  | 0.1667 | 0.0667 |

GPUs 5–8 are on n2, whose exporter is down from :20 to :30. Every figure is for right-closed steps of 30 s.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

from reservations.domain.period import epoch_ms
from tests.fixtures.prometheus import Line

START = datetime(2026, 11, 2, 10, tzinfo=UTC)
END = datetime(2026, 11, 2, 11, tzinfo=UTC)
STEP_MS = 30_000
BLANK = 140737488355328.0
RESERVATION = "cr-0aaa"
LABEL = "label_karpenter_k8s_aws_capacity_reservation_id"
QUEUE_LABEL = "label_kueue_x_k8s_io_cluster_queue_name"

BEFORE, AFTER = -300, 3900
"""Seconds before and after 10:00 in which the cluster also runs: edges must come from clipping, not from the data."""

PODS = {
    "owner-a": ("team-a", "uid-a", "n1", 2, "cq-a"),
    "borrow-b": ("team-b", "uid-b", "n1", 1, "cq-b"),
    "owner-c": ("team-a", "uid-c", "n2", 2, "cq-a"),
    "borrow-d": ("team-b", "uid-d", "n2", 1, "cq-b"),
    "pend-e": ("team-b", "uid-e", "", 4, "cq-b"),
}
"""name → namespace, uid, node, GPUs asked for, queue."""


def steps(from_s: int, to_s: int) -> list[int]:
    """The scrape times in ``(from, to]``, in seconds after 10:00."""
    first = from_s - from_s % 30 + 30
    return list(range(first, to_s + 1, 30))


def at(seconds: int) -> int:
    return epoch_ms(START) + seconds * 1000


def constant(value: float, from_s: int, to_s: int) -> list[tuple[int, float]]:
    return [(at(second), value) for second in steps(from_s, to_s)]


def worked_hour(*, cq_b_nominal: int) -> list[Line]:
    """All series; ``cq_b_nominal`` 0 is split A, 1 is split B."""
    return [*devices(), *nodes(), *pods(), *queues(cq_b_nominal), *decoys()]


def devices() -> Iterator[Line]:
    """The exporter's series, pod labels as they come without honor_labels; n1's exporter is replaced at :40."""
    for gpu, pod, parts in _activity():
        node = "n1" if gpu <= 4 else "n2"
        cuts = [(BEFORE, 2400, "1"), (2400, AFTER, "2")] if node == "n1" else [(BEFORE, 1200, "1"), (1800, AFTER, "1")]
        for from_s, to_s, generation in cuts:
            samples = [pair for part in parts for pair in constant(part[0], max(part[1], from_s), min(part[2], to_s))]
            jobs = ("dcgm", "dcgm-again") if gpu == 7 else ("dcgm",)
            for job in jobs:
                yield from _device(gpu, node, pod, generation, job, samples)


def _activity() -> list[tuple[int, str, list[tuple[float, int, int]]]]:
    return [
        (1, "owner-a", [(0.9, BEFORE, AFTER)]),
        (2, "owner-a", [(0.8, BEFORE, 1800), (0.0, 1800, AFTER)]),
        (3, "borrow-b", [(0.6, BEFORE, 1800)]),
        (3, "", [(0.0, 1800, AFTER)]),
        (4, "", [(0.0, BEFORE, AFTER)]),
        (5, "owner-c", [(0.7, BEFORE, AFTER)]),
        (6, "owner-c", [(0.7, BEFORE, 1800), (BLANK, 1800, 2100), (0.7, 2100, AFTER)]),
        (7, "borrow-d", [(0.5, BEFORE, AFTER)]),
        (8, "", [(0.4, BEFORE, 600), (0.0, 600, AFTER)]),
    ]


def _device(
    gpu: int, node: str, pod: str, generation: str, job: str, samples: list[tuple[int, float]]
) -> Iterator[Line]:
    exporter = f"dcgm-exporter-{node}-{generation}"
    labels = {
        "gpu": str((gpu - 1) % 4),
        "UUID": f"GPU-{gpu}",
        "device": f"nvidia{(gpu - 1) % 4}",
        "modelName": "NVIDIA H100 80GB HBM3",
        "Hostname": node,
        "job": job,
        "instance": f"{exporter}:9400",
        "namespace": "gpu-operator",
        "pod": exporter,
        "container": "nvidia-dcgm-exporter",
    }
    if pod:
        labels |= {"exported_namespace": PODS[pod][0], "exported_pod": pod, "exported_container": "main"}
    if samples:
        yield Line("DCGM_FI_PROF_SM_ACTIVE", labels, samples)


def nodes() -> Iterator[Line]:
    for replica in ("ksm-0", "ksm-1"):
        for node in ("n1", "n2"):
            always = constant(1, BEFORE, AFTER)
            yield Line("kube_node_labels", {"node": node, LABEL: RESERVATION, "instance": replica}, always)
            yield _capacity(node, "nvidia_com_gpu", 4, replica)
            yield _capacity(node, "cpu", 192, replica)


def _capacity(node: str, resource: str, count: int, replica: str) -> Line:
    labels = {"node": node, "resource": resource, "unit": "integer", "instance": replica}
    return Line("kube_node_status_capacity", labels, constant(count, BEFORE, AFTER))


def pods() -> Iterator[Line]:
    """Requests, phases and labels; borrow-b ends at :30 but its object stays as Succeeded until :50."""
    for replica in ("ksm-0", "ksm-1"):
        for name, (namespace, uid, node, gpus, queue) in PODS.items():
            until = 3000 if name == "borrow-b" else AFTER
            who = {"namespace": namespace, "pod": name, "uid": uid, "instance": replica}
            asked = {**who, "container": "main", "node": node, "resource": "nvidia_com_gpu", "unit": "integer"}
            yield Line("kube_pod_container_resource_requests", asked, constant(gpus, BEFORE, until))
            yield Line("kube_pod_labels", {**who, QUEUE_LABEL: queue}, constant(1, BEFORE, until))
            yield from _phases(name, who, until)


def _phases(name: str, who: dict[str, str], until: int) -> Iterator[Line]:
    ends = {"borrow-b": 1800}.get(name, AFTER)
    alive = "Pending" if name == "pend-e" else "Running"
    for phase in ("Pending", "Running", "Succeeded", "Failed", "Unknown"):
        samples = constant(float(phase == alive), BEFORE, ends) + constant(float(phase == "Succeeded"), ends, until)
        yield Line("kube_pod_status_phase", {**who, "phase": phase}, samples)


def queues(cq_b_nominal: int) -> Iterator[Line]:
    """Leader and follower export the same; only the leader is never late."""
    usage = {"cq-a": constant(4, BEFORE, AFTER), "cq-b": constant(2, BEFORE, 1800) + constant(1, 1800, AFTER)}
    nominal = {"cq-a": 6, "cq-b": cq_b_nominal}
    for role in ("leader", "follower"):
        for queue in ("cq-a", "cq-b"):
            labels = {
                "cluster_queue": queue,
                "cohort": "h100",
                "flavor": "reserved",
                "resource": "nvidia.com/gpu",
                "replica_role": role,
                "instance": f"kueue-{role}",
            }
            yield Line("kueue_cluster_queue_resource_usage", labels, usage[queue])
            yield Line("kueue_cluster_queue_nominal_quota", labels, constant(nominal[queue], BEFORE, AFTER))


def pending() -> Iterator[Line]:
    """What waits, as Kueue tells it: pend-e's four GPUs and eight CPUs in cq-b, nothing in cq-a."""
    for role in ("leader", "follower"):
        who = {"replica_role": role, "instance": f"kueue-{role}"}
        for resource, amount in (("nvidia.com/gpu", 4), ("cpu", 8)):
            labels = {"cluster_queue": "cq-b", "resource": resource, **who}
            yield Line("kueue_cluster_queue_resource_pending", labels, constant(amount, BEFORE, AFTER))
        for queue, count in (("cq-a", 0), ("cq-b", 1)):
            for status in ("active", "inadmissible"):
                labels = {"cluster_queue": queue, "status": status, **who}
                waiting = float(count if status == "active" else 0)
                yield Line("kueue_pending_workloads", labels, constant(waiting, BEFORE, AFTER))


def decoys() -> Iterator[Line]:
    """What must not count: another pool's node with its GPU and pod, a CPU pod on n1, other resources' quotas."""
    other = {"node": "n9", LABEL: "cr-0bbb", "instance": "ksm-0"}
    yield Line("kube_node_labels", other, constant(1, BEFORE, AFTER))
    yield _capacity("n9", "nvidia_com_gpu", 4, "ksm-0")
    yield from _device(99, "n9", "", "1", "dcgm", constant(0.9, BEFORE, AFTER))
    elsewhere = {"namespace": "team-z", "pod": "other-z", "uid": "uid-z", "instance": "ksm-0", "container": "main"}
    gpu = {"node": "n9", "resource": "nvidia_com_gpu", "unit": "integer"}
    yield Line("kube_pod_container_resource_requests", {**elsewhere, **gpu}, constant(4, BEFORE, AFTER))
    web = {"namespace": "team-z", "pod": "web", "uid": "uid-w", "instance": "ksm-0", "container": "main"}
    cpu = {"node": "n1", "resource": "cpu", "unit": "core"}
    yield Line("kube_pod_container_resource_requests", {**web, **cpu}, constant(2, BEFORE, AFTER))
    quota = {"cluster_queue": "cq-a", "cohort": "h100", "flavor": "reserved", "resource": "cpu"}
    yield Line("kueue_cluster_queue_nominal_quota", quota, constant(400, BEFORE, AFTER))
