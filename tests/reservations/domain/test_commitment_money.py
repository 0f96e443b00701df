"""Rates, savings and coverage against sums in fractions, worked from the definition."""

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.commitment_money import (
    CommitmentDay,
    RatedHours,
    UnableToAddMoney,
    coverage,
    effective_rate,
    effective_savings_rate,
    figures_of,
)

DAY = date(2026, 5, 1)
MONEY = st.decimals(0, 1_000_000, places=6, allow_nan=False)
HOURS = st.decimals("0.001", 100_000, places=3, allow_nan=False)
RATED = st.builds(RatedHours, HOURS, MONEY, MONEY, st.just("USD"))
KNOWN = st.builds(
    lambda used, unused, more, hours, covered, rest: {
        "cost": used + unused, "used": used, "unused": unused, "on_demand_equivalent": used + more, "hours": hours,
        "covered": covered, "coverable": covered + rest, "on_demand": rest,
    },
    MONEY, MONEY, MONEY, HOURS, MONEY, MONEY,
)  # fmt: skip


def near(value: Decimal | None, exact: Fraction) -> bool:
    return value is not None and abs(Fraction(value) - exact) <= abs(exact) * Fraction(1, 10**50)


def test_a_worked_day() -> None:
    # 24 h at 10 an hour were committed; 180 were used by what would have cost 300 on demand, and 100 were left over
    day = CommitmentDay(
        DAY, "USD", Decimal(240), Decimal(180), Decimal(60), Decimal(300), Decimal(3), Decimal(300), Decimal(400)
    )
    found = figures_of([day])
    assert (found.utilisation, found.coverage, found.unused) == (Decimal("0.75"), Decimal("0.75"), Decimal(60))
    assert (found.savings_rate, found.effective_rate) == (Decimal("0.2"), Decimal(60))
    assert (found.currency, found.utilisation_days, found.coverage_days) == ("USD", 1, 1)


def test_what_was_not_fetched_is_unknown_and_never_0() -> None:
    found = figures_of([])
    assert (found.utilisation, found.coverage, found.savings_rate, found.effective_rate, found.unused) == (None,) * 5
    bare = figures_of([CommitmentDay(DAY, "USD")])
    assert (bare.utilisation, bare.unused, bare.utilisation_days, bare.coverage_days) == (None, None, 0, 0)
    none_used = figures_of([CommitmentDay(DAY, "USD", cost=Decimal(24), used=Decimal(0), unused=Decimal(24))])
    assert (none_used.utilisation, none_used.unused) == (0, 24)


def test_a_commitment_that_costs_more_than_it_saves_has_a_rate_below_0() -> None:
    assert effective_savings_rate(actual=Decimal(150), on_demand_equivalent=Decimal(100)) == Decimal("-0.5")
    assert effective_savings_rate(actual=Decimal(150), on_demand_equivalent=Decimal(0)) is None
    assert coverage(covered=Decimal(0), coverable=Decimal(0)) is None
    assert effective_rate([]) is None


@given(st.lists(RATED, min_size=1, max_size=8))
def test_the_effective_rate_is_all_money_over_all_hours(parts: list[RatedHours]) -> None:
    money = sum((Fraction(one.committed) + Fraction(one.on_demand) for one in parts), Fraction(0))
    assert near(effective_rate(parts), money / sum(Fraction(one.hours) for one in parts))


@given(st.lists(RATED, min_size=1, max_size=8))
def test_the_effective_rate_lies_between_the_lowest_and_the_highest_of_its_parts(parts: list[RatedHours]) -> None:
    rates = [(one.committed + one.on_demand) / one.hours for one in parts]
    found = effective_rate(parts)
    slack = Decimal("1e-15") * (1 + max(rates))
    assert found is not None
    assert min(rates) - slack <= found <= max(rates) + slack


@given(st.lists(KNOWN, min_size=1, max_size=10))
def test_days_add_up_before_they_are_divided(days: list[dict[str, Decimal]]) -> None:
    found = figures_of(CommitmentDay(DAY + timedelta(n), "USD", **one) for n, one in enumerate(days))

    def total(name: str) -> Fraction:
        return sum((Fraction(one[name]) for one in days), Fraction(0))

    pairs = (
        (found.utilisation, total("used"), total("cost")),
        (found.coverage, total("covered"), total("coverable")),
        (found.effective_rate, total("used"), total("hours")),
    )
    for value, part, whole in pairs:
        assert value is None if not whole else near(value, part / whole)
    if equivalent := total("on_demand_equivalent"):
        # 1 − x loses digits only against 1, not against itself
        exact = 1 - total("cost") / equivalent
        scale = max(1, abs(exact))
        assert found.savings_rate is not None
        assert abs(Fraction(found.savings_rate) - exact) <= scale * Fraction(1, 10**50)
    assert found.unused is not None
    assert Fraction(found.unused) == total("unused")


@given(st.lists(KNOWN, min_size=1, max_size=5), st.integers(1, 5))
def test_days_nobody_fetched_change_no_figure(days: list[dict[str, Decimal]], missing: int) -> None:
    known = [CommitmentDay(DAY + timedelta(n), "USD", **one) for n, one in enumerate(days)]
    unknown = [CommitmentDay(DAY + timedelta(50 + n), "USD") for n in range(missing)]
    assert figures_of([*unknown, *known]) == figures_of(known)


def test_two_currencies_are_never_added() -> None:
    days = [CommitmentDay(DAY, code, cost=Decimal(1), used=Decimal(1)) for code in ("USD", "EUR")]
    with pytest.raises(UnableToAddMoney, match="EUR and USD are not added"):
        figures_of(days)
    with pytest.raises(UnableToAddMoney):
        effective_rate(RatedHours(Decimal(1), Decimal(1), Decimal(0), code) for code in ("USD", "EUR"))
