"""Single rules of what stands behind an hour, each where it bites."""

from datetime import timedelta

from telemetry.domain.details import FROZEN, SILENT, HourDetails
from telemetry.domain.sample import DeviceSeries, NodeUsage, PhaseSeries, Pod, RequestSeries
from tests.telemetry.domain.accounting.hours import HOUR, gpu, hour_of, node, steady, usage
from tests.telemetry.domain.accounting.worlds import HOUR_AT


def asking(*pods: Pod, gpus: float = 1) -> dict[str, object]:
    return {
        "requests": tuple(RequestSeries(pod, "main", "nvidia_com_gpu", steady(gpus)) for pod in pods),
        "phases": tuple(PhaseSeries(pod, steady(1)) for pod in pods),
    }


def behind(*nodes: NodeUsage, **changes: object) -> HourDetails:
    return hour_of(usage(*nodes, **changes))[1]


def moving(uuid: str, **labels: object) -> DeviceSeries:
    busy = tuple((at, 0.5 + i % 7 / 100) for i, (at, _) in enumerate(steady(0)))
    return DeviceSeries(uuid, busy, **labels)


def test_a_pod_without_uid_at_its_device_is_the_one_of_that_name_that_asks_for_gpus() -> None:
    details = behind(node(gpu("G1", 0.0, pod=Pod("team", "p")), **asking(Pod("team", "p", "uid-1"))))
    (pod,) = details.pods
    assert (pod.uid, pod.idle_held, pod.held, pod.allocated, pod.busy) == ("uid-1", HOUR, HOUR, HOUR, 0)
    assert pod.idle_from == HOUR_AT


def test_where_two_pods_bore_one_name_nobody_can_say_whose_the_device_was() -> None:
    twins = asking(Pod("team", "p", "uid-1"), Pod("team", "p", "uid-2"))
    details = behind(node(gpu("G1", 0.0, pod=Pod("team", "p")), **twins))
    assert [(pod.uid, pod.idle_held, pod.allocated) for pod in details.pods] == [
        ("", HOUR, 0),
        ("uid-1", 0, HOUR),
        ("uid-2", 0, HOUR),
    ]


def test_an_idle_device_is_shared_equally_between_its_pods_the_rest_by_queue_and_uid() -> None:
    pods = [Pod("team", name, f"uid-{name}") for name in "cba"]
    details = behind(node(*(gpu("G1", 0.0, pod=pod) for pod in pods)))
    assert sum(pod.idle_held for pod in details.pods) == HOUR
    assert [pod.pod for pod in details.pods] == ["a", "b", "c"]
    # 30,000 ms a step divide by three; 29,999 would not, and the first by uid would get the rest
    assert {pod.idle_held for pod in details.pods} == {HOUR // 3}


def test_a_pod_that_stopped_is_idle_since_its_last_busy_step() -> None:
    device = DeviceSeries("G1", (*steady(0.7, end=40), *steady(0.0, start=40)), pod=Pod("team", "p"))
    (pod,) = behind(node(device)).pods
    assert (pod.unmanaged_busy, pod.idle_held) == (40 * 60_000, 20 * 60_000)
    assert pod.idle_from == HOUR_AT + timedelta(minutes=40)


def test_a_node_without_a_single_gpu_is_still_one_of_the_hours_nodes() -> None:
    details = behind(node(capacity=0))
    assert [(one.node, one.expected, one.known, one.busy) for one in details.nodes] == [("n1", 0, 0, 0)]


def test_a_node_that_was_never_in_the_pool_is_none_of_its_nodes() -> None:
    absent = NodeUsage("n2", "cr-1", (), steady(4), devices=(gpu("G9"),))
    details = behind(node(moving("G1")), absent)
    assert [one.node for one in details.nodes] == ["n1"]
    assert details.suspects == ()


def test_where_nobody_told_of_nodes_nothing_stands_behind_the_hour() -> None:
    assert hour_of(None)[1] == behind(node(gpu("G1")), node_data=False) == HourDetails()


def test_what_was_not_measured_is_unknown_at_its_nodes_and_pods_too() -> None:
    details = behind(node(**asking(Pod("team", "p"))), sm_exported=False)
    (one,), (pod,) = details.nodes, details.pods
    assert (one.expected, one.known, one.unknown, one.busy, one.idle_held) == (4 * HOUR, 0, 4 * HOUR, None, None)
    assert (pod.busy, pod.held, pod.idle_held, pod.allocated, pod.idle_from) == (None, None, None, HOUR, None)


def test_doubtful_devices_are_kept_with_their_node_and_a_few_are_named_in_the_flag() -> None:
    stuck = [gpu(f"G{i}", 0.5) for i in range(5)]
    row, details = hour_of(usage(node(*stuck[:3], gpu("G9", 0.0)), suspects={"G9": "SM activity 0 while it worked"}))
    assert [(one.node, one.uuid, one.what) for one in details.suspects] == [
        ("n1", "G0", FROZEN),
        ("n1", "G1", FROZEN),
        ("n1", "G2", FROZEN),
        ("n1", "G9", SILENT),
    ]
    note = dict(row.notes)["suspect"]
    assert note.startswith("G0 on n1: one value 20 times in a row: its exporter may stand still; G1 on n1")
    assert note.endswith("; and one more device")
    many = dict(hour_of(usage(node(*stuck)), gpus="8")[0].notes)["suspect"]
    assert many.endswith("; and 2 more devices")


def test_zeros_are_not_frozen_and_neither_is_a_value_that_stood_for_less_than_twenty_samples() -> None:
    short = DeviceSeries("G1", (*steady(0.5, end=9), *moving("x").samples[21:]))
    assert behind(node(gpu("G2", 0.0), short)).suspects == ()
