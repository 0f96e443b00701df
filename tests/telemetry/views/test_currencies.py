"""A month in two currencies shows both, and one sum only by a rate that somebody entered for one of its days."""

import csv
import io
from datetime import date
from decimal import Decimal

import pytest
from django.db.backends.postgresql.psycopg_any import DateRange

from reservations.models import ExchangeRate, PriceQuote, PriceSubject
from telemetry.models import PoolHour
from telemetry.services.days import refresh_days
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db

DAY = 24 * 3_600_000


@pytest.fixture
def in_euros(cast: Cast, collected: list[PoolHour]) -> None:
    """The other pool: 8 GPUs for one hour at 10 EUR a node-hour."""
    PriceQuote.objects.create(
        subject=PriceSubject.objects.create(pool=cast.other), period=DateRange(date(2026, 1, 1), None),
        reserved=10, currency="EUR", unit="node-hour",
    )  # fmt: skip
    hour = PoolHour.objects.create(
        pool=cast.other, hour=collected[0].hour, source="x", reserved=DAY // 3, paid=DAY // 3, not_observed=0,
        read_at=collected[0].read_at,
    )  # fmt: skip
    refresh_days(pool_id=cast.other.pk, hours=[hour.hour])


def test_currencies_stand_beside_each_other_until_a_rate_leads_from_one_to_the_other(
    cast: Cast, collected: list[PoolHour], in_euros: None, logged_in
) -> None:
    client = logged_in(cast.analyst)
    usd = sum(row.paid for row in collected) * Decimal(5) / 3_600_000
    page = client.get("/fleet/2026-03/").content.decode().replace("\u202f", " ")
    assert "and" in page.split("Paid: ")[1][:60]
    assert "They are not added: no exchange rate between them was entered for a day of this month." in page
    for day, rate in ((date(2026, 3, 14), "1.08"), (date(2026, 4, 1), "9")):
        ExchangeRate.objects.create(
            source_currency="EUR", target_currency="USD", day=day, rate=rate, source="bank", entered_by="analyst"
        )
    page = client.get("/fleet/2026-03/").content.decode().replace("\u202f", " ")
    assert "converted by 1.08 USD for 1 EUR of 14 Mar 2026 (bank, entered by analyst)." in page
    answer = client.get("/fleet/2026-03/currencies.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(answer, newline="")))
    assert [(row["currency"], Decimal(row["paid_cost"]), row["converted"]) for row in rows] == [
        ("EUR", Decimal(10), "false"),
        ("USD", usd, "false"),
        ("USD", usd + Decimal("10.8"), "true"),
    ]


def test_one_currency_needs_no_word_about_it(cast: Cast, collected: list[PoolHour], logged_in) -> None:
    assert "Paid by currency" not in logged_in(cast.analyst).get("/fleet/2026-03/").content.decode()
