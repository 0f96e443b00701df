"""The price book: who sees what, what is refused and why, and what stays of a change."""

import csv
import io
from datetime import date
from decimal import Decimal

import pytest
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test import Client

from reservations.models import ExchangeRate, PriceQuote, PriceSubject
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db

QUOTE = {
    "pool": "serve-h100", "from": "2026-06-01", "to": "", "on_demand": "90", "reserved": "45.5", "currency": "USD",
    "unit": "node-hour", "source": "offer 9",
}  # fmt: skip
RATE = {"what": "rate", "from": "EUR", "to": "USD", "day": "2026-03-14", "rate": "1.08", "source": "central bank"}


def rows(client: Client, sheet: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(client.get(f"/prices/{sheet}.csv").content.decode(), newline="")))


def spans() -> list[tuple[date, date | None, Decimal]]:
    quotes = PriceQuote.objects.filter(subject__pool__name="serve-h100").order_by("period")
    return [(quote.period.lower, quote.period.upper, quote.reserved) for quote in quotes]


def test_a_quote_that_overlaps_is_refused_and_told_and_taken_where_it_is_asked_for(cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    refused = client.post("/prices/", QUOTE)
    assert refused.status_code == 400
    assert "It overlaps the quote from 2026-01-01 on" in refused.content.decode()
    assert 'value="45.5"' in refused.content.decode()
    assert spans() == [(date(2026, 1, 1), None, Decimal(40))]
    assert client.post("/prices/", QUOTE | {"cut": "on"}).status_code == 302
    assert spans() == [
        (date(2026, 1, 1), date(2026, 6, 1), Decimal(40)),
        (date(2026, 6, 1), None, Decimal("45.5")),
    ]
    newest, *_ = rows(client, "changes")
    assert (newest["who"], newest["reason"]) == ("analyst", "price book")
    assert {row["entered_by"] for row in rows(client, "quotes")} == {"analyst", ""}
    assert "45.50" in client.get("/prices/").content.decode()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"from": "soon"}, "“soon” is not a day"),
        ({"from": ""}, "It is needed."),
        ({"to": "2020-01-01"}, "so 2020-01-01 must be after 2020-01-01"),
        ({"reserved": "-1"}, "A price can&#x27;t be below 0"),
        ({"reserved": "NaN"}, "“NaN” is not a number"),
        ({"currency": "usd"}, "“usd” is not a currency"),
        ({"pool": ""}, "A price is for one pool or one shape"),
        ({"shape": "p5.48xlarge"}, "A price is for one pool or one shape"),
        ({"pool": "serve"}, "There is no pool “serve”."),
        ({"unit": "hour"}, "“hour” is not one of"),
    ],
)
def test_what_is_no_quote_is_refused_with_a_sentence_and_nothing_is_stored(
    wrong: dict[str, str], said: str, cast: Cast, logged_in
) -> None:
    answer = logged_in(cast.analyst).post("/prices/", QUOTE | {"from": "2020-01-01", "to": "2020-02-01"} | wrong)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert len(spans()) == 1


def test_prices_are_for_roles_that_see_them_and_entering_for_analyst_and_admin_alone(cast: Cast, logged_in) -> None:
    PriceQuote.objects.create(
        subject=PriceSubject.objects.create(pool=cast.other), period=DateRange(date(2026, 1, 1), None),
        reserved=7, currency="EUR", unit="gpu-hour",
    )  # fmt: skip
    for person, status, seen in (
        (cast.viewer, 403, set()),
        (cast.nobody, 403, set()),
        (cast.owner, 200, {"serve-h100"}),
        (cast.outsider, 200, {"arms"}),
        (cast.analyst, 200, {"serve-h100", "arms"}),
    ):
        client = logged_in(person)
        assert client.get("/prices/").status_code == client.get("/prices/quotes.csv").status_code == status
        if status == 200:
            assert {row["pool"] for row in rows(client, "quotes")} == seen
        entered = client.post("/prices/", QUOTE | {"cut": "on", "from": "2026-07-01"})
        assert entered.status_code == (302 if person == cast.analyst else 403)
    assert len(spans()) == 2


def test_a_form_without_its_token_is_refused(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.analyst, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/prices/", QUOTE | {"cut": "on"}).status_code == 403
    assert len(spans()) == 1


def test_what_is_to_be_mended_is_said_in_words(cast: Cast, logged_in) -> None:
    PriceQuote.objects.update(reserved=80, period=DateRange(date(2026, 1, 1), None))
    said = logged_in(cast.analyst).get("/prices/").content.decode()
    assert "The reserved price is as high as the on-demand price" in said
    assert "<strong>arms</strong>: No price on" in said


def test_a_rate_is_entered_once_a_day_and_a_second_one_takes_its_place(cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    assert client.post("/prices/", RATE).status_code == 302
    assert client.post("/prices/", RATE | {"rate": "1.09"}).status_code == 302
    (rate,) = ExchangeRate.objects.all()
    assert (rate.rate, rate.source, rate.entered_by) == (Decimal("1.09"), "central bank", "analyst")
    assert ExchangeRate.history.count() == 2
    for wrong, said in (
        ({"rate": "0"}, "A rate can&#x27;t be below"),
        ({"to": "EUR"}, "and both are EUR"),
        ({"source": ""}, "It is needed."),
    ):
        answer = client.post("/prices/", RATE | wrong)
        assert (answer.status_code, said in answer.content.decode()) == (400, True)
    assert rows(client, "rates")[0]["rate"] == "1.09"
