from datetime import date
from decimal import Decimal

import pytest

from reservations.domain.price_remarks import days_without, price_remarks
from reservations.domain.pricing import PriceSpan, Unit

NEVER = "the on-demand price: by price alone holding can never pay."
MARCH, APRIL = date(2026, 3, 1), date(2026, 4, 1)


def span(
    start: date = MARCH, end: date | None = None, prices: tuple[str | None, str | None] = ("100", "62")
) -> PriceSpan:
    on_demand, reserved = (None if price is None else Decimal(price) for price in prices)
    return PriceSpan(start, end, "USD", Unit.NODE_HOUR, on_demand, reserved)


@pytest.mark.parametrize(
    ("prices", "said"),
    [
        (("100", "62"), []),
        (
            ("100", "100"),
            ["The reserved price is as high as the on-demand price: by price alone holding can never pay."],
        ),
        (("100", "101"), ["The reserved price is above the on-demand price: by price alone holding can never pay."]),
        ((None, "62"), ["The on-demand price is unknown, so what depends on it is."]),
        (("100", None), ["The reserved price is unknown, so what depends on it is."]),
        (("0", "62"), ["The on-demand price is 0: leave it out if it is unknown."]),
        (("100", "0"), ["The reserved price is 0: leave it out if it is unknown."]),
    ],
)
def test_what_is_odd_about_a_price_is_said(prices: tuple[str | None, str | None], said: list[str]) -> None:
    assert list(price_remarks(span(prices=prices))) == said


def test_days_without_any_price_are_named() -> None:
    def told(*spans: PriceSpan) -> str:
        return days_without(spans, first=MARCH, following=APRIL)

    assert told(span()) == ""
    assert told() == "No price on 2026-03-01 to 2026-03-31."
    assert told(span(date(2026, 3, 2), date(2026, 3, 10)), span(date(2026, 3, 12), None)) == (
        "No price on 2026-03-01 and 2026-03-10 to 2026-03-11."
    )
    assert told(span(date(2025, 1, 1), date(2026, 3, 31))) == "No price on 2026-03-31."
