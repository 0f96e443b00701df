"""Exporters, label spellings and names as they differ from fleet to fleet, against a real Prometheus."""

from collections.abc import Sequence

import pytest

from telemetry.domain.sample import DeviceSeries, HourUsage, NodeUsage
from telemetry.sources import prometheus
from tests.fixtures.prometheus import Line, PrometheusWith
from tests.telemetry.sources.questions import question
from tests.telemetry.worked_hour import AFTER, BEFORE, LABEL, QUEUE_LABEL, RESERVATION, at, constant

pytestmark = pytest.mark.prometheus

ODD_NAMES = ['quo"ted', "back\\slash", "ip-10-0-0-1.ec2.internal", "br{ac}es[0]", "a|b", "^$.*+?()", "tick's", "ünï"]


def always(value: float = 1) -> list[tuple[int, float]]:
    return constant(value, BEFORE, AFTER)


def node(name: str, **labels: str) -> list[Line]:
    return [
        Line("kube_node_labels", {"node": name, LABEL: RESERVATION, **labels}, always()),
        Line("kube_node_status_capacity", {"node": name, "resource": "nvidia_com_gpu"}, always(4)),
    ]


def gpu(uuid: str, samples: Sequence[tuple[int, float]] | None = None, **labels: str) -> Line:
    return Line("DCGM_FI_PROF_SM_ACTIVE", {"UUID": uuid, "Hostname": "n1", **labels}, samples or always(0.5))


def asks(pod: str, namespace: str = "team-a", **labels: str) -> Line:
    who = {"namespace": namespace, "pod": pod, "uid": f"uid-{pod}", "node": "n1", "container": "main"}
    return Line("kube_pod_container_resource_requests", {**who, "resource": "nvidia_com_gpu", **labels}, always())


def read(url: str, **changes: object) -> tuple[HourUsage, dict[str, NodeUsage]]:
    usage = prometheus.fetch(question(url, **changes))
    return usage, {one.node: one for one in usage.nodes}


def devices(url: str, **changes: object) -> tuple[DeviceSeries, ...]:
    return read(url, **changes)[1]["n1"].devices


def test_any_node_and_pod_name_is_found_and_only_itself(prometheus_with: PrometheusWith) -> None:
    lines = [line for name in [*ODD_NAMES, "other"] for line in node(name)]
    lines += [gpu(f"GPU-{name}", Hostname=name) for name in [*ODD_NAMES, "ip-10-0-0-1xec2yinternal", "a"]]
    lines += [asks(f"pod-{name}", node=name) for name in ODD_NAMES]
    labels = [{"namespace": "team-a", "pod": f"pod-{name}", "uid": f"uid-pod-{name}"} for name in ODD_NAMES]
    lines += [Line("kube_pod_labels", {**who, QUEUE_LABEL: who["pod"]}, always()) for who in labels]
    lines += [Line("kube_pod_status_phase", {**who, "phase": "Running"}, always()) for who in labels]
    usage, nodes = read(prometheus_with(lines))
    assert sorted(nodes) == sorted([*ODD_NAMES, "other"])
    for name in ODD_NAMES:
        assert [one.uuid for one in nodes[name].devices] == [f"GPU-{name}"]
        assert [one.pod.name for one in nodes[name].requests] == [f"pod-{name}"]
        assert [one.pod.name for one in nodes[name].phases] == [f"pod-{name}"]
    assert nodes["other"].devices == ()
    assert {one.pod.name: one.queue for one in usage.pod_queues} == {f"pod-{name}": f"pod-{name}" for name in ODD_NAMES}


def test_a_reservation_whose_id_begins_with_ours_is_not_ours(prometheus_with: PrometheusWith) -> None:
    url = prometheus_with([*node("n1"), *node("n2", **{LABEL: f"{RESERVATION}a"}), *node("n3", **{LABEL: "cr-0bbb"})])
    assert sorted(read(url)[1]) == ["n1"]
    both = read(url, node_values=(RESERVATION, "cr-0bbb"))[1]
    assert {name: one.match_value for name, one in both.items()} == {"n1": RESERVATION, "n3": "cr-0bbb"}


@pytest.mark.parametrize("asked", ["Hostname", "hostname", ""])
def test_a_fleet_half_way_through_the_exporters_rename_is_read_whole(
    prometheus_with: PrometheusWith, asked: str
) -> None:
    lines = [*node("n1"), *node("n2"), gpu("GPU-1")]
    lines += [Line("DCGM_FI_PROF_SM_ACTIVE", {"UUID": "GPU-2", "hostname": "n2"}, always(0.5))]
    _, nodes = read(prometheus_with(lines), hostname_label=asked)
    assert [one.uuid for name in ("n1", "n2") for one in nodes[name].devices] == ["GPU-1", "GPU-2"]


def test_a_hostname_label_nobody_carries_is_a_warning_not_an_idle_pool(prometheus_with: PrometheusWith) -> None:
    usage, nodes = read(prometheus_with([*node("n1"), gpu("GPU-1")]), hostname_label="kubernetes_node")
    assert nodes["n1"].devices == ()
    assert usage.sm_exported
    assert usage.warnings == [
        "no series of DCGM_FI_PROF_SM_ACTIVE carries the label kubernetes_node: set node_label of the source"
    ]


def test_the_exporters_own_pod_is_never_taken_for_a_workload(prometheus_with: PrometheusWith) -> None:
    exporter = {"pod": "dcgm-exporter-x", "namespace": "gpu-operator"}
    usage, nodes = read(prometheus_with([*node("n1"), gpu("GPU-1", **exporter), asks("owner-a")]))
    assert not usage.pod_labels_exported
    assert [one.pod for one in nodes["n1"].devices] == [None]


def test_the_exporters_own_pod_is_known_without_kube_state_metrics_too(prometheus_with: PrometheusWith) -> None:
    exporter = {"pod": "dcgm-exporter-x", "namespace": "gpu-operator"}
    url = prometheus_with([*node("n1"), gpu("GPU-1", **exporter), gpu("GPU-2", **exporter)])
    usage, _ = read(url)
    assert not usage.pod_labels_exported
    assert not usage.allocation_data


def test_plain_pod_labels_of_workloads_are_used(prometheus_with: PrometheusWith) -> None:
    workload = {"pod": "owner-a", "namespace": "team-a", "pod_uid": "uid-7"}
    usage, nodes = read(prometheus_with([*node("n1"), gpu("GPU-1", **workload), gpu("GPU-2"), asks("owner-a")]))
    assert usage.pod_labels_exported
    held = {one.uuid: one.pod and (one.pod.namespace, one.pod.name, one.pod.uid) for one in nodes["n1"].devices}
    assert held == {"GPU-1": ("team-a", "owner-a", "uid-7"), "GPU-2": None}


def test_old_and_configured_pod_labels_are_used(prometheus_with: PrometheusWith) -> None:
    old = prometheus_with([*node("n1"), gpu("GPU-1", pod_name="owner-a", pod_namespace="team-a")])
    named = prometheus_with([*node("n1"), gpu("GPU-1", job_pod="owner-a", job_space="team-a", pod="exporter")])
    options = {"pod_label": "job_pod", "namespace_label": "job_space"}
    for found in (devices(old), devices(named, options=options)):
        assert [(one.pod.namespace, one.pod.name) for one in found] == [("team-a", "owner-a")]


def test_a_blank_label_is_an_absent_one(prometheus_with: PrometheusWith) -> None:
    found = devices(
        prometheus_with([*node("n1"), gpu("GPU-1", exported_pod="", GPU_I_ID=""), gpu("GPU-2", exported_pod="a")])
    )
    assert [(one.uuid, one.pod is None, one.gpu_instance) for one in found] == [
        ("GPU-1", True, ""),
        ("GPU-2", False, ""),
    ]


def test_a_queue_label_of_the_exporter_comes_with_the_device(prometheus_with: PrometheusWith) -> None:
    labels = {"exported_pod": "a", "exported_namespace": "team-a", "kueue_x_k8s_io_cluster_queue_name": "cq-a"}
    assert [one.queue for one in devices(prometheus_with([*node("n1"), gpu("GPU-1", **labels)]))] == ["cq-a"]


def test_mig_instances_are_devices_of_their_own_and_their_resources_are_summed(
    prometheus_with: PrometheusWith,
) -> None:
    instances = [gpu("GPU-1", GPU_I_ID=str(one), GPU_I_PROFILE="3g.40gb") for one in (1, 2)]
    profiles = {"nvidia_com_mig_3g_40gb": 2, "nvidia_com_mig_1g_10gb": 7}
    resources = [
        Line("kube_node_status_capacity", {"node": "n1", "resource": name}, always(count))
        for name, count in profiles.items()
    ]
    asked = asks("owner-a", resource="nvidia_com_mig_3g_40gb")
    _, nodes = read(prometheus_with([*node("n1", label_nvidia_com_gpu_count="4"), *instances, *resources, asked]))
    one = nodes["n1"]
    assert [(d.gpu_instance, d.profile) for d in one.devices] == [("1", "3g.40gb"), ("2", "3g.40gb")]
    assert {value for _, value in one.mig_capacity} == {9}
    assert {value for _, value in one.capacity} == {4}
    assert one.physical_label == 4
    assert [request.resource for request in one.requests] == ["nvidia_com_mig_3g_40gb"]


def test_init_containers_are_told_from_the_others(prometheus_with: PrometheusWith) -> None:
    init = asks("owner-a")
    init = Line("kube_pod_init_container_resource_requests", {**init.labels, "container": "warm"}, always(2))
    _, nodes = read(prometheus_with([*node("n1"), asks("owner-a"), init]))
    assert [(one.container, one.init) for one in nodes["n1"].requests] == [("main", False), ("warm", True)]


def test_percents_are_scaled_and_nonsense_is_kept(prometheus_with: PrometheusWith) -> None:
    samples = [(at(0), 5.0), (at(30), float("nan")), (at(60), 140737488355328.0), (at(90), -1.0), (at(120), 100.0)]
    url = prometheus_with([*node("n1"), gpu("GPU-1", samples)])
    (one,) = devices(url, busy_metric_scale=0.01)
    values = [value for _, value in one.samples]
    assert values[0] == 0.05
    assert values[1] != values[1]
    assert values[2] > 1
    assert values[3] < 0
    assert values[4] == 1


def test_two_scrapers_give_the_larger_value_and_never_a_blank_over_a_reading(prometheus_with: PrometheusWith) -> None:
    first = gpu("GPU-1", [(at(0), 0.2), (at(30), 140737488355328.0), (at(60), 0.3)], job="a")
    second = gpu("GPU-1", [(at(0), 0.4), (at(30), 0.1), (at(90), 0.5)], job="b")
    (one,) = devices(prometheus_with([*node("n1"), first, second]))
    assert one.samples == ((at(0), 0.4), (at(30), 0.1), (at(60), 0.3), (at(90), 0.5))


def test_a_device_that_reads_zero_while_the_driver_calls_it_busy_is_suspect(prometheus_with: PrometheusWith) -> None:
    busy = [Line("DCGM_FI_DEV_GPU_UTIL", {"UUID": f"GPU-{n}", "Hostname": "n1"}, always(99)) for n in (1, 2)]
    idle = Line("DCGM_FI_DEV_GPU_UTIL", {"UUID": "GPU-3", "Hostname": "n1"}, always(0))
    lines = [*node("n1"), gpu("GPU-1", always(0)), gpu("GPU-2"), gpu("GPU-3", always(0)), *busy, idle]
    usage, _ = read(prometheus_with(lines))
    assert usage.suspects == {"GPU-1": "SM activity 0 for 10 minutes while DCGM_FI_DEV_GPU_UTIL stood at 50 % or more"}


def power(uuid: str, watts: float, limit: float | None = None, hostname: str = "n1") -> list[Line]:
    labels = {"UUID": uuid, "Hostname": hostname}
    limits = [] if limit is None else [Line("DCGM_FI_DEV_POWER_MGMT_LIMIT", labels, always(limit))]
    return [Line("DCGM_FI_DEV_POWER_USAGE", labels, always(watts)), *limits]


def test_a_device_that_reads_zero_while_it_draws_the_power_of_work_is_suspect(prometheus_with: PrometheusWith) -> None:
    drawn = {
        "GPU-at-work": (281, 700),
        "GPU-at-rest": (279, 700),
        "GPU-small-at-work": (65, 70),
        "GPU-small-at-rest": (35, 70),
        "GPU-untold-at-work": (250, None),
        "GPU-untold-at-rest": (249, None),
        "GPU-awake": (650, 700),
    }
    lines = [line for uuid, (watts, limit) in drawn.items() for line in power(uuid, watts, limit)]
    silent = [gpu(uuid, always(0)) for uuid in drawn if uuid != "GPU-awake"]
    usage, _ = read(prometheus_with([*node("n1"), *silent, gpu("GPU-awake"), *lines]))
    assert sorted(usage.suspects) == ["GPU-at-work", "GPU-small-at-work", "GPU-untold-at-work"]
    assert set(usage.suspects.values()) == {
        "SM activity 0 for 10 minutes while DCGM_FI_DEV_POWER_USAGE showed the draw of a GPU at work"
    }


def test_power_is_told_by_the_name_the_operator_gives_it(prometheus_with: PrometheusWith) -> None:
    labels = {"UUID": "GPU-1", "Hostname": "n1"}
    lines = [Line("watts", labels, always(500)), Line("watts_at_most", labels, always(1000))]
    url = prometheus_with([*node("n1"), gpu("GPU-1", always(0)), *lines])
    named, _ = read(url, options={"power_metric": "watts", "power_limit_metric": "watts_at_most"})
    assert list(named.suspects) == ["GPU-1"]
    assert read(url)[0].suspects == {}


def test_where_driver_and_power_meter_agree_the_driver_is_named(prometheus_with: PrometheusWith) -> None:
    busy = Line("DCGM_FI_DEV_GPU_UTIL", {"UUID": "GPU-1", "Hostname": "n1"}, always(99))
    lines = [*node("n1"), gpu("GPU-1", always(0)), busy, *power("GPU-1", 600, 700)]
    usage, _ = read(prometheus_with(lines))
    assert "DCGM_FI_DEV_GPU_UTIL" in usage.suspects["GPU-1"]


def test_other_names_for_everything_are_read_when_they_are_configured(prometheus_with: PrometheusWith) -> None:
    lines = [
        Line("nodes", {"exported_node": "n1", "label_pool": "gold"}, always()),
        Line("room", {"exported_node": "n1", "resource": "amd_com_gpu"}, always(8)),
        Line("used", {"exported_node": "n1", "resource": "amd_com_gpu", "exported_pod": "p", "uid": "u"}, always(8)),
        Line("amd_activity", {"gpu_uuid": "A-1", "kubernetes_node": "n1"}, always(50)),
    ]
    options = {
        "node_labels_metric": "nodes",
        "node_capacity_metric": "room",
        "requests_metric": "used",
        "gpu_resources": ["amd_com_gpu"],
        "state_node_label": "exported_node",
        "state_pod_label": "exported_pod",
        "uuid_label": "gpu_uuid",
    }
    changes = {"node_label": "label_pool", "node_values": ("gold",), "busy_metric": "amd_activity"}
    changes |= {"hostname_label": "kubernetes_node", "busy_metric_scale": 0.01, "options": options}
    usage, nodes = read(prometheus_with(lines), **changes)
    assert (usage.node_data, usage.allocation_data, usage.sm_exported) == (True, True, True)
    assert [one.uuid for one in nodes["n1"].devices] == ["A-1"]
    assert {value for _, value in nodes["n1"].devices[0].samples} == {0.5}
    assert [one.pod.name for one in nodes["n1"].requests] == ["p"]


def test_nodes_without_any_label_exported_are_unknown_not_absent(prometheus_with: PrometheusWith) -> None:
    bare = [
        Line("kube_node_labels", {"node": "n1"}, always()),
        Line("kube_node_status_capacity", {"node": "n1", "resource": "nvidia_com_gpu"}, always(4)),
    ]
    assert not read(prometheus_with(bare))[0].node_data
    labelled = [*bare, Line("kube_node_labels", {"node": "n2", "label_zone": "a"}, always())]
    assert read(prometheus_with(labelled))[0].node_data


def test_kube_state_metrics_without_any_gpu_pod_still_answers_about_pods(prometheus_with: PrometheusWith) -> None:
    web = Line("kube_pod_status_phase", {"namespace": "x", "pod": "web", "phase": "Running"}, always())
    assert read(prometheus_with([*node("n1"), web]))[0].allocation_data


def test_pod_labels_without_any_queue_say_that_the_pods_are_in_none(prometheus_with: PrometheusWith) -> None:
    labels = {"namespace": "team-a", "pod": "owner-a", "uid": "uid-owner-a", "label_app": "x"}
    usage, _ = read(prometheus_with([*node("n1"), asks("owner-a"), Line("kube_pod_labels", labels, always())]))
    assert usage.queue_labels
    assert [(one.pod.name, one.queue) for one in usage.pod_queues] == [("owner-a", "")]


def test_a_free_gpu_left_with_the_exporters_own_labels_is_free(prometheus_with: PrometheusWith) -> None:
    own = {"namespace": "gpu-operator", "pod": "nvidia-dcgm-exporter-x7k2p", "container": "nvidia-dcgm-exporter"}
    worker = {"namespace": "team-a", "pod": "worker", "container": "main"}
    lines = [*node("n1"), asks("worker"), gpu("GPU-busy", **worker), gpu("GPU-free", **own), gpu("GPU-idle", **own)]
    usage, nodes = read(prometheus_with(lines))
    assert usage.pod_labels_exported
    assert {one.uuid: one.pod and one.pod.name for one in nodes["n1"].devices} == {
        "GPU-busy": "worker",
        "GPU-free": None,
        "GPU-idle": None,
    }
