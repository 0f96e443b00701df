"""What Kueue says of waiting work, in the shapes its versions have."""

from telemetry.domain.sample import PendingSeries
from telemetry.sources.prometheus.names import Limits, SeriesNames
from telemetry.sources.prometheus.pending import pending_series
from telemetry.sources.prometheus.questions import questions_of
from telemetry.sources.prometheus.series import Series
from tests.telemetry.sources.questions import question

GPUS = "kueue_cluster_queue_resource_pending"
COUNT = "kueue_pending_workloads"


def told(*series: tuple[str, dict[str, str], list[str]]) -> dict[str, list[float]]:
    asked = questions_of(question("http://127.0.0.1:9"), SeriesNames(), Limits())
    first = asked.start_ms // 1000 + 30

    def answer(query: str) -> list[Series]:
        assert GPUS in query
        assert COUNT in query
        return [
            {
                "metric": {"__name__": name, **labels},
                "values": [[first + 30 * at, text] for at, text in enumerate(values)],
            }
            for name, labels, values in series
        ]

    found = pending_series(answer, asked)
    assert all(isinstance(one, PendingSeries) for one in found)
    return {one.cluster_queue: [value for _, value in one.samples] for one in found}


def gpus(queue: str, *values: str, resource: str = "nvidia.com/gpu", role: str = "leader") -> tuple:
    return GPUS, {"cluster_queue": queue, "resource": resource, "replica_role": role}, list(values)


def count(queue: str, *values: str, status: str = "active") -> tuple:
    return COUNT, {"cluster_queue": queue, "status": status}, list(values)


def test_leader_and_follower_count_once_with_the_larger_value() -> None:
    assert told(gpus("a", "8", "4"), gpus("a", "0", "16", role="follower")) == {"a": [8, 16]}


def test_a_count_of_workloads_above_none_says_nothing_in_gpus() -> None:
    assert told(count("a", "3", "1")) == {}
    assert told(count("a", "0", "1", "0")) == {"a": [0, 0]}


def test_a_count_of_none_holds_only_where_no_status_has_any() -> None:
    assert told(count("a", "0", "0"), count("a", "2", "0", status="inadmissible")) == {"a": [0]}


def test_work_that_waits_for_other_resources_alone_waits_for_no_gpu() -> None:
    assert told(gpus("a", "96", resource="cpu"), count("a", "2")) == {"a": [0]}
    assert told(gpus("a", "96", resource="cpu"), gpus("a", "8"), count("a", "2")) == {"a": [8]}


def test_where_nothing_is_exported_nothing_is_said() -> None:
    assert told() == {}
