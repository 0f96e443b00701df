"""The demo fleet's telemetry: the same for the same question anywhere, with the holes its story tells of."""

import hashlib
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta

import pytest

from telemetry.domain.sample import HourUsage, UnableToFetch
from telemetry.sources.synthetic import fetch
from tests.telemetry.sources.fleet_worlds import URL, asked, at, nodes, scraped, usage

POOLS = ("serving-h100", "training-h200", "sprint-b200", "notebooks-a100")
FIVE_MINUTES = timedelta(minutes=5)

FINGERPRINT = """
from tests.telemetry.sources.test_synthetic_usage import fingerprint
print(fingerprint())
"""


def fingerprint() -> str:
    """One number for a day's answers of all pools."""
    told = [repr(usage(at(-7, hour), pool)) for pool in POOLS for hour in range(0, 24, 5)]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def values(of: HourUsage) -> Iterable[float]:
    return (value for node in of.nodes for device in node.devices for _, value in device.samples)


def test_another_process_tells_the_same_world() -> None:
    run = subprocess.run([sys.executable, "-c", FINGERPRINT], capture_output=True, text=True, timeout=60, check=True)
    assert run.stdout.strip() == fingerprint()


def test_the_order_of_questions_does_not_matter() -> None:
    late_first = [repr(usage(at(days, 9), "training-h200")) for days in (-1, -20, -3)]
    early_first = [repr(usage(at(days, 9), "training-h200")) for days in (-20, -3, -1)]
    assert sorted(late_first) == sorted(early_first)


def test_another_seed_is_another_world() -> None:
    other = usage(at(-7, 9), url=URL.replace("//7/", "//8/"))
    assert {node.node for node in other.nodes}.isdisjoint(node.node for node in nodes(at(-7, 9)))


def test_hours_that_touch_agree_on_the_samples_they_share() -> None:
    def edge(hour: int) -> dict[tuple[str, int], float]:
        around = (at(-7, 10) - FIVE_MINUTES, at(-7, 10), at(-7, 10) + FIVE_MINUTES)
        wanted = {int(time.timestamp() * 1000) for time in around}
        return {
            (device.uuid, ms): value
            for node in nodes(at(-7, hour))
            for device in node.devices
            for ms, value in device.samples
            if ms in wanted
        }

    assert edge(9) == edge(10)
    assert edge(9)


def test_the_world_goes_on_after_the_day_it_was_loaded() -> None:
    assert len(nodes(at(30, 9))) == 10
    assert usage(at(30, 9)).sm_exported


def test_every_value_is_an_activity() -> None:
    seen = [value for pool in POOLS for value in values(usage(at(-7, 15), pool))]
    assert min(seen) == 0
    assert 0.3 < max(seen) <= 1


def test_one_node_is_deaf_for_half_a_day_while_kubernetes_sees_it() -> None:
    told = [node for node in nodes(at(-6, 12)) if not node.devices]
    assert len(told) == 1
    assert len(scraped(told[0].presence, at(-6, 12))) == 12
    assert all(node.node != told[0].node or node.devices for node in nodes(at(-6, 22)))


def test_no_exporter_answers_for_three_hours_while_kubernetes_does() -> None:
    hour = at(-12, 14)
    answer = usage(hour)
    assert not list(values(answer))
    assert (answer.sm_exported, answer.node_data) == (False, True)
    assert all(len(scraped(node.capacity, hour)) == 12 for node in answer.nodes)


def test_the_engine_that_stored_nothing_knows_of_no_node() -> None:
    answer = usage(at(-19, 4))
    assert (list(answer.nodes), answer.node_data, answer.queue_metrics) == ([], False, False)


@pytest.mark.parametrize(("hour", "told"), [(2, True), (3, False), (4, False), (5, False), (6, True)])
def test_a_neighbouring_hour_does_not_speak_for_a_dark_one(hour: int, told: bool) -> None:
    assert usage(at(-19, hour)).node_data is told


def test_quotas_are_missing_while_kueue_is_down() -> None:
    assert scraped(usage(at(-9, 3)).queues[0].nominal, at(-9, 3)) == []
    assert len(scraped(usage(at(-9, 5)).queues[0].nominal, at(-9, 5))) == 12


def test_a_node_that_failed_is_gone_from_the_cluster_overnight() -> None:
    before, during = nodes(at(-4, 15), "training-h200"), nodes(at(-4, 22), "training-h200")
    assert len({node.node for node in before} - {node.node for node in during}) == 1


def test_one_gpu_reads_zero_while_its_node_works_and_is_told_as_suspect() -> None:
    hours = [at(-2, hour) for hour in range(6, 40)]
    told = [(hour, answer) for hour in hours if (answer := usage(hour, "training-h200")).suspects]
    assert len(told) > 20
    assert len({uuid for _, answer in told for uuid in answer.suspects}) == 1
    for hour, answer in told:
        (uuid, why), *_ = answer.suspects.items()
        assert why.startswith("SM activity 0 for 10 minutes")
        (node,) = (node for node in answer.nodes if uuid in {device.uuid for device in node.devices})
        read: dict[str, list[float]] = {}
        for device in node.devices:
            inside = [value for ms, value in device.samples if scraped(((ms, value),), hour)]
            read.setdefault(device.uuid, []).extend(inside)
        assert set(read.pop(uuid)) == {0.0}
        assert all(max(others) > 0.3 for others in read.values())
    assert not usage(at(-2, 4), "training-h200").suspects
    assert not usage(at(-2, 12), "serving-h100").suspects


def test_serving_sleeps_at_night() -> None:
    def busy(hour: int) -> int:
        held = [one for one in usage(at(-6, hour)).pod_queues if one.queue == "serving"]
        return sum(len(scraped(one.samples, at(-6, hour))) for one in held)

    assert busy(5) < 0.6 * busy(17)


def test_batch_fills_the_night_without_a_quota_of_its_own() -> None:
    batch = next(queue for queue in usage(at(-6, 5)).queues if queue.cluster_queue == "research-batch")
    assert {value for _, value in batch.nominal} == {0.0}
    assert max(value for _, value in batch.usage) >= 8


@pytest.mark.parametrize("pool", POOLS)
def test_no_gpu_is_held_twice(pool: str) -> None:
    for node in nodes(at(-7, 11), pool):
        by_time: dict[int, float] = {}
        for request in node.requests:
            for ms, gpus in request.samples:
                by_time[ms] = by_time.get(ms, 0) + gpus
        assert max(by_time.values(), default=0) <= 8
        assert len({device.uuid for device in node.devices}) in (0, 8)


def test_kueue_counts_what_pods_hold() -> None:
    answer = usage(at(-7, 11))
    requests = [one for node in answer.nodes for one in node.requests]
    for queue in answer.queues:
        pods = {one.pod for one in answer.pod_queues if one.queue == queue.cluster_queue}
        held = Counter[int]()
        for one in requests:
            held.update({ms: int(gpus) for ms, gpus in one.samples if one.pod in pods})
        assert {ms: used for ms, used in queue.usage if used} == dict(held)


def test_only_nodes_of_the_asked_reservations_are_told() -> None:
    assert not list(usage(at(-7, 9), node_values=("cr-0other",)).nodes)


@pytest.mark.parametrize("url", ["synthetic://seven/2026-05-18", "synthetic://7/2026-02-30", "http://127.0.0.1:9090"])
def test_a_wrong_address_is_named(url: str) -> None:
    with pytest.raises(UnableToFetch, match=r"is no demo fleet: write it as synthetic://") as refused:
        fetch(asked(at(0), url=url))
    assert refused.value.permanent


def test_an_unknown_pool_is_named() -> None:
    with pytest.raises(UnableToFetch, match="has no pool “reserved-h100”"):
        fetch(asked(at(0), pool="reserved-h100"))


def test_batch_work_waits_behind_the_traffic_of_the_day_and_at_night_nothing_does() -> None:
    def waiting(hour: int, pool: str = "serving-h100") -> dict[str, float]:
        return {one.cluster_queue: max(value for _, value in one.samples) for one in usage(at(-7, hour), pool).pending}

    by_day = {name: [waiting(hour)[name] for hour in range(24)] for name in ("serving", "research-batch")}
    assert max(by_day["serving"]) == 0
    assert min(by_day["research-batch"][2:9]) == max(by_day["research-batch"][2:9]) == 0
    assert sum(gpus > 0 for gpus in by_day["research-batch"]) >= 4
    assert set(waiting(15, "training-h200").values()) == {0}


def test_what_waits_is_unknown_while_kueue_is_down() -> None:
    told = usage(at(-9, 3))
    first, last = told.period.start_ms, told.period.end_ms
    assert [at for one in told.pending for at, _ in one.samples if first < at < last] == []
