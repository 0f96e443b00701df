from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.load_duration import load_duration_curve, mean_nodes, whole_nodes

HOUR_MS = 3_600_000
NODES = st.lists(st.integers(0, 40), max_size=200)


@given(NODES)
def test_each_node_is_needed_in_as_many_hours_as_a_plain_count_says(nodes: list[int]) -> None:
    curve = load_duration_curve(nodes)
    assert curve.hours == len(nodes)
    for node in range(1, 43):
        wanted = None if not nodes else Fraction(len([need for need in nodes if need >= node]), len(nodes))
        assert curve.share(node) == wanted


@given(NODES)
def test_the_curve_never_rises_and_ends_at_the_peak(nodes: list[int]) -> None:
    curve = load_duration_curve(nodes)
    assert list(curve.needed) == sorted(curve.needed, reverse=True)
    assert all(curve.needed)
    assert curve.peak == max(nodes, default=0)


@given(NODES)
def test_the_shares_add_up_to_the_mean_demand(nodes: list[int]) -> None:
    curve = load_duration_curve(nodes)
    if not nodes:
        assert curve.mean_nodes is None
        return
    assert sum(curve.share(node) for node in range(1, curve.peak + 1)) == curve.mean_nodes
    assert curve.mean_nodes == Fraction(sum(nodes), len(nodes))


@given(NODES, st.randoms(use_true_random=False))
def test_the_order_of_the_hours_does_not_matter(nodes: list[int], chance: object) -> None:
    shuffled = list(nodes)
    chance.shuffle(shuffled)
    assert load_duration_curve(shuffled) == load_duration_curve(nodes)


@given(st.integers(0, 10**9), st.integers(1, 72))
def test_nodes_are_rounded_up_and_never_by_a_whole_one(gpu_ms: int, gpus: int) -> None:
    nodes = whole_nodes(gpu_ms, Decimal(gpus))
    assert (nodes - 1) * gpus * HOUR_MS < gpu_ms <= nodes * gpus * HOUR_MS


@pytest.mark.parametrize(
    ("gpu_ms", "gpus", "nodes"),
    [(0, "8", 0), (1, "8", 1), (8 * HOUR_MS, "8", 1), (8 * HOUR_MS + 1, "8", 2), (HOUR_MS, "0.5", 2)],
)
def test_a_millisecond_more_than_a_node_has_is_a_node_more(gpu_ms: int, gpus: str, nodes: int) -> None:
    assert whole_nodes(gpu_ms, Decimal(gpus)) == nodes


def test_the_mean_of_nodes_is_not_rounded() -> None:
    assert mean_nodes([8 * HOUR_MS, 12 * HOUR_MS], Decimal(8)) == Fraction(5, 4)
    assert mean_nodes([], Decimal(8)) is None


def test_less_than_no_node_is_refused() -> None:
    with pytest.raises(ValueError, match="less than no node"):
        load_duration_curve([1, -1])
