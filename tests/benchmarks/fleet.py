"""Fleets for the speed figures: nodes of eight GPUs, one pod on each, labelled, queued and sampled every 30 s."""

import random
from collections.abc import Iterator
from datetime import datetime

from reservations.domain.period import Period, epoch_ms
from tests.fixtures.prometheus import Line

STEP_MS = 30_000
GPUS_PER_NODE = 8
LABEL = "label_karpenter_k8s_aws_capacity_reservation_id"
QUEUE_LABEL = "label_kueue_x_k8s_io_cluster_queue_name"
PHASES = ("Pending", "Running", "Succeeded", "Failed", "Unknown")

Samples = list[tuple[int, float]]


def fleet(period: Period, nodes: int, *, driver_utilization: bool) -> Iterator[Line]:
    """Every series of such a fleet; ``driver_utilization`` adds the exporter's second metric, never zero."""
    times = _times(period.start, period.end)
    ones = [(at, 1.0) for at in times]
    chance = random.Random(17)
    shapes = [_activity(chance, times) for _ in range(64)]
    for node in range(nodes):
        yield from _node(f"ip-10-{node // 250}-{node % 250}-7.ec2.internal", node, ones)
        for gpu in range(GPUS_PER_NODE):
            yield from _device(node, gpu, shapes[chance.randrange(64)], driver_utilization=driver_utilization)
    yield from _queues(ones, nodes)


def _times(start: datetime, end: datetime) -> list[int]:
    return list(range(epoch_ms(start) - 3 * STEP_MS + 7_000, epoch_ms(end) + 3 * STEP_MS, STEP_MS))


def _activity(chance: random.Random, times: list[int]) -> Samples:
    samples, busy = [], True
    for at in times:
        busy = busy if chance.random() > 0.05 else not busy
        samples.append((at, round(chance.uniform(0.3, 0.95), 6) if busy else 0.0))
    return samples


def _who(node: int) -> dict[str, str]:
    return {"namespace": f"team-{node % 7}", "pod": f"train-{node}-worker-0", "uid": f"uid-{node:06d}"}


def _node(name: str, node: int, ones: Samples) -> Iterator[Line]:
    eights = [(at, float(GPUS_PER_NODE)) for at, _ in ones]
    of_gpus = {"node": name, "resource": "nvidia_com_gpu", "unit": "integer"}
    yield Line("kube_node_labels", {"node": name, LABEL: "cr-0aaa"}, ones)
    yield Line("kube_node_status_capacity", of_gpus, eights)
    yield Line("kube_pod_container_resource_requests", {**_who(node), **of_gpus, "container": "main"}, eights)
    yield Line("kube_pod_labels", {**_who(node), QUEUE_LABEL: f"cq-{'ab'[node % 2]}"}, ones)
    for phase in PHASES:
        values = [(at, float(phase == "Running")) for at, _ in ones]
        yield Line("kube_pod_status_phase", {**_who(node), "phase": phase}, values)


def _device(node: int, gpu: int, activity: Samples, *, driver_utilization: bool) -> Iterator[Line]:
    who = _who(node)
    labels = {
        "gpu": str(gpu),
        "UUID": f"GPU-{node:05d}-{gpu}-7f3a-4d52-9c1e",
        "pci_bus_id": f"00000000:{gpu:02X}:00.0",
        "device": f"nvidia{gpu}",
        "modelName": "NVIDIA H100 80GB HBM3",
        "Hostname": f"ip-10-{node // 250}-{node % 250}-7.ec2.internal",
        "DCGM_FI_DRIVER_VERSION": "570.86.15",
        "exported_namespace": who["namespace"],
        "exported_pod": who["pod"],
        "exported_container": "main",
        "namespace": "gpu-operator",
        "pod": f"nvidia-dcgm-exporter-{node}",
    }
    yield Line("DCGM_FI_PROF_SM_ACTIVE", labels, activity)
    if driver_utilization:
        yield Line("DCGM_FI_DEV_GPU_UTIL", labels, [(at, 100.0 if value else 3.0) for at, value in activity])


def _queues(ones: Samples, nodes: int) -> Iterator[Line]:
    for queue, nominal in (("cq-a", nodes * 6), ("cq-b", nodes * 2)):
        labels = {"cluster_queue": queue, "cohort": "h100", "flavor": "reserved", "resource": "nvidia.com/gpu"}
        for role in ("leader", "follower"):
            usage = [(at, float(nodes * 4)) for at, _ in ones]
            quota = [(at, float(nominal)) for at, _ in ones]
            yield Line("kueue_cluster_queue_resource_usage", {**labels, "replica_role": role}, usage)
            yield Line("kueue_cluster_queue_nominal_quota", {**labels, "replica_role": role}, quota)
