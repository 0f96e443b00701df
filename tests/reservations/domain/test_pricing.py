from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.pricing import (
    Cost,
    PriceKind,
    PriceSpan,
    Unit,
    cost_by_hour,
    days_left,
    effective_spans,
    per_gpu_hour,
    per_node_hour,
)

H = 3_600_000
EIGHT = Decimal(8)
NEW_YEAR = date(2026, 1, 1)


def span(start: date, end: date | None, price: str | None = "80", **other: object) -> PriceSpan:
    given: dict[str, object] = {"currency": "USD", "unit": Unit.NODE_HOUR, **other}
    return PriceSpan(start, end, reserved=None if price is None else Decimal(price), **given)  # type: ignore[arg-type]


def cost(quantities: list[tuple[datetime, int | None]], prices: list[PriceSpan]) -> Cost:
    return cost_by_hour(quantities=quantities, prices=prices, kind=PriceKind.RESERVED, gpus_per_node=EIGHT)


def test_a_node_hour_costs_its_gpus_together() -> None:
    assert per_gpu_hour(Decimal(100), unit=Unit.NODE_HOUR, gpus_per_node=EIGHT) == Decimal("12.5")
    assert per_gpu_hour(Decimal("12.5"), unit=Unit.GPU_HOUR, gpus_per_node=EIGHT) == Decimal("12.5")
    assert per_node_hour(Decimal("12.5"), unit=Unit.GPU_HOUR, gpus_per_node=EIGHT) == Decimal(100)
    assert per_gpu_hour(None, unit=Unit.NODE_HOUR, gpus_per_node=EIGHT) is None
    with pytest.raises(ValueError, match="needs GPUs"):
        per_gpu_hour(Decimal(1), unit=Unit.NODE_HOUR, gpus_per_node=Decimal(0))


def test_the_price_changes_at_midnight_utc_between_two_hours() -> None:
    prices = [span(NEW_YEAR, date(2026, 2, 1), "80"), span(date(2026, 2, 1), None, "160")]
    before, after = datetime(2026, 1, 31, 23, tzinfo=UTC), datetime(2026, 2, 1, 0, tzinfo=UTC)
    assert cost([(before, 8 * H), (after, 4 * H)], prices).amounts == {"USD": Decimal("160.000000")}


def test_what_has_no_price_is_counted_and_costs_nothing_rather_than_zero() -> None:
    hour = datetime(2025, 12, 31, 23, tzinfo=UTC)
    priced = cost([(hour, 5), (hour + timedelta(hours=1), 8 * H)], [span(NEW_YEAR, None)])
    assert priced == Cost({"USD": Decimal("80.000000")}, unpriced_gpu_ms=5)
    assert not priced.whole
    assert cost([(hour, 5)], [span(date(2025, 1, 1), None, None)]) == Cost({}, unpriced_gpu_ms=5)


def test_an_hour_without_a_quantity_is_counted_and_not_priced() -> None:
    assert cost([(datetime(2026, 1, 1, tzinfo=UTC), None)], [span(NEW_YEAR, None)]) == Cost({}, hours_unknown=1)


def test_currencies_are_never_added_together() -> None:
    prices = [span(NEW_YEAR, date(2026, 1, 2)), span(date(2026, 1, 2), None, currency="EUR", unit=Unit.GPU_HOUR)]
    hour = datetime(2026, 1, 1, 23, tzinfo=UTC)
    assert cost([(hour, 8 * H), (hour + timedelta(hours=1), H)], prices).amounts == {
        "EUR": Decimal("80.000000"),
        "USD": Decimal("80.000000"),
    }


@given(
    st.lists(st.integers(0, 10**13), min_size=1, max_size=50),
    st.decimals(0, 10_000, places=6),
    st.decimals("0.125", 16, places=4),
)
def test_a_cost_is_exact_to_the_one_rounding_at_its_end(amounts: list[int], price: Decimal, gpus: Decimal) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    quantities = [(start + timedelta(hours=number), amount) for number, amount in enumerate(amounts)]
    found = cost_by_hour(
        quantities=quantities, prices=[span(NEW_YEAR, None, str(price))], kind=PriceKind.RESERVED, gpus_per_node=gpus
    ).amounts["USD"]
    exact = Fraction(sum(amounts)) * Fraction(price) / (Fraction(gpus) * H)
    assert abs(Fraction(found) - exact) <= Fraction(1, 2_000_000)


days = st.integers(0, 60).map(lambda number: NEW_YEAR + timedelta(days=number))
spans = st.tuples(days, st.none() | days).filter(lambda pair: pair[1] is None or pair[0] < pair[1])


@given(spans, st.lists(spans, max_size=6))
def test_what_is_left_of_some_days_is_every_day_nobody_took(
    whole: tuple[date, date | None], taken: list[tuple[date, date | None]]
) -> None:
    left = days_left(start=whole[0], end=whole[1], taken=taken)

    def inside(day: date, pairs: list[tuple[date, date | None]]) -> int:
        return sum(start <= day and (end is None or day < end) for start, end in pairs)

    for number in range(70):
        day = NEW_YEAR + timedelta(days=number)
        assert inside(day, left) == (inside(day, [whole]) and not inside(day, taken))
    assert all(end is None or start < end for start, end in left)


def test_a_pool_s_own_quote_goes_before_its_shape_s() -> None:
    shape = span(NEW_YEAR, None, "50", of_pool=False)
    own = span(date(2026, 3, 1), date(2026, 4, 1), "40")
    assert [(found.start, found.end, found.reserved) for found in effective_spans(own=[own], general=[shape])] == [
        (NEW_YEAR, date(2026, 3, 1), Decimal(50)),
        (date(2026, 3, 1), date(2026, 4, 1), Decimal(40)),
        (date(2026, 4, 1), None, Decimal(50)),
    ]
