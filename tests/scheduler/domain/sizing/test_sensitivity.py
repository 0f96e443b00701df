from decimal import Decimal

from scheduler.domain.sizing.answer import SizingAsked, sizing
from tests.scheduler.domain.sizing.traces import prices, sized, trace

NODES = [2] * 20 + [3] * 20 + [4] * 20 + [5] * 20 + [6] * 20


def test_every_cell_is_the_size_at_its_own_q_and_l_and_what_the_proposal_costs_more_there() -> None:
    answer = sized(NODES, prices(q="0.2", lost="100"))
    assert answer.sized is not None
    cells = {(cell.fail_probability, cell.shortage_cost): cell for cell in answer.sized.sensitivity}
    chances = [Decimal(0), Decimal("0.1"), Decimal("0.2"), Decimal("0.4")]
    assert list(cells) == [(chance, Decimal(loss)) for chance in chances for loss in (50, 100, 200)]
    for (chance, loss), cell in cells.items():
        above = 100 + chance * loss
        costs = [62 * size * 100 + above * sum(max(0, need - size) for need in NODES) for size in range(7)]
        assert cell.nodes == costs.index(min(costs))
        assert cell.regret == costs[answer.sized.proposed] - min(costs)
        assert cell.break_even * above - 62 < Decimal("1e-50")


def test_an_estimated_q_is_varied_to_the_ends_of_its_interval() -> None:
    asked = SizingAsked(
        prices(q="0.2", lost="100"), interval=(Decimal("0.05"), Decimal("0.45")), allow_short=True, draws=0
    )
    answer = sizing(trace(NODES), asked)
    assert answer.sized is not None
    chances = {cell.fail_probability for cell in answer.sized.sensitivity}
    assert chances == {Decimal(0), Decimal("0.05"), Decimal("0.2"), Decimal("0.45")}


def test_without_q_and_l_there_is_nothing_to_vary() -> None:
    answer = sized(NODES)
    assert answer.sized is not None
    assert answer.sized.sensitivity == ()
