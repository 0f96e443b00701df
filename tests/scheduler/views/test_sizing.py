"""The sizing page: what it says, to whom, and that what-if stands in the address."""

from datetime import date
from decimal import Decimal

import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from reservations.models import PriceQuote, PriceSubject, SavedView, ShortageRecord
from scheduler.models import CommittedGrowth
from tests.fixtures.cast import Cast
from tests.scheduler.demanded import demand, worked_month

pytestmark = pytest.mark.django_db
MARCH = "/sizing/?pool=serve-h100&month=2026-03&months=1"


def words(text: str) -> str:
    return " ".join(strip_tags(text.replace("<", " <")).replace("\u202f", " ").split())


def seen(client: Client, address: str, status: int = 200, **headers: str) -> str:
    response = client.get(address, headers=headers)
    assert response.status_code == status, words(response.content.decode())[:400]
    return words(response.content.decode())


@pytest.fixture
def analyst(cast: Cast, logged_in) -> Client:
    worked_month(cast.pool)
    return logged_in(cast.analyst)


def test_the_answer_stands_above_in_one_sentence(analyst: Client) -> None:
    page = seen(analyst, f"{MARCH}&on_demand=100&reserved=62&current=16")
    assert "Hold 13 nodes (now 16): saves 698 160 USD a year; anything from 12 to 14 is within 1 %." in page
    assert (
        "manage.py size --pool serve-h100 --month 2026-03 --months 1 --on-demand 100 --reserved 62 --current 16" in page
    )


def test_prices_come_from_the_price_book_until_others_are_given(analyst: Client) -> None:
    page = seen(analyst, MARCH)
    assert "Hold 14 nodes (now 0)" in page
    assert "Prices: price book, from 2026-01-01." in page


def test_every_assumption_changes_the_answer_and_stays_in_the_address(analyst: Client) -> None:
    changed = f"{MARCH}&on_demand=100&reserved=62&fail_probability=0.25&shortage_cost=96"
    response = analyst.get(changed, headers={"HX-Request": "true"})
    assert "Hold 14 nodes" in words(response.content.decode())
    assert response["HX-Push-Url"] == changed
    assert "<main" not in response.content.decode()
    grown = f"{MARCH}&on_demand=100&reserved=62&growth=launch,2026-03-01,,4"
    assert "Hold 17 nodes" in seen(analyst, grown)
    assert "Hold 13 nodes" in seen(analyst, f"{grown}&grow=off")
    assert "Hold 15 nodes" in seen(analyst, f"{MARCH}&on_demand=100&reserved=62&spare=2")
    assert "Hold 7 nodes" in seen(analyst, f"{MARCH}&on_demand=100&reserved=62&workload=serving")
    assert "overflow bought by workload" in seen(analyst, f"{MARCH}&overflow=batch%3Dspot&spot=30")


def test_what_is_recorded_of_growth_and_shortage_counts_until_it_is_taken_out(analyst: Client, cast: Cast) -> None:
    days = DateRange(date(2026, 1, 1), None)
    CommittedGrowth.objects.create(pool=cast.pool, name="launch", period=days, nodes=4)
    ShortageRecord.objects.create(
        subject=PriceSubject.objects.get(pool=cast.pool), period=days, fail_probability=Decimal("0.25"),
        shortage_cost=Decimal(96), currency="USD", convention="extra", source="probes", recorded_on=date(2026, 2, 1),
    )  # fmt: skip
    page = seen(analyst, f"{MARCH}&on_demand=100&reserved=62")
    assert "Hold 18 nodes" in page
    assert "Launches that fail: probes, 2026-02-01." in page
    assert "launch: +4 nodes from 1 Jan 2026" in page
    assert "Hold 14 nodes" in seen(analyst, f"{MARCH}&on_demand=100&reserved=62&grow=off")
    assert "Hold 13 nodes" in seen(analyst, f"{MARCH}&on_demand=100&reserved=62&grow=off&fail_probability=0")


def test_what_was_typed_stands_in_the_form_again(analyst: Client) -> None:
    text = analyst.get(f"{MARCH}&reserved=61.5&shortage_convention=instead").content.decode()
    assert 'name="reserved" inputmode="decimal" autocomplete="off" value="61.5" placeholder="40"' in text
    assert '<option value="instead" selected>' in text


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("&reserved=0", 422, "The reserved price is 0"),
        ("&reserved=abc", 422, "is not a number"),
        ("&fail_probability=2&shortage_cost=3", 422, "from 0 to 1"),
        ("&fail_probability=0.2", 422, "go together"),
        ("&months=99", 422, "not a number of months"),
        ("&growth=x", 422, "growth, line 1: 1 cells"),
        ("&workload=nothing", 422, "no workload “nothing”"),
        ("&overflow=batch%3Dspot", 422, "no spot price is known"),
    ],
)
def test_what_cannot_be_sized_is_one_sentence(analyst: Client, query: str, status: int, said: str) -> None:
    assert said.lower() in seen(analyst, MARCH.replace("&months=1", "") + query, status).lower()


def test_a_pool_of_others_and_one_that_is_none_are_told_alike(cast: Cast, logged_in) -> None:
    client = logged_in(cast.outsider)
    others = seen(client, MARCH, 404)
    none = seen(client, MARCH.replace("serve-h100", "nowhere1"), 404)
    assert others.replace("serve-h100", "nowhere1") == none


def test_somebody_without_a_role_is_told_so(cast: Cast, logged_in) -> None:
    assert "no pool that you may see" in seen(logged_in(cast.nobody), "/sizing/")


def test_a_viewer_sees_no_price_and_nothing_that_tells_one(cast: Cast, logged_in) -> None:
    worked_month(cast.pool)
    client = logged_in(cast.viewer)
    page = seen(client, MARCH)
    assert "Your role does not include prices" in page
    assert "USD" not in page
    assert "does not include prices" in seen(client, "/sizing/curve.csv?pool=serve-h100&month=2026-03", 404)
    own = client.get(f"{MARCH}&on_demand=100&reserved=62")
    assert "Hold 13 nodes" in words(own.content.decode())
    assert 'placeholder="40"' not in own.content.decode()


def test_without_hours_prices_or_data_enough_the_page_says_why(cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    assert "no hour of demand of serve-h100" in seen(client, MARCH)
    demand(cast.pool, {"serving": [5] * 100})
    short = seen(client, MARCH)
    assert "No size: not enough data: 100 hours" in short
    assert "How many nodes were needed" in short
    assert "What every size costs" not in short
    assert "Hold 5 nodes" in seen(client, f"{MARCH}&allow_short=1")
    PriceQuote.objects.all().delete()
    assert "has no on-demand and no reserved price" in seen(client, MARCH)


def test_an_empty_organisation_is_told_what_to_do(db, logged_in, django_user_model) -> None:
    person = django_user_model.objects.create_user("newcomer")
    assert "No pool is configured yet" in seen(logged_in(person), "/sizing/")


def test_saved_scenarios_stand_beside_this_one_three_at_most(analyst: Client, cast: Cast) -> None:
    cheap = f"{MARCH}&on_demand=100&reserved=30"
    saved = [
        SavedView.objects.create(owner=cast.analyst, name=f"saved {at}", path=path)
        for at, path in enumerate((cheap, f"{MARCH}&reserved=0", MARCH, MARCH, "/sizings/"))
    ]
    page = seen(analyst, f"{MARCH}&on_demand=100&reserved=62")
    assert "saved 0" in page
    assert "saved 4" not in page
    chosen = "".join(f"&compare={view.pk}" for view in saved)
    page = seen(analyst, f"{MARCH}&on_demand=100&reserved=62{chosen}")
    assert "to hold 13 nodes 14 nodes – 14 nodes" in page
    assert "the reserved price is 0" in page
    assert "Put saved 3" not in page


def test_the_scenario_that_is_saved_is_the_one_that_is_shown(analyst: Client, cast: Cast) -> None:
    address = f"{MARCH}&on_demand=100&reserved=62"
    analyst.post("/views/", {"name": "my size", "path": address})
    view = SavedView.objects.get(owner=cast.analyst)
    assert view.path == address
    assert "my size take away" in seen(analyst, f"{address}&compare={view.pk}")


def test_three_scenarios_of_other_pools_and_months_take_no_more_than_twelve_queries(cast: Cast, logged_in) -> None:
    worked_month(cast.pool)
    client = logged_in(cast.analyst)
    paths = [f"/sizing/?pool={cast.pool.name}&month=2026-0{month}&months=1" for month in (1, 2)]
    paths.append(f"/sizing/?pool={cast.other.name}&month=2026-03&months=1&on_demand=100&reserved=60")
    said = enumerate(paths)
    views = [SavedView.objects.create(owner=cast.analyst, name=f"view {at}", path=path) for at, path in said]
    compared = "".join(f"&compare={view.pk}" for view in views)
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"/sizing/?pool={cast.pool.name}&month=2026-03&months=1{compared}")
    assert page.status_code == 200
    assert len(page.context["compared"].columns) == 4
    assert len(queries) <= 12
