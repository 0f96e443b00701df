"""What decides whether holding pays, against the words of the rule said once more without its code."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.verdict import Decides, Verdict, verdict

shares = st.one_of(st.none(), st.sampled_from([Decimal(n) / 10 for n in range(13)]))


def of(*figures: str | None) -> Verdict:
    busy, allocated, even, adjusted = (None if one is None else Decimal(one) for one in figures)
    return verdict(busy=busy, allocated=allocated, even=even, adjusted=adjusted)


@pytest.mark.parametrize(
    ("figures", "pays", "decides"),
    [
        (("0.70", "0.9", "0.62", "0.56"), True, Decides.PRICE),
        (("0.60", "0.9", "0.62", "0.56"), True, Decides.SHORTAGE),
        (("0.65", "0.6", "0.62", "0.68"), False, Decides.SHORTAGE),
        (("0.50", "0.5", "0.62", "0.56"), False, Decides.PRICE),
        (("0.50", "0.57", "0.62", "0.56"), False, Decides.IDLE),
        (("0.56", "0.56", "0.62", "0.56"), False, Decides.PRICE),
        (("0.70", None, "0.62", None), True, Decides.PRICE),
        (("0.62", None, "0.62", None), False, Decides.PRICE),
        (("0.70", None, None, "0.56"), True, Decides.SHORTAGE),
        ((None, "0.9", "0.62", "0.56"), None, None),
        (("0.70", "0.9", None, None), None, None),
    ],
)
def test_the_line_that_decides(figures: tuple[str | None, ...], pays: bool | None, decides: Decides | None) -> None:
    assert of(*figures) == Verdict(pays, decides)


@given(shares, shares, shares, shares)
def test_it_pays_exactly_where_holding_is_cheaper_and_prices_decide_only_where_leaving_q_out_says_the_same(
    busy: Decimal | None, allocated: Decimal | None, even: Decimal | None, adjusted: Decimal | None
) -> None:
    found = verdict(busy=busy, allocated=allocated, even=even, adjusted=adjusted)
    plain = verdict(busy=busy, allocated=None, even=even, adjusted=None)
    assert (found.pays is None) == (busy is None or (even is None and adjusted is None)) == (found.decides is None)
    if found.decides is Decides.PRICE:
        assert found.pays == plain.pays
    if found.decides is Decides.SHORTAGE:
        assert found.pays != plain.pays
    if found.decides is Decides.IDLE:
        assert not found.pays
        assert verdict(busy=allocated, allocated=None, even=even, adjusted=adjusted).pays
