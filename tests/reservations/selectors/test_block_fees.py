"""What a capacity block cost becomes its pool's reserved price, in the one query that reads prices."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange, DateTimeTZRange
from django.test.utils import CaptureQueriesContext

from reservations.domain.period import Period
from reservations.models import PoolMembership, PriceQuote, PriceSubject, Reservation
from reservations.selectors.reservation_prices import prices_of_life
from reservations.selectors.terms import terms_of_shapes, terms_on
from tests.fixtures.cast import Cast
from tests.reservations.holdings import holding

pytestmark = pytest.mark.django_db

MAY = Period(datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC))
START, END = datetime(2026, 5, 4, 11, 30, tzinfo=UTC), datetime(2026, 5, 8, 11, 30, tzinfo=UTC)


@pytest.fixture
def block(cast: Cast) -> Reservation:
    """Four nodes for four days at 4,800 USD behind the pool without a price of its own, extended once for 1,200."""
    paid = {"CapacityBlockExtensionStatus": "payment-succeeded", "UpfrontFee": "1200.00", "CurrencyCode": "USD"}
    row = holding("cr-0blk", shape="p4d.24xlarge")
    Reservation.objects.filter(pk=row.pk).update(
        kind="block", total_count=4, start_at=START, end_at=END, usable_until=END.replace(hour=11, minute=0),
        upfront_fee=3600, upfront_fee_currency="USD", raw={"CapacityBlockExtensions": [paid]},
    )  # fmt: skip
    PoolMembership.objects.create(pool=cast.other, reservation=row, period=DateTimeTZRange(None, None))
    return row


def spans(cast: Cast) -> list[tuple[date, date | None, Decimal | None, bool]]:
    found = terms_of_shapes(shapes={cast.other.pk: cast.other.instance_type}, period=MAY)
    quotes = found[cast.other.pk].quotes if found else ()
    return [(one.start, one.end, one.reserved, one.derived) for one in quotes]


def test_fee_and_paid_extensions_over_instances_and_billed_hours(cast: Cast, block: Reservation) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert spans(cast) == [(date(2026, 5, 4), date(2026, 5, 9), Decimal("12.5"), True)]
    assert len(asked) == 1
    today = terms_on(day=date(2026, 5, 6)).price(pool_id=cast.other.pk, shape="p4d.24xlarge")
    assert today is not None
    assert (today.reserved, today.currency, today.derived) == (Decimal("12.5"), "USD", True)
    assert terms_on(day=date(2026, 5, 9)).price(pool_id=cast.other.pk, shape="p4d.24xlarge") is None


def test_a_quote_of_the_shape_keeps_its_on_demand_price_and_the_pool_s_own_reserved_price_wins(
    cast: Cast, block: Reservation
) -> None:
    values = {"currency": "USD", "unit": "node-hour", "on_demand": 30, "reserved": 20}
    shape = PriceSubject.objects.create(shape="p4d.24xlarge")
    PriceQuote.objects.create(subject=shape, period=DateRange(date(2026, 1, 1), None), **values)
    assert [reserved for _, _, reserved, _ in spans(cast)] == [Decimal(20), Decimal("12.5"), Decimal(20)]
    today = terms_on(day=date(2026, 5, 6)).price(pool_id=cast.other.pk, shape="p4d.24xlarge")
    assert today is not None
    assert (today.on_demand, today.reserved) == (Decimal(30), Decimal("12.5"))
    own = PriceSubject.objects.create(pool=cast.other)
    PriceQuote.objects.create(subject=own, period=DateRange(date(2026, 1, 1), None), **values | {"reserved": 15})
    assert {reserved for _, _, reserved, _ in spans(cast)} == {Decimal(15)}


def test_another_reservation_of_unknown_fee_leaves_the_price_unknown(cast: Cast, block: Reservation) -> None:
    other = holding("cr-0odr", shape="p4d.24xlarge")
    PoolMembership.objects.create(pool=cast.other, reservation=other, period=DateTimeTZRange(START, None))
    assert spans(cast) == []


def test_a_reservation_costs_what_its_pool_s_month_says_it_does(cast: Cast, block: Reservation) -> None:
    shape = PriceSubject.objects.create(shape="p4d.24xlarge")
    PriceQuote.objects.create(
        subject=shape, period=DateRange(date(2026, 1, 1), None), currency="USD", unit="node-hour", on_demand=30,
        reserved=20,
    )  # fmt: skip
    with CaptureQueriesContext(connection) as asked:
        found = prices_of_life(pool_ids=[cast.other.pk], shape="p4d.24xlarge", period=Period(START, END))
    assert len(asked) == 1
    assert {(one.reserved, one.derived) for one in found[cast.other.pk]} >= {(Decimal("12.5"), True)}
    assert {(one.reserved, one.derived) for one in found[None]} == {(Decimal(20), False)}


@pytest.mark.parametrize(
    ("status", "price", "until"), [("payment-failed", "18.75", 7), ("payment-succeeded", "12.5", 9)]
)
def test_a_term_that_is_listed_and_not_paid_makes_no_hour_cheaper(
    cast: Cast, block: Reservation, status: str, price: str, until: int
) -> None:
    told = {
        "CapacityBlockExtensionStartDate": datetime(2026, 5, 6, 11, 30, tzinfo=UTC).isoformat(),
        "CapacityBlockExtensionEndDate": END.isoformat(),
        "CapacityBlockExtensionStatus": status,
        "UpfrontFee": "1200.00",
        "CurrencyCode": "USD",
    }
    Reservation.objects.filter(pk=block.pk).update(raw={"CapacityBlockExtensions": [told]})
    assert spans(cast) == [(date(2026, 5, 4), date(2026, 5, until), Decimal(price), True)]
