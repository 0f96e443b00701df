"""The ledger row against a literal reading of its definitions, on random fleets."""

import random
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from telemetry.domain.identities import identity_violations
from tests.telemetry.domain.accounting.minute_oracle import OracleNode, OracleQueue, hour
from tests.telemetry.domain.accounting.worlds import NODES, QUEUE_OF, QUEUES, computed, usage_of

FIGURES = ("expected", "known", "busy", "idle", "idle_held", "idle_free")
SPLITS = ("owner_busy", "borrower_busy", "unmanaged_busy", "unattributed_busy")
FLEETS = st.lists(NODES, max_size=2)
ROUNDINGS = 400
"""Milliseconds that splits may be off in all: below one for each piece of a device step that is split."""


@given(nodes=FLEETS, queues=QUEUES, gpus=st.integers(1, 3))
@settings(max_examples=300, deadline=None)
def test_every_figure_is_what_a_minute_by_minute_reading_gives(
    nodes: list[OracleNode], queues: dict[str, OracleQueue], gpus: int
) -> None:
    row, truth = computed(usage_of(nodes, queues), gpus), hour(nodes, queues, QUEUE_OF, gpus)
    assert row.expected == truth["expected"]
    assert row.known == truth["known"]
    assert row.unknown == truth["expected"] - truth["known"]
    if row.busy is None:
        assert truth["known"] == 0 < truth["expected"]
        return
    for figure in FIGURES:
        assert getattr(row, figure) == truth[figure], figure
    assert row.sm == int(truth["sm"])
    for role in SPLITS:
        assert abs(getattr(row, role) - truth[role]) < ROUNDINGS, role


@given(nodes=FLEETS, queues=QUEUES, gpus=st.integers(1, 3))
@settings(max_examples=150, deadline=None)
def test_allocated_is_what_bound_and_living_pods_hold_cut_to_the_physical_count(
    nodes: list[OracleNode], queues: dict[str, OracleQueue], gpus: int
) -> None:
    row, truth = computed(usage_of(nodes, queues), gpus), hour(nodes, queues, QUEUE_OF, gpus)
    assert row.allocated is not None
    assert abs(row.allocated - truth["allocated"]) < ROUNDINGS
    for queue in row.queues:
        assert abs((queue.allocated or 0) - truth["allocated", queue.cluster_queue]) < ROUNDINGS


@given(nodes=FLEETS, queues=QUEUES, gpus=st.integers(1, 3))
@settings(max_examples=200, deadline=None)
def test_every_identity_holds_exactly_on_any_fleet(
    nodes: list[OracleNode], queues: dict[str, OracleQueue], gpus: int
) -> None:
    assert identity_violations(computed(usage_of(nodes, queues), gpus), Decimal("0.05")) == []


@given(nodes=st.lists(NODES, min_size=1, max_size=3), queues=QUEUES, seed=st.integers())
@settings(max_examples=60, deadline=None)
def test_the_order_of_nodes_and_series_changes_nothing(
    nodes: list[OracleNode], queues: dict[str, OracleQueue], seed: int
) -> None:
    usage = usage_of(nodes, queues)
    shuffled = usage_of(nodes, queues)
    order = random.Random(seed)
    several = list(shuffled.nodes)
    order.shuffle(several)
    shuffled.nodes = several
    shuffled.queues = tuple(order.sample(shuffled.queues, len(shuffled.queues)))
    shuffled.pod_queues = tuple(order.sample(shuffled.pod_queues, len(shuffled.pod_queues)))
    first, second = computed(usage), computed(shuffled)
    assert first.queues == second.queues
    assert [getattr(first, name) for name in (*FIGURES, *SPLITS, "sm", "allocated", "flags")] == [
        getattr(second, name) for name in (*FIGURES, *SPLITS, "sm", "allocated", "flags")
    ]
