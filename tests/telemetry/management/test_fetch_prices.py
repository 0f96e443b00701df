"""A listed price is looked at first and entered only where somebody says so, beside what the book holds already."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.backends.postgresql.psycopg_any import DateRange
from django.utils import timezone

from reservations.models import PriceQuote, PriceSubject
from tests.telemetry.sources.ec2_world import real_client
from tests.telemetry.sources.price_list_world import World, price_list, product

pytestmark = pytest.mark.django_db

SHAPE = "p5.48xlarge"


def today() -> date:
    return timezone.now().date()


def run(capsys: pytest.CaptureFixture[str], *words: str, world: World | None = None) -> tuple[str, str]:
    with price_list(world or World([product()])) as url:
        call_command("fetch_prices", "--shape", SHAPE, "--region", "us-east-1", "--endpoint-url", url, *words)
    return capsys.readouterr()


@pytest.fixture(autouse=True)
def client_of_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    real_client(monkeypatch)


def test_without_write_the_price_is_told_and_nothing_is_stored(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(capsys)
    assert f"{SHAPE} in us-east-1: on demand 98.32 USD per node-hour (AWS Price List, fetched {today()};" in out
    assert "nothing was stored" in err
    assert not PriceQuote.objects.exists()


def test_written_it_holds_from_today_on_beside_the_prices_there_were_and_a_second_time_changes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    until = today() + timedelta(days=90)
    PriceQuote.objects.create(
        subject=PriceSubject.objects.create(shape=SHAPE), period=DateRange(date(2026, 1, 1), until),
        on_demand=90, reserved=60, spot=30, currency="USD", unit="node-hour", source="quote 9",
    )  # fmt: skip
    run(capsys, "--write")
    before, since = PriceQuote.objects.order_by("period")
    assert (before.period, before.on_demand) == (DateRange(date(2026, 1, 1), today()), Decimal(90))
    assert (since.period, since.on_demand, since.reserved, since.spot) == (
        DateRange(today(), until), Decimal("98.32"), Decimal(60), Decimal(30),
    )  # fmt: skip
    assert since.source == f"AWS Price List, fetched {today()}; before that quote 9"
    assert since.entered_by == "fetch_prices"
    out, _ = run(capsys, "--write")
    assert "unchanged: price of shape" in out
    assert PriceQuote.objects.count() == 2


@pytest.mark.parametrize(("currency", "unit"), [("EUR", "node-hour"), ("USD", "gpu-hour")])
def test_a_quote_in_another_currency_or_unit_is_left_alone(
    currency: str, unit: str, capsys: pytest.CaptureFixture[str]
) -> None:
    subject = PriceSubject.objects.create(shape=SHAPE)
    values = {"on_demand": 12, "currency": currency, "unit": unit}
    PriceQuote.objects.create(subject=subject, period=DateRange(date(2026, 1, 1), None), **values)
    with pytest.raises(CommandError, match=f"is in {currency} per {unit}, and this one in USD per node-hour"):
        run(capsys, "--write")
    assert PriceQuote.objects.get().on_demand == 12


def test_a_price_that_is_not_there_ends_the_command_with_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="has no on-demand price"):
        run(capsys, "--write", world=World([]))
    assert not PriceSubject.objects.exists()
