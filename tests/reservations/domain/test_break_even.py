from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.break_even import (
    Shortage,
    UnableToBreakEven,
    adjusted_break_even_share,
    break_even_share,
)

prices = st.decimals("0.01", 1000, places=2)
shares = st.decimals(0, 1, places=3)


def adjusted(convention: Shortage, q: str = "0.2", loss: str = "50", on_demand: str = "100") -> Decimal | None:
    return adjusted_break_even_share(
        reserved=Decimal(62),
        on_demand=Decimal(on_demand),
        fail_probability=Decimal(q),
        shortage_cost=Decimal(loss),
        convention=convention,
    )


def test_the_two_lines_of_the_worked_prices() -> None:
    assert break_even_share(reserved=Decimal(62), on_demand=Decimal(100)) == Decimal("0.62")
    assert [f"{adjusted(convention):.6f}" for convention in Shortage] == ["0.563636", "0.688889"]


def test_an_unknown_price_has_an_unknown_break_even() -> None:
    assert break_even_share(reserved=None, on_demand=Decimal(1)) is None
    assert break_even_share(reserved=Decimal(1), on_demand=None) is None


def test_nothing_breaks_even_with_an_on_demand_price_of_zero() -> None:
    with pytest.raises(UnableToBreakEven, match="on-demand price is 0"):
        break_even_share(reserved=Decimal(1), on_demand=Decimal(0))
    with pytest.raises(UnableToBreakEven, match="costs nothing"):
        adjusted(Shortage.INSTEAD, q="1", loss="0")


@pytest.mark.parametrize(
    ("q", "loss", "on_demand"), [("1.01", "1", "1"), ("-0.1", "1", "1"), ("0", "-1", "1"), ("0", "1", "-1")]
)
def test_numbers_out_of_range_are_refused(q: str, loss: str, on_demand: str) -> None:
    with pytest.raises(UnableToBreakEven):
        adjusted(Shortage.EXTRA, q=q, loss=loss, on_demand=on_demand)


@given(prices, prices, shares, prices, st.sampled_from(Shortage))
def test_without_failures_both_lines_are_one(
    p_res: Decimal, p_od: Decimal, q: Decimal, loss: Decimal, convention: Shortage
) -> None:
    plain = break_even_share(reserved=p_res, on_demand=p_od)
    assert plain is not None

    def line(fail: Decimal, lost: Decimal) -> Decimal:
        found = adjusted_break_even_share(
            reserved=p_res, on_demand=p_od, fail_probability=fail, shortage_cost=lost, convention=convention
        )
        assert found is not None
        return found

    assert line(Decimal(0), loss) == plain
    extra = convention is Shortage.EXTRA
    assert line(q, loss) <= plain if extra or loss >= p_od else line(q, loss) >= plain
