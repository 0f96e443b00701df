from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.db.backends.postgresql.psycopg_any import DateRange

from reservations.domain.period import Period
from reservations.models import Organisation, Owner, Pool, PriceQuote, PriceSubject
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.prices import quotes_during

pytestmark = pytest.mark.django_db

MAY = Period(datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC))


@pytest.fixture
def pool() -> Pool:
    owner = Owner.objects.create(name="serving")
    return Pool.objects.create(name="h100", owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)


def quote(subject: PriceSubject, start: date, end: date | None, reserved: str) -> None:
    PriceQuote.objects.create(
        subject=subject, period=DateRange(start, end), reserved=Decimal(reserved), currency="USD", unit="node-hour"
    )


def spans(pool: Pool, period: Period = MAY) -> list[tuple[date, date | None, Decimal | None]]:
    return [(span.start, span.end, span.reserved) for span in quotes_during(pool_id=pool.pk, period=period)]


def test_a_pool_s_own_price_goes_before_its_shape_s_and_the_shape_s_fills_the_other_days(pool: Pool) -> None:
    quote(PriceSubject.objects.create(shape="p5.48xlarge"), date(2026, 1, 1), None, "70")
    quote(PriceSubject.objects.create(pool=pool), date(2026, 5, 10), date(2026, 5, 20), "60")
    assert spans(pool) == [
        (date(2026, 1, 1), date(2026, 5, 10), Decimal(70)),
        (date(2026, 5, 10), date(2026, 5, 20), Decimal(60)),
        (date(2026, 5, 20), None, Decimal(70)),
    ]


def test_the_day_after_the_period_and_other_shapes_are_left_out(pool: Pool) -> None:
    subject = PriceSubject.objects.create(pool=pool)
    quote(subject, date(2026, 4, 1), date(2026, 5, 1), "1")
    quote(subject, date(2026, 6, 1), None, "2")
    quote(PriceSubject.objects.create(shape="g6.xlarge"), date(2026, 1, 1), None, "3")
    assert spans(pool) == []
    in_a_zone = Period(datetime(2026, 4, 30, 22, tzinfo=UTC), datetime(2026, 5, 31, 22, tzinfo=UTC))
    assert spans(pool, in_a_zone) == [(date(2026, 4, 1), date(2026, 5, 1), Decimal(1))]


def test_months_are_cut_in_utc_until_somebody_sets_another_zone(pool: Pool) -> None:
    assert str(accounting_zone()) == "UTC"
    Organisation.objects.create(id=1, accounting_zone="Asia/Kolkata")
    assert str(accounting_zone()) == "Asia/Kolkata"
