"""What fetch reads of the worked hour from a real Prometheus."""

import dataclasses
from datetime import timedelta

import pytest
import requests

from telemetry.domain.sample import NodeUsage, Pod
from telemetry.sources import prometheus
from tests.fixtures.prometheus import PrometheusWith
from tests.telemetry.sources.questions import question
from tests.telemetry.worked_hour import BLANK, LABEL, RESERVATION, START, at, worked_hour

pytestmark = pytest.mark.prometheus

EDGE = [at(second) for second in range(-30, 3631, 30)]
"""Every scrape in (T0 − 1.5Δ, T1 + 1.5Δ]."""


@pytest.fixture
def url(prometheus_with: PrometheusWith) -> str:
    return prometheus_with(worked_hour(cq_b_nominal=1))


@pytest.fixture
def nodes(url: str) -> dict[str, NodeUsage]:
    return {node.node: node for node in prometheus.fetch(question(url)).nodes}


def times(samples: tuple[tuple[int, float], ...]) -> list[int]:
    return [t for t, _ in samples]


def test_only_the_pools_own_nodes_are_read_with_the_label_value_that_joined_them(nodes: dict[str, NodeUsage]) -> None:
    assert {name: node.match_value for name, node in nodes.items()} == {"n1": RESERVATION, "n2": RESERVATION}


def test_two_replicas_of_kube_state_metrics_count_a_node_once(nodes: dict[str, NodeUsage]) -> None:
    for node in nodes.values():
        assert node.presence == tuple((t, 1.0) for t in EDGE)
        assert node.capacity == tuple((t, 4.0) for t in EDGE)
        assert node.mig_capacity == ()
        assert node.physical_label is None


def test_every_device_keeps_every_sample_under_the_pod_that_held_it(nodes: dict[str, NodeUsage]) -> None:
    held = {
        (d.uuid, d.pod and (d.pod.namespace, d.pod.name)): len(d.samples) for n in nodes.values() for d in n.devices
    }
    outage = len(EDGE) - 20
    assert held == {
        ("GPU-1", ("team-a", "owner-a")): len(EDGE),
        ("GPU-2", ("team-a", "owner-a")): len(EDGE),
        ("GPU-3", ("team-b", "borrow-b")): 62,
        ("GPU-3", None): 61,
        ("GPU-4", None): len(EDGE),
        ("GPU-5", ("team-a", "owner-c")): outage,
        ("GPU-6", ("team-a", "owner-c")): outage,
        ("GPU-7", ("team-b", "borrow-d")): outage,
        ("GPU-8", None): outage,
    }


def test_a_replaced_exporter_leaves_one_series_without_a_seam(nodes: dict[str, NodeUsage]) -> None:
    first = next(d for d in nodes["n1"].devices if d.uuid == "GPU-1")
    assert first.samples == tuple((t, 0.9) for t in EDGE)


def test_an_outage_stays_a_gap_and_a_blank_stays_a_sample_nobody_can_believe(nodes: dict[str, NodeUsage]) -> None:
    sixth = next(d for d in nodes["n2"].devices if d.uuid == "GPU-6")
    assert [t for t in EDGE if t not in times(sixth.samples)] == [at(s) for s in range(1230, 1801, 30)]
    assert [t for t, value in sixth.samples if value == BLANK] == [at(s) for s in range(1830, 2101, 30)]


def test_requests_and_phases_tell_the_completed_pod_from_the_running(nodes: dict[str, NodeUsage]) -> None:
    gone = Pod("team-b", "borrow-b", "uid-b")
    asked = {r.pod.name: (r.container, r.resource, r.init, r.samples) for n in nodes.values() for r in n.requests}
    assert sorted(asked) == ["borrow-b", "borrow-d", "owner-a", "owner-c"]
    until = tuple((t, 1.0) for t in EDGE if t <= at(3000))
    assert asked["borrow-b"] == ("main", "nvidia_com_gpu", False, until)
    phase = next(p for p in nodes["n1"].phases if p.pod == gone)
    assert phase.samples == tuple((t, float(t <= at(1800))) for t in EDGE if t <= at(3000))


def test_pods_come_with_their_queue_and_queues_with_their_quota(url: str) -> None:
    usage = prometheus.fetch(question(url))
    assert {(one.pod.name, one.pod.uid, one.queue, len(one.samples)) for one in usage.pod_queues} == {
        ("owner-a", "uid-a", "cq-a", 123),
        ("owner-c", "uid-c", "cq-a", 123),
        ("borrow-b", "uid-b", "cq-b", 102),
        ("borrow-d", "uid-d", "cq-b", 123),
    }
    first, second = usage.queues
    assert (first.cluster_queue, first.cohort, first.flavor) == ("cq-a", "h100", "reserved")
    assert first.usage == tuple((t, 4.0) for t in EDGE)
    assert first.nominal == tuple((t, 6.0) for t in EDGE)
    assert second.usage == tuple((t, 2.0 if t <= at(1800) else 1.0) for t in EDGE)
    assert second.nominal == tuple((t, 1.0) for t in EDGE)


def test_a_flavor_that_is_not_the_pools_is_left_out_but_proves_that_quotas_exist(url: str) -> None:
    usage = prometheus.fetch(question(url, flavor="spot"))
    assert usage.queues == ()
    assert usage.queue_metrics


def test_what_exists_is_told(url: str) -> None:
    usage = prometheus.fetch(question(url))
    list(usage.nodes)
    assert usage.sm_exported
    assert usage.pod_labels_exported
    assert usage.node_data
    assert usage.allocation_data
    assert usage.queue_labels
    assert usage.queue_metrics
    assert (usage.step_ms, usage.state_step_ms, usage.warnings, usage.suspects) == (30_000, 30_000, [], {})


def test_a_metric_nobody_exports_is_said_to_be_absent_while_the_rest_is_still_read(url: str) -> None:
    usage = prometheus.fetch(question(url, busy_metric="DCGM_FI_PROF_SM_UTIL_RATIO"))
    nodes = list(usage.nodes)
    assert not usage.sm_exported
    assert not usage.pod_labels_exported
    assert [node.devices for node in nodes] == [(), ()]
    assert sum(len(node.requests) for node in nodes) == 4


def test_an_hour_nobody_measured_has_no_data_and_no_nodes(url: str) -> None:
    usage = prometheus.fetch(question(url, start=START - timedelta(days=2)))
    assert list(usage.nodes) == []
    assert not usage.node_data
    assert not usage.allocation_data
    assert not usage.queue_metrics
    assert not usage.sm_exported


def test_one_node_at_a_time_gives_the_same_as_all_at_once(url: str) -> None:
    whole = prometheus.fetch(question(url))
    small = prometheus.fetch(question(url, options={"nodes_per_shard": 1, "pods_per_shard": 1}))
    assert list(small.nodes) == list(whole.nodes)
    assert small.pod_queues == whole.pod_queues
    assert small.queues == whole.queues


def test_a_shared_session_is_left_open_and_keeps_its_connection(url: str) -> None:
    with prometheus.open_session() as session:
        first = list(prometheus.fetch(question(url), session=session).nodes)
        adapter = session.get_adapter(f"{url}/api/v1/query")
        assert list(prometheus.fetch(question(url), session=session).nodes) == first
        assert session.get_adapter(f"{url}/api/v1/query") is adapter
        assert isinstance(session, requests.Session)


def test_another_clusters_series_are_not_ours(prometheus_with: PrometheusWith) -> None:
    ours = [dataclasses.replace(one, labels={**one.labels, "cluster": "prod-a"}) for one in worked_hour(cq_b_nominal=1)]
    theirs = [dataclasses.replace(one, labels={**one.labels, "cluster": "prod-b"}) for one in ours]
    url = prometheus_with([*ours, *theirs])
    alone = prometheus.fetch(question(prometheus_with(worked_hour(cq_b_nominal=1))))
    usage = prometheus.fetch(question(url, cluster="prod-a"))
    assert list(usage.nodes) == list(alone.nodes)
    assert usage.queues == alone.queues
    assert usage.warnings == []
    assert prometheus.fetch(question(url)).warnings == [
        "nodes of several clusters answer (prod-a, prod-b): set cluster of the source"
    ]


def test_a_pool_without_a_node_label_is_looked_for_by_karpenters(url: str) -> None:
    assert len(list(prometheus.fetch(question(url, node_label="")).nodes)) == 2
    assert LABEL == "label_karpenter_k8s_aws_capacity_reservation_id"


def test_a_pool_before_its_first_reservation_has_no_nodes(url: str) -> None:
    usage = prometheus.fetch(question(url, node_values=()))
    assert list(usage.nodes) == []
    assert usage.node_data
