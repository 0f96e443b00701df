"""The worked hour, from a real Prometheus through collection into the stored ledger, to the millisecond."""

import json
from datetime import datetime, timedelta
from decimal import Decimal
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from reservations.domain.period import HOUR_MS, hour_period
from telemetry.models import PoolHour
from telemetry.selectors.demand import demand_trace
from telemetry.selectors.details import hour_nodes, hour_pods
from telemetry.services.collection import collect_hours
from tests.fixtures.prometheus import PrometheusWith
from tests.telemetry.collected_pool import collected_pool
from tests.telemetry.worked_hour import END, START, pending, worked_hour

pytestmark = [pytest.mark.prometheus, pytest.mark.django_db]

MINUTE = HOUR_MS // 60

TRUTH = {
    "reserved": 720 * MINUTE,
    "paid": 720 * MINUTE,
    "ec2_unused": 240 * MINUTE,
    "expected": 480 * MINUTE,
    "not_joined": 0,
    "not_observed": 0,
    "known": 435 * MINUTE,
    "unknown": 45 * MINUTE,
    "busy": 275 * MINUTE,
    "sm": int(191.5 * MINUTE),
    "idle": 160 * MINUTE,
    "idle_held": 30 * MINUTE,
    "idle_free": 130 * MINUTE,
    "allocated": 330 * MINUTE,
    "unmanaged_busy": 0,
    "unattributed_busy": 10 * MINUTE,
}
"""GPU-milliseconds by hand: the table of the worked hour in minutes; GPU 2 is held while idle, 3, 4 and 8 are free."""

SPLITS = {
    "A, cq-b owns nothing": (0, {"cq-a": (185, 0), "cq-b": (0, 80)}),
    "B, cq-b owns one": (1, {"cq-a": (185, 0), "cq-b": (55, 25)}),
}
"""name → nominal quota of cq-b, then (owner, borrower) busy minutes of each queue.

B: cq-b uses 2 to :30 and 1 after. GPU 3 is busy 30 min and GPU 7 is seen for 20 before :30: half of 50 is borrowed;
the 30 minutes after are its own.
"""


def collected(url: str, as_of: datetime = END + timedelta(minutes=5)) -> PoolHour:
    pool = collected_pool(url, first=START - timedelta(hours=1), last=END, instances=3, available=1, gpus_per_node=4)
    report = collect_hours(pool_ids=[pool.pk], period=hour_period(START), as_of=as_of)
    assert dict(report.counts) == {"stored": 1}, report.problems
    return PoolHour.objects.get(pool=pool)


@pytest.mark.parametrize("split", SPLITS)
def test_the_stored_row_is_the_worked_hour_to_the_millisecond(prometheus_with: PrometheusWith, split: str) -> None:
    nominal, by_queue = SPLITS[split]
    row = collected(prometheus_with(worked_hour(cq_b_nominal=nominal)))
    assert {name: getattr(row, name) for name in TRUTH} == TRUTH
    assert row.owner_busy == sum(owner for owner, _ in by_queue.values()) * MINUTE
    assert row.borrower_busy == sum(borrower for _, borrower in by_queue.values()) * MINUTE
    used = {one.cluster_queue: (one.owner_busy, one.borrower_busy) for one in row.queues.all()}
    assert used.pop("") == (0, 0)
    assert used == {queue: (owner * MINUTE, borrower * MINUTE) for queue, (owner, borrower) in by_queue.items()}


def test_the_queues_hold_what_was_allocated_to_their_pods(prometheus_with: PrometheusWith) -> None:
    row = collected(prometheus_with(worked_hour(cq_b_nominal=1)))
    held = {one.cluster_queue: one.allocated for one in row.queues.all()}
    assert held == {"cq-a": 240 * MINUTE, "cq-b": 90 * MINUTE, "": 0}
    rogue = next(one for one in row.queues.all() if not one.cluster_queue)
    assert rogue.unattributed_busy == 10 * MINUTE


NODES = {"n1": (240, 240, 120, 30, 90), "n2": (240, 195, 155, 0, 40)}
"""node → expected, known, busy, idle and held, idle and free, in minutes of the table."""

PODS = {
    ("borrow-b", "uid-b", "cq-b"): (30, 0, 30, 30),
    ("borrow-d", "uid-d", "cq-b"): (50, 0, 60, 60),
    ("owner-a", "uid-a", "cq-a"): (90, 30, 120, 60),
    ("owner-c", "uid-c", "cq-a"): (95, 0, 120, 60),
}
"""pod → busy, idle while held, allocated, and since which minute of the hour none of its GPUs was busy."""


def test_the_nodes_and_pods_behind_it_are_those_of_the_table(prometheus_with: PrometheusWith) -> None:
    pool_id = collected(prometheus_with(worked_hour(cq_b_nominal=1))).pool_id
    nodes = {
        one.node: tuple(ms // MINUTE for ms in (one.expected, one.known, one.busy, one.idle_held, one.idle_free))
        for one in hour_nodes(pool_id=pool_id, hour=START)
    }
    assert nodes == NODES
    pods = {
        (one.pod, one.uid, one.cluster_queue): (
            one.busy / MINUTE,
            one.idle_held / MINUTE,
            one.allocated / MINUTE,
            (one.idle_from - START) / timedelta(minutes=1),
        )
        for one in hour_pods(pool_id=pool_id, hour=START)
    }
    assert pods == PODS


ACTIVE = 'DCGM_FI_PROF_SM_ACTIVE{Hostname=~"n1|n2"}'
BOUNDED = f"max by (UUID) (last_over_time({ACTIVE}[45s]) <= 1)"
ASKED = 'kube_pod_container_resource_requests{resource="nvidia_com_gpu",node=~"n1|n2"}'
STEPS = "[3599999ms:30s]"


@pytest.mark.parametrize(
    ("column", "wrong", "naive"),
    [
        # Both replicas, and the pod that waits for a node.
        ("allocated", 20.0, 'sum(avg_over_time(kube_pod_container_resource_requests{namespace!="team-z"}[1h]))'),
        # A pod that ended counts like one that ran all hour, or for as long as its object stays.
        ("allocated", 6.0, f"sum(max by (pod) (avg_over_time({ASKED}[1h])))"),
        ("allocated", 5.92, f"sum(sum_over_time((max by (pod) ({ASKED})){STEPS})) / 120"),
        # Each change of a pod or an exporter begins a series, and each one's average counts as if it were an hour.
        ("sm", 5.41, f"sum(avg_over_time(({ACTIVE} <= 1){STEPS}))"),
        # The last value goes on for five minutes into a gap, and a device that is scraped twice counts twice.
        ("sm", 3.93, f"sum(sum_over_time(({ACTIVE} <= 1){STEPS})) / 120"),
        ("sm", 3.40, f"sum(sum_over_time((max by (UUID) ({ACTIVE} <= 1)){STEPS})) / 120"),
        ("known", 7.58, f"sum(count_over_time((max by (UUID) ({ACTIVE} <= 1)){STEPS})) / 120"),
        # Even a bounded look back reaches one step into every gap.
        ("known", 7.283, f"sum(count_over_time(({BOUNDED}){STEPS})) / 120"),
        ("busy", 4.617, f"sum(sum_over_time(({BOUNDED} >= bool 0.05){STEPS})) / 120"),
        # A blank reading is 2^47.
        ("sm", 1.393e13, f"sum(avg_over_time({ACTIVE}[1h]))"),
    ],
)
def test_the_well_known_wrong_answer_is_had_from_the_same_engine_and_not_from_us(
    prometheus_with: PrometheusWith, column: str, wrong: float, naive: str
) -> None:
    url = prometheus_with(worked_hour(cq_b_nominal=1))
    assert promql(url, naive) == pytest.approx(wrong, rel=2e-3)
    ours = getattr(collected(url), column)
    assert ours == TRUTH[column]
    assert abs(ours / HOUR_MS - wrong) > 0.01


def promql(url: str, query: str) -> float:
    """One number straight from the engine at the end of the hour, by none of the product's code."""
    form = urlencode({"query": query, "time": END.timestamp()}).encode()
    with urlopen(f"{url}/api/v1/query", form, timeout=10) as answer:
        (series,) = json.load(answer)["data"]["result"]
    return float(series["value"][1])


def test_a_blank_reading_never_reaches_the_sum(prometheus_with: PrometheusWith) -> None:
    row = collected(prometheus_with(worked_hour(cq_b_nominal=1)))
    assert row.sm <= row.busy <= 8 * HOUR_MS
    assert {"samples_rejected", "pod_label_missing"} <= set(row.flags)
    assert row.complete
    assert not row.final


def test_a_second_collection_changes_nothing_and_one_a_day_later_makes_it_final(
    prometheus_with: PrometheusWith,
) -> None:
    first = collected(prometheus_with(worked_hour(cq_b_nominal=1)))
    before = {name: getattr(first, name) for name in TRUTH}
    for later, final in ((timedelta(hours=1), False), (timedelta(hours=24), True)):
        collect_hours(pool_ids=[first.pool_id], period=hour_period(START), as_of=END + later)
        row = PoolHour.objects.get(pool_id=first.pool_id)
        assert {name: getattr(row, name) for name in TRUTH} == before
        assert row.final is final


def test_what_was_held_and_what_waited_become_the_nodes_of_the_hour(prometheus_with: PrometheusWith) -> None:
    hour = collected(prometheus_with([*worked_hour(cq_b_nominal=1), *pending()]))
    trace = demand_trace(pool_id=hour.pool_id, period=hour_period(START))
    # cq-a holds 4 GPUs; cq-b 2 to :30 and 1 after, while pend-e waits for 4 more; a node has 4, and 10 is the most
    assert trace.by_workload == {"serving": (Decimal("2.375"),)}
    assert (trace.nodes, trace.peak, trace.bound_only) == ((3,), (Decimal("2.5"),), frozenset())


def test_where_kueue_does_not_tell_gpus_the_demand_is_what_was_held(prometheus_with: PrometheusWith) -> None:
    counts = [line for line in pending() if line.metric == "kueue_pending_workloads"]
    hour = collected(prometheus_with([*worked_hour(cq_b_nominal=1), *counts]))
    trace = demand_trace(pool_id=hour.pool_id, period=hour_period(START))
    assert trace.by_workload == {"serving": (Decimal("1.375"),)}
    assert (trace.peak, trace.bound_only) == ((None,), {START})
