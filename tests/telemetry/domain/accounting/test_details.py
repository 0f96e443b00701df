"""What stands behind an hour, against a literal reading and against the hour's own figures, on random fleets."""

import random
from collections import Counter
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from telemetry.domain.details import NodeUse, PodUse
from telemetry.domain.ledger import BUSY_ROLES
from tests.telemetry.domain.accounting.details_oracle import by_node, by_pod, idle_from, there
from tests.telemetry.domain.accounting.minute_oracle import OracleNode, OracleQueue
from tests.telemetry.domain.accounting.worlds import HOUR_AT, NODES, QUEUES, computed_with_details, usage_of

FLEETS = st.lists(NODES, max_size=2)
ROUNDINGS = 400
NODE_FIGURES = ("expected", "known", "busy", "idle_held", "idle_free")


def total(rows: tuple[NodeUse, ...] | tuple[PodUse, ...], name: str) -> int:
    return sum(getattr(row, name) for row in rows)


@given(nodes=FLEETS, queues=QUEUES, gpus=st.integers(1, 3))
@settings(max_examples=200, deadline=None)
def test_nodes_and_pods_add_up_to_their_hour_to_the_millisecond(
    nodes: list[OracleNode], queues: dict[str, OracleQueue], gpus: int
) -> None:
    row, details = computed_with_details(usage_of(nodes, queues), gpus)
    for name in ("expected", "known", "unknown"):
        assert total(details.nodes, name) == getattr(row, name), name
    assert total(details.pods, "allocated") == row.allocated
    if row.busy is None:
        assert {getattr(one, name) for one in details.nodes for name in ("busy", "idle_held", "idle_free")} <= {None}
        assert {(one.busy, one.held, one.idle_from) for one in details.pods} <= {(None, None, None)}
        return
    for name in ("busy", "idle_held", "idle_free"):
        assert total(details.nodes, name) == getattr(row, name), name
    assert total(details.pods, "idle_held") == row.idle_held
    for queue in row.queues:
        mine = tuple(pod for pod in details.pods if pod.cluster_queue == queue.cluster_queue)
        for role in BUSY_ROLES[:-1]:
            assert total(mine, role) == getattr(queue, role), role
    without_pod = row.busy - total(details.pods, "busy")
    assert 0 <= without_pod <= row.unattributed_busy
    assert total(details.pods, "held") + without_pod + row.idle_free == row.known


@given(nodes=FLEETS, queues=QUEUES, gpus=st.integers(1, 3))
@settings(max_examples=200, deadline=None)
def test_every_node_and_pod_is_what_a_minute_by_minute_reading_gives(
    nodes: list[OracleNode], queues: dict[str, OracleQueue], gpus: int
) -> None:
    row, details = computed_with_details(usage_of(nodes, queues), gpus)
    found = {one.node: one for one in details.nodes if one.node != "witness"}
    assert sorted(found) == [f"n{i}" for i, node in enumerate(nodes) if there(node)]
    if row.busy is None:
        return
    for i, node in enumerate(nodes):
        truth = by_node(node, gpus)
        for name in NODE_FIGURES if there(node) else ():
            assert getattr(found[f"n{i}"], name) == truth[name], name
    told: Counter = Counter()
    for pod in details.pods:
        told[pod.pod, "busy"] += pod.busy
        told[pod.pod, "idle_held"] += pod.idle_held
    truth = by_pod(nodes, gpus)
    for key in told.keys() | truth.keys():
        assert abs(told[key] - truth[key]) < ROUNDINGS, key
    since = {pod.pod: pod.idle_from for pod in details.pods if pod.idle_from is not None}
    assert since == {pod: HOUR_AT + timedelta(minutes=at) for pod, at in idle_from(nodes, gpus).items()}


@given(nodes=st.lists(NODES, min_size=1, max_size=3), queues=QUEUES, seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_the_order_of_nodes_and_series_changes_nothing_behind_the_hour(
    nodes: list[OracleNode], queues: dict[str, OracleQueue], seed: int
) -> None:
    shuffled, order = usage_of(nodes, queues), random.Random(seed)
    shuffled.nodes = order.sample(list(shuffled.nodes), len(list(shuffled.nodes)))
    shuffled.pod_queues = tuple(order.sample(shuffled.pod_queues, len(shuffled.pod_queues)))
    assert computed_with_details(shuffled)[1] == computed_with_details(usage_of(nodes, queues))[1]
