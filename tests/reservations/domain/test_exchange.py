"""Money in one currency by rates of days: exact, never turned round, never chained, never guessed."""

from datetime import date, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.exchange import Rate, UnableToConvert, conversions, converted, rate_in

MARCH, APRIL = date(2026, 3, 1), date(2026, 4, 1)
DAYS = {"first": MARCH, "following": APRIL}


def rate(source: str, target: str, day: int, value: str) -> Rate:
    return Rate(source, target, MARCH + timedelta(days=day), Decimal(value))


def test_the_latest_rate_of_the_days_counts_and_none_of_any_other_day() -> None:
    rates = [rate("EUR", "USD", 0, "1.05"), rate("EUR", "USD", 30, "1.08"), rate("EUR", "USD", 31, "9"),
             rate("EUR", "USD", -1, "8"), rate("USD", "EUR", 30, "0.5")]  # fmt: skip
    assert rate_in(rates, source="EUR", target="USD", **DAYS).rate == Decimal("1.08")
    with pytest.raises(UnableToConvert, match="no rate from GBP to USD"):
        rate_in(rates, source="GBP", target="USD", **DAYS)


def test_a_rate_is_neither_turned_round_nor_chained() -> None:
    amounts = {"EUR": Decimal(1), "USD": Decimal(1), "GBP": Decimal(1)}
    rates = [rate("EUR", "USD", 3, "1.1"), rate("GBP", "EUR", 3, "1.2")]
    with pytest.raises(UnableToConvert):
        converted(amounts, rates, target="USD", **DAYS)
    assert conversions(amounts, rates, **DAYS) == []
    assert conversions({"EUR": Decimal(1), "USD": Decimal(1)}, [rate("USD", "EUR", 3, "0.9")], **DAYS)[0].amount == (
        Decimal("1.9")
    )


money = st.decimals(0, 10**9, places=6)


@given(money, money, money, st.decimals("0.000000001", 1000, places=9), st.decimals("0.000000001", 1000, places=9))
def test_a_sum_is_exact_and_rounded_once(usd: Decimal, eur: Decimal, gbp: Decimal, one: Decimal, two: Decimal) -> None:
    rates = [rate("EUR", "USD", 3, str(one)), rate("GBP", "USD", 5, str(two))]
    found = converted({"USD": usd, "EUR": eur, "GBP": gbp}, rates, target="USD", **DAYS)
    exact = Fraction(usd) + Fraction(eur) * Fraction(one) + Fraction(gbp) * Fraction(two)
    assert abs(Fraction(found.amount) - exact) <= Fraction(1, 2_000_000)
    assert found.amount == found.amount.quantize(Decimal("0.000001"), ROUND_HALF_EVEN)
    assert (found.currency, found.rates) == ("USD", tuple(rates))


def test_one_currency_alone_needs_no_rate() -> None:
    assert converted({"USD": Decimal(5)}, [], target="USD", **DAYS).rates == ()
