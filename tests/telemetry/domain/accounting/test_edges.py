"""The ledger's single rules, each where it bites."""

from dataclasses import replace
from datetime import timedelta

import pytest

from reservations.domain.held import AvailableSeen
from telemetry.domain.sample import (
    DeviceSeries,
    PhaseSeries,
    Pod,
    PodQueueSeries,
    QueueSeries,
    RequestSeries,
)
from tests.telemetry.domain.accounting.hours import HOUR, gpu, held, node, row_of, steady, usage
from tests.telemetry.domain.accounting.worlds import HOUR_AT, PERIOD


def test_a_metric_that_is_not_exported_is_unknown_and_never_zero() -> None:
    row = row_of(usage(node(), sm_exported=False))
    assert (row.known, row.unknown, row.expected) == (0, 4 * HOUR, 4 * HOUR)
    assert (row.busy, row.idle, row.sm, row.owner_busy, row.idle_free) == (None,) * 5
    assert "sm_not_exported" in row.flags
    assert row.coverage == 0


def test_nobody_is_said_to_have_used_nothing_in_an_hour_nobody_measured() -> None:
    pod = Pod("team", "p")
    asked = {
        "requests": (RequestSeries(pod, "a", "nvidia_com_gpu", steady(1)),),
        "phases": (PhaseSeries(pod, steady(1)),),
    }
    queue = row_of(usage(node(**asked), sm_exported=False)).queues[0]
    assert (queue.allocated, queue.owner_busy, queue.unmanaged_busy) == (HOUR, None, None)


def test_an_hour_without_one_valid_sample_is_unknown_with_its_reason() -> None:
    row = row_of(usage(node(gpu("G1", 2.0**47), gpu("G2", float("nan")))))
    assert (row.known, row.busy, row.idle, row.sm) == (0, None, None, None)
    assert {"no_valid_sample", "samples_rejected"} <= set(row.flags)


def test_an_hour_in_which_no_node_was_joined_has_nothing_unknown() -> None:
    row = row_of(usage())
    assert (row.expected, row.known, row.unknown, row.busy, row.coverage) == (0, 0, 0, 0, None)
    assert row.not_joined == 4 * HOUR


def test_without_node_data_nothing_is_guessed() -> None:
    row = row_of(usage(node_data=False))
    assert (row.reserved, row.ec2_unused) == (4 * HOUR, 0)
    assert (row.expected, row.known, row.unknown, row.busy, row.not_joined, row.allocated) == (None,) * 6
    assert row.flags == ("no_node_data",)


def test_a_pool_without_telemetry_still_shows_what_it_reserved() -> None:
    row = row_of(None)
    assert (row.reserved, row.paid, row.ec2_unused, row.expected) == (4 * HOUR, 4 * HOUR, 0, None)
    assert row.flags == ("no_metrics_source",)


def test_an_unobserved_part_of_the_hour_makes_the_unlaunched_part_unknown() -> None:
    seen = held(observations=(AvailableSeen(HOUR_AT + timedelta(minutes=30), 0),))
    row = row_of(usage(node(gpu("G1"), capacity=1)), seen)
    assert (row.ec2_unused, row.launched, row.not_joined) == (None, None, None)
    assert row.not_observed == 3 * HOUR
    assert "reservation_unobserved" in row.flags


def test_an_exporter_without_pod_labels_leaves_idle_unsplit() -> None:
    row = row_of(usage(node(gpu("G1", 0.0)), pod_labels_exported=False))
    assert (row.idle, row.idle_held, row.idle_free) == (HOUR, None, None)
    assert "pod_labels_not_exported" in row.flags


def test_time_slicing_multiplies_what_kubernetes_says_and_not_what_is_there() -> None:
    assert row_of(usage(node(gpu("G1"), capacity=32))).expected == 4 * HOUR


def test_more_devices_than_the_node_has_are_rejected_and_flagged() -> None:
    row = row_of(usage(node(*(gpu(f"G{i}") for i in range(6)))))
    assert row.known == row.expected == 4 * HOUR
    assert "devices_rejected" in row.flags


def test_a_swapped_gpu_counts_before_and_its_successor_after() -> None:
    old = DeviceSeries("OLD", steady(0.9, -1, 30))
    new = DeviceSeries("NEW", steady(0.9, 30, 61))
    row = row_of(usage(node(old, new, capacity=1)))
    assert (row.known, row.expected) == (HOUR, HOUR)
    assert "devices_rejected" not in row.flags


def test_a_device_on_a_node_that_left_the_pool_stops_counting() -> None:
    left = replace(node(gpu("G1")), presence=steady(1, -1, 15))
    row = row_of(usage(left))
    assert (row.expected, row.known) == (HOUR, HOUR // 4)
    assert "devices_rejected" in row.flags


def test_device_time_past_the_usable_end_is_left_out_and_flagged() -> None:
    ends = held(usable_until=HOUR_AT + timedelta(minutes=30), end_at=HOUR_AT + timedelta(minutes=60))
    row = row_of(usage(node(gpu("G1"), capacity=1)), ends, gpus="1")
    assert (row.reserved, row.paid) == (HOUR // 2, HOUR)
    assert (row.expected, row.known, row.busy) == (HOUR // 2,) * 3
    assert "past_usable_until" in row.flags


def test_nodes_of_a_reservation_that_goes_on_are_not_cut_by_one_that_ended() -> None:
    ended = held(external_id="cr-0", usable_until=HOUR_AT, end_at=HOUR_AT)
    row = row_of(usage(node(gpu("G1"), capacity=1)), ended, held(), gpus="1")
    assert row.known == HOUR


def test_a_queue_without_quota_metrics_is_unattributed_and_not_guessed() -> None:
    pod = Pod("team", "p")
    row = row_of(usage(node(gpu("G1", pod=pod)), pod_queues=(PodQueueSeries(pod, "cq-a", steady(1)),)))
    assert (row.unattributed_busy, row.owner_busy, row.borrower_busy) == (HOUR, 0, 0)
    assert "queue_metrics_missing" in row.flags
    assert row.queues[0].cluster_queue == "cq-a"


def test_pods_whose_queue_labels_are_not_exported_are_not_taken_for_unmanaged() -> None:
    pod = Pod("team", "p")
    busy = usage(node(gpu("G1", pod=pod)), pod_queues=(PodQueueSeries(pod, "", steady(1)),), queue_labels=False)
    assert {row_of(one).unattributed_busy for one in (busy, replace(busy, pod_queues=()))} == {HOUR}
    nothing_of_kueue = replace(busy, queue_metrics=False, nodes=busy.nodes)
    assert row_of(nothing_of_kueue).unmanaged_busy == HOUR
    assert row_of(nothing_of_kueue, queues=("cq-a",)).unattributed_busy == HOUR


@pytest.mark.parametrize(
    ("cohort", "used", "nominal", "owner"),
    [
        ("", 4, 0, HOUR),  # no cohort: nothing can be borrowed
        ("c", 0, 0, HOUR),  # nothing in use by Kueue's count
        ("c", 2, 0, 0),  # owns nothing
        ("c", 2, 4, HOUR),
        ("c", 4, 1, HOUR // 4),
    ],
)
def test_the_borrowed_part_follows_the_quota(cohort: str, used: float, nominal: float, owner: int) -> None:
    pod = Pod("team", "p")
    queue = QueueSeries("cq-a", cohort, "f", steady(used), steady(nominal))
    labels = (PodQueueSeries(pod, "cq-a", steady(1)),)
    row = row_of(usage(node(gpu("G1", pod=pod)), queues=(queue,), pod_queues=labels))
    assert (row.owner_busy, row.borrower_busy) == (owner, HOUR - owner)


def test_a_lost_pod_label_stays_busy_and_belongs_to_nobody() -> None:
    pod = Pod("team", "p")
    labelled = DeviceSeries("G1", steady(0.9, -1, 30), pod=pod)
    lost = DeviceSeries("G1", steady(0.9, 30, 61))
    row = row_of(usage(node(labelled, lost), queue_metrics=False))
    assert (row.unmanaged_busy, row.unattributed_busy, row.busy) == (HOUR // 2, HOUR // 2, HOUR)


def test_a_shared_gpu_is_one_gpu_split_equally_with_the_rest_by_queue_and_uid() -> None:
    pods = [Pod("team", name, uid) for name, uid in (("x", "3"), ("y", "1"), ("z", "2"))]
    shared = tuple(
        DeviceSeries("G1", ((PERIOD.start_ms + 10_001, 0.5),), pod=pod, queue=f"cq-{pod.uid}") for pod in pods
    )
    queues = tuple(QueueSeries(f"cq-{i}", "", "f", steady(1), steady(1)) for i in (1, 2, 3))
    row = row_of(usage(node(*shared), queues=queues))
    assert row.busy == row.known == 10_001
    assert [queue.owner_busy for queue in row.queues] == [3334, 3334, 3333]


def test_a_value_that_never_moves_is_kept_and_marked_as_suspect() -> None:
    moving = DeviceSeries("G2", tuple((t, 0.5 + i % 2 / 100) for i, (t, _) in enumerate(steady(0))))
    assert "suspect" in row_of(usage(node(gpu("G1", 0.9)))).flags
    assert "suspect" not in row_of(usage(node(moving, gpu("G3", 0.0)))).flags


def test_a_node_that_owns_an_eighth_of_a_gpu_counts_an_eighth() -> None:
    row = row_of(usage(node(gpu("G1", 0.5), capacity=1)), gpus="0.125")
    assert (row.reserved, row.expected, row.known, row.busy) == (HOUR // 8,) * 4
    assert row.sm == HOUR // 16


def test_pods_of_a_time_sliced_node_hold_no_more_than_it_has() -> None:
    pods = [Pod("team", name) for name in "abc"]
    asked = tuple(RequestSeries(pod, "main", "nvidia_com_gpu", steady(2)) for pod in pods)
    row = row_of(
        usage(node(gpu("G1"), capacity=4, requests=asked, phases=tuple(PhaseSeries(p, steady(1)) for p in pods)))
    )
    assert row.allocated == 4 * HOUR
    assert "allocated_capped" in row.flags


def test_a_pod_needs_the_larger_of_its_containers_together_and_its_largest_init_container() -> None:
    pod = Pod("team", "p")
    asked = (
        RequestSeries(pod, "a", "nvidia_com_gpu", steady(1)),
        RequestSeries(pod, "b", "nvidia_com_gpu", steady(1)),
        RequestSeries(pod, "setup", "nvidia_com_gpu", steady(3), init=True),
        RequestSeries(pod, "warm", "nvidia_com_gpu", steady(2), init=True),
    )
    row = row_of(usage(node(requests=asked, phases=(PhaseSeries(pod, steady(1)),))))
    assert row.allocated == 3 * HOUR


def test_pods_that_no_request_names_make_allocated_too_low_and_are_said() -> None:
    claimed = gpu("G1", 0.0, pod=Pod("team", "claims-a-gpu"))
    assert "allocated_below_held" in row_of(usage(node(claimed))).flags
    asked = {
        "requests": (RequestSeries(Pod("team", "claims-a-gpu"), "a", "nvidia_com_gpu", steady(1)),),
        "phases": (PhaseSeries(Pod("team", "claims-a-gpu"), steady(1)),),
    }
    assert "allocated_below_held" not in row_of(usage(node(claimed, **asked))).flags


def test_one_gpu_claimed_by_two_nodes_is_one_gpu() -> None:
    first, second = node(gpu("G1"), capacity=1), replace(node(gpu("G1"), capacity=1), node="n2")
    row = row_of(usage(first, second))
    assert (row.expected, row.known, row.unknown) == (2 * HOUR, HOUR, HOUR)
    assert "devices_rejected" in row.flags


def test_a_gpu_whose_node_took_another_name_counts_before_and_after() -> None:
    before = node(DeviceSeries("G1", steady(0.9, -1, 30)), capacity=1)
    after = replace(node(DeviceSeries("G1", steady(0.9, 30, 61)), capacity=1), node="n2")
    row = row_of(usage(replace(before, presence=steady(1, -1, 30)), replace(after, presence=steady(1, 30, 61))))
    assert (row.expected, row.known) == (HOUR, HOUR)
    assert "devices_rejected" not in row.flags


def test_what_one_flavor_leaves_unused_does_not_cover_what_another_borrows() -> None:
    pod = Pod("team", "p")
    queues = (
        QueueSeries("cq-a", "c", "h100", steady(6), steady(0)),
        QueueSeries("cq-a", "c", "a100", steady(2), steady(8)),
    )
    labels = (PodQueueSeries(pod, "cq-a", steady(1)),)
    row = row_of(usage(node(gpu("G1", pod=pod)), queues=queues, pod_queues=labels))
    assert (row.owner_busy, row.borrower_busy) == (HOUR // 4, 3 * HOUR // 4)


def test_two_replicas_of_kube_state_metrics_count_once() -> None:
    pod = Pod("team", "p")
    twice = tuple(RequestSeries(pod, "a", "nvidia_com_gpu", steady(1)) for _ in range(2))
    phases = tuple(PhaseSeries(pod, steady(1)) for _ in range(2))
    assert row_of(usage(node(requests=twice, phases=phases))).allocated == HOUR
