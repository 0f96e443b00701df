from decimal import Decimal
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.break_even import Shortage
from reservations.domain.pricing import PriceKind
from scheduler.domain.sizing.alternatives import Alternative, Choices, Way
from scheduler.domain.sizing.answer import Sizing, SizingAsked, sizing
from scheduler.domain.sizing.overflow import WorkloadOverflow
from tests.scheduler.domain.sizing.traces import by_workload, prices, sized

THIRDS = st.integers(0, 40).map(lambda third: str(round(Decimal(third) / 3, 4)))
PAIRS = st.lists(st.tuples(THIRDS, THIRDS), min_size=1, max_size=40)


def row(answer: Sizing, way: Way) -> Alternative:
    assert answer.sized is not None
    (found,) = [one for one in answer.sized.alternatives if one.way is way]
    return found


def test_every_size_is_regretted_by_what_it_costs_more_than_the_best() -> None:
    nodes = [2] * 50 + [4] * 30 + [9] * 20
    answer = sized(nodes, choices=Choices(current=7))
    best = row(answer, Way.RULE)
    assert (best.nodes, best.regret) == (2, 0)
    for way, size in ((Way.NONE, 0), (Way.CURRENT, 7), (Way.PEAK, 9)):
        told = row(answer, way)
        costs = {n: 62 * n * 100 + 100 * sum(max(0, need - n) for need in nodes) for n in (size, 2)}
        assert (told.nodes, told.regret, told.adjusted) == (size, costs[size] - costs[2], None)


def test_regret_of_a_size_above_the_peak_is_idle_nodes() -> None:
    told = row(sized([3] * 10, choices=Choices(current=5)), Way.CURRENT)
    assert told.regret == 2 * 62 * 10


def test_what_is_shed_is_not_bought_and_loses_what_was_said() -> None:
    nodes = [2] * 70 + [5] * 30
    told = row(sized(nodes, choices=Choices(shed_cost=Decimal(20))), Way.SHED)
    assert told.cost is not None
    assert (told.nodes, told.cost.reserved, told.cost.overflow, told.cost.shortage) == (2, 12_400, 0, 1_800)
    assert told.regret == 1_800 - 9_000


def test_shedding_without_a_loss_that_anybody_said_has_no_price() -> None:
    told = row(sized([2] * 70 + [5] * 30), Way.SHED)
    assert (told.cost, told.regret) == (None, None)
    assert "nobody said" in told.why_not


def test_shedding_keeps_the_smaller_of_both_sizes_and_loses_l() -> None:
    nodes = [2] * 50 + [4] * 40 + [5] * 10
    answer = sized(nodes, prices(q="0.5", lost="200"))
    assert answer.sized is not None
    assert (answer.sized.sizes.rule, answer.sized.sizes.adjusted) == (2, 4)
    told = row(answer, Way.SHED)
    assert told.adjusted is not None
    assert (told.nodes, told.adjusted.shortage) == (2, 200 * (40 * 2 + 10 * 3))


@given(PAIRS, st.sampled_from([None, "0.3"]), st.sampled_from(Shortage))
def test_overflow_by_workload_is_bought_as_the_cheapest_one_that_gives_way(
    pairs: list[tuple[str, str]], q: str | None, convention: Shortage
) -> None:
    serving, batch = ([pair[at] for pair in pairs] for at in (0, 1))
    way = WorkloadOverflow("batch", PriceKind.SPOT, Decimal(40))
    at = prices(q=q, lost="30", convention=convention)
    asked = SizingAsked(at, Choices(ways={"batch": way}), allow_short=True, draws=0)
    answer = sizing(by_workload({"batch": batch, "serving": serving}), asked)
    chance, loss = Decimal(q or 0), Decimal(30)
    keeps = 1 - chance if convention is Shortage.INSTEAD else Decimal(1)
    costs = []
    for size in range(max(answer.trace.nodes) + 1):
        total = Decimal(62 * size * len(pairs))
        for mine, theirs in pairs:
            whole, all_of_it = ceil(Decimal(mine)), ceil(Decimal(mine) + Decimal(theirs))
            dear = max(0, whole - size)
            cheap = max(0, all_of_it - size) - dear
            total += keeps * (100 * dear + 40 * cheap) + chance * loss * (dear + cheap)
        costs.append(total)
    told = row(answer, Way.BY_WORKLOAD_BEST)
    found = told.adjusted if q else told.cost
    assert found is not None
    assert (found.nodes, found.total) == (costs.index(min(costs)), min(costs))
    stays = row(answer, Way.BY_WORKLOAD)
    found = stays.adjusted if q else stays.cost
    assert found is not None
    assert found.total == costs[found.nodes]


def test_all_on_demand_by_workload_is_the_plain_cost() -> None:
    trace = by_workload({"batch": ["1.5", "2.2", "0"], "serving": ["0.7", "3.1", "4"]})
    ways = {"batch": WorkloadOverflow("batch", PriceKind.ON_DEMAND, Decimal(100))}
    answer = sizing(trace, SizingAsked(prices(), Choices(ways=ways), allow_short=True, draws=0))
    assert row(answer, Way.BY_WORKLOAD).cost == row(answer, Way.RULE).cost
