import math
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.demand_hours import BOUND_ALONE, LEDGER, UNASSIGNED, LedgerDemand, derived_demand
from tests.telemetry.domain.lawful_rows import TEN, H

AMOUNTS = st.dictionaries(st.sampled_from(["serving", "training", "batch", ""]), st.integers(0, 400 * H), max_size=4)
GPUS = st.sampled_from([Decimal(8), Decimal(6), Decimal(72), Decimal("0.5")])


@given(bound=AMOUNTS, queued=st.none() | AMOUNTS, gpus=GPUS)
def test_an_hour_needs_the_whole_nodes_that_bound_and_queued_fill(
    bound: dict[str, int], queued: dict[str, int] | None, gpus: Decimal
) -> None:
    told = LedgerDemand(TEN, bound, queued, None)
    rows = derived_demand(told, gpus_per_node=gpus, workloads=["serving"])
    gpu_ms = sum(bound.values()) + sum((queued or {}).values())
    assert math.ceil(sum(row.nodes for row in rows)) == math.ceil(Fraction(gpu_ms) / (3_600_000 * Fraction(gpus)))
    assert {row.source for row in rows} == {BOUND_ALONE if queued is None else LEDGER}
    for row in rows:
        name = "" if row.workload == UNASSIGNED else row.workload
        asked = bound.get(name, 0) + (queued or {}).get(name, 0)
        assert abs(Fraction(row.nodes) - Fraction(asked) / (3_600_000 * Fraction(gpus))) < Fraction(1, 10_000)


@given(bound=AMOUNTS, queued=st.none() | AMOUNTS)
def test_the_order_in_which_workloads_are_told_changes_nothing(
    bound: dict[str, int], queued: dict[str, int] | None
) -> None:
    there, back = (
        derived_demand(told, gpus_per_node=Decimal(72), workloads=["serving", "batch"])
        for told in (
            LedgerDemand(TEN, bound, queued),
            LedgerDemand(TEN, dict(reversed(bound.items())), queued and dict(reversed(queued.items()))),
        )
    )
    assert there == back


def test_every_workload_of_the_pool_has_a_row_and_the_peak_stands_beside_each() -> None:
    told = LedgerDemand(TEN, {"serving": 12 * H}, {"batch": 4 * H}, Decimal(20))
    rows = derived_demand(told, gpus_per_node=Decimal(8), workloads=["serving", "batch", "training"])
    assert [(row.workload, row.nodes, row.peak_nodes) for row in rows] == [
        ("batch", Decimal("0.5"), Decimal("2.5")),
        ("serving", Decimal("1.5"), Decimal("2.5")),
        ("training", Decimal(0), Decimal("2.5")),
    ]


def test_an_hour_in_which_nothing_ran_needed_nothing_and_is_not_missing() -> None:
    rows = derived_demand(LedgerDemand(TEN, {}), gpus_per_node=Decimal(8), workloads=[])
    assert [(row.workload, row.nodes, row.source) for row in rows] == [(UNASSIGNED, Decimal(0), BOUND_ALONE)]


def test_a_queue_that_claims_more_than_any_fleet_says_nothing() -> None:
    told = LedgerDemand(TEN, {"serving": 8 * H}, {"batch": 800_000 * H}, Decimal(9))
    rows = derived_demand(told, gpus_per_node=Decimal(8), workloads=["serving"])
    assert [(row.workload, row.nodes, row.peak_nodes, row.source) for row in rows] == [
        ("serving", Decimal(1), None, BOUND_ALONE)
    ]
    beyond = LedgerDemand(TEN, {"serving": 8 * 100_001 * H})
    assert derived_demand(beyond, gpus_per_node=Decimal(8), workloads=["serving"]) == ()


@given(bound=AMOUNTS, queued=st.none() | AMOUNTS, below=st.integers(-400 * H, -1))
def test_an_hour_that_tells_of_less_than_nothing_has_no_demand_rather_than_a_negative_one(
    bound: dict[str, int], queued: dict[str, int] | None, below: int
) -> None:
    told = LedgerDemand(TEN, bound | {"training": below}, queued)
    assert derived_demand(told, gpus_per_node=Decimal(8), workloads=["serving"]) == ()


def test_an_hour_in_which_nothing_was_held_has_demand_only_where_work_ran_or_is_known_to_wait() -> None:
    def told(bound: dict[str, int], queued: dict[str, int] | None) -> list[tuple[str, Decimal, str]]:
        rows = derived_demand(
            LedgerDemand(TEN, bound, queued, held=False), gpus_per_node=Decimal(8), workloads=["training"]
        )
        return [(row.workload, row.nodes, row.source) for row in rows]

    assert told({}, None) == []
    assert told({"training": 0}, None) == []
    assert told({"training": 8 * H}, None) == [("training", Decimal(1), BOUND_ALONE)]
    assert told({}, {"training": 16 * H}) == [("training", Decimal(2), LEDGER)]
    assert told({}, {}) == [("training", Decimal(0), LEDGER)]
