"""The page of commitments: the two promises apart, unknown never 0, and files of the same figures."""

import csv
import io
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateRange
from django.test import Client
from django.test.utils import CaptureQueriesContext

from reservations.models import Account, Commitment, CommitmentFetch, CommitmentReport
from tests.fixtures.cast import Cast
from tests.reservations.holdings import holding

pytestmark = pytest.mark.django_db
TODAY = datetime.now(UTC).date()
FIGURES = {"cost": 240, "used": 180, "unused": 60, "on_demand_equivalent": 300}


def commitment(provider_id: str = "sp-1", *, allowed: bool = True, **said: Any) -> Commitment:
    account, _ = Account.objects.get_or_create(
        name="prod", account_id="111122223333", defaults={"regions": ["us-east-1"], "cost_explorer": allowed}
    )
    values: dict[str, Any] = {
        "kind": "savings_plan", "hourly": Decimal(10), "currency": "USD", "applies_to": "any_compute",
        "payment": "no_upfront", "term": DateRange(TODAY - timedelta(days=200), TODAY + timedelta(days=200)),
    }  # fmt: skip
    return Commitment.objects.create(account=account, provider_id=provider_id, **values | said)


def reported(of: Commitment, *, days_ago: int = 1, account_wide: bool = False, **said: Any) -> None:
    CommitmentReport.objects.create(
        account=of.account, commitment=None if account_wide else of, day=TODAY - timedelta(days=days_ago),
        fetched_at=datetime.now(UTC),
        **{"family": "savings_plans", "measure": "utilisation", "currency": "USD"} | said,
    )  # fmt: skip


def rows(client: Client, sheet: str = "commitments", query: str = "") -> list[dict[str, str]]:
    text = client.get(f"/commitments/{sheet}.csv{query}").content.decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_each_commitment_stands_with_what_was_told_of_it(cast: Cast, logged_in) -> None:
    plan = commitment()
    for days_ago in (1, 2):
        reported(plan, days_ago=days_ago, **FIGURES)
    reported(plan, account_wide=True, measure="coverage", covered=300, coverable=400, on_demand=100)
    client = logged_in(cast.analyst)
    (row,) = rows(client)
    assert (row["commitment"], row["lowers"], row["hourly"]) == ("sp-1", "any compute", "10")
    assert {name: Decimal(row[name]) for name in ("utilisation_share", "coverage_share", "effective_savings_rate")} == {
        "utilisation_share": Decimal("0.75"),
        "coverage_share": Decimal("0.75"),
        "effective_savings_rate": Decimal("0.2"),
    }
    assert (Decimal(row["unused"]), row["effective_rate"], row["utilisation_days"]) == (120, "", "2")
    page = client.get("/commitments/").content.decode()
    assert "75.0\u202f%" in page
    assert "120\u202fUSD of it went unused in these days" in page
    assert "10.00\u202fUSD an hour" in page


@pytest.mark.parametrize(
    ("said", "allowed", "why"),
    [
        ({}, True, "unknown: Cost Explorer was not asked yet"),
        ({}, False, "unknown: its account does not let Cost Explorer be asked"),
        ({"kind": "committed_use_discount"}, True, "no provider is asked about committed use discounts"),
        ({"term": DateRange(TODAY, TODAY + timedelta(days=9))}, True, "unknown: it has not begun"),
    ],
)
def test_what_was_not_fetched_is_a_dash_and_its_reason_and_never_0(
    said: dict[str, Any], allowed: bool, why: str, cast: Cast, logged_in
) -> None:
    commitment(allowed=allowed, **said)
    client = logged_in(cast.analyst)
    (row,) = rows(client)
    unknown = ("utilisation_share", "coverage_share", "effective_rate", "effective_savings_rate", "unused")
    assert [row[name] for name in unknown] == [""] * 5
    assert row["said"] == why
    page = client.get("/commitments/").content.decode()
    assert why in page
    assert "How much of it went unused in these days is unknown" in page


def test_every_digit_of_what_is_committed_is_shown(cast: Cast, logged_in) -> None:
    commitment(hourly=Decimal("412.505"))
    page = logged_in(cast.analyst).get("/commitments/").content.decode()
    assert page.count("412.505\u202fUSD") == 2


def test_what_is_said_of_another_kind_is_not_said_of_this_one(cast: Cast, logged_in) -> None:
    plan = commitment()
    failures = {"ce:GetReservationCoverage": "no instances", "ce:GetSavingsPlansCoverage": "no plans"}
    CommitmentFetch.objects.create(
        account=plan.account, fetched_at=datetime(2026, 5, 3, 12, tzinfo=UTC), requests=2, failures=failures,
        period=DateRange(TODAY - timedelta(days=30), TODAY),
    )  # fmt: skip
    (row,) = rows(logged_in(cast.analyst))
    assert row["said"].endswith("; no plans")


def test_money_told_in_two_currencies_says_in_which(cast: Cast, logged_in) -> None:
    for code in ("USD", "EUR"):
        reported(commitment(code), **FIGURES, currency=code)
    page = logged_in(cast.analyst).get("/commitments/").content.decode()
    assert "60.00\u202fEUR and 60.00\u202fUSD of it went unused" in page
    assert "figures in" in page


def test_a_refusal_is_told_where_its_figures_are_missing(cast: Cast, logged_in) -> None:
    plan = commitment()
    CommitmentFetch.objects.create(
        account=plan.account, fetched_at=datetime(2026, 5, 3, 12, tzinfo=UTC), requests=1,
        period=DateRange(TODAY - timedelta(days=30), TODAY), failures={"ce:X": "prod: ce:X is not allowed"},
    )  # fmt: skip
    (row,) = rows(logged_in(cast.analyst))
    assert row["said"] == "unknown: no day of it was told; asked 3 May 2026, 12:00 UTC; prod: ce:X is not allowed"


def test_what_is_told_of_reserved_instances_together_counts_once(cast: Cast, logged_in) -> None:
    first, second = (commitment(name, kind="regional_reserved_instance") for name in ("ri-1", "ri-2"))
    reported(first, account_wide=True, family="reserved_instances", **FIGURES, hours=18)
    client = logged_in(cast.analyst)
    both = rows(client)
    assert [row["commitment"] for row in both] == [first.provider_id, second.provider_id]
    assert {Decimal(row["effective_rate"]) for row in both} == {Decimal(10)}
    assert all("all reserved instances of the account together" in row["said"] for row in both)
    assert "60.00\u202fUSD of it went unused" in client.get("/commitments/").content.decode()


def test_the_days_of_the_address_are_those_of_the_figures(cast: Cast, logged_in) -> None:
    plan = commitment()
    reported(plan, days_ago=30, **FIGURES)
    reported(plan, days_ago=0, **FIGURES | {"used": 0})
    client = logged_in(cast.analyst)
    assert [rows(client, query=f"?days={days}")[0]["utilisation_days"] for days in (7, 30)] == ["0", "1"]
    refused = client.get("/commitments/?days=8")
    assert refused.status_code == 400
    assert "“days” is one of 7, 30, 90, 365, and this is “8”." in refused.content.decode()


def test_the_two_promises_stand_apart(cast: Cast, logged_in) -> None:
    holding("cr-1", pool=cast.pool, total_count=4)
    page = logged_in(cast.analyst).get("/commitments/").content.decode()
    assert "it lowers no price" in page
    assert "it holds no machine" in page
    assert "No commitment is recorded" in page
    assert "Nothing is committed today" in page


def test_what_lowers_what_is_told_pair_by_pair(cast: Cast, logged_in) -> None:
    commitment(kind="zonal_reserved_instance")
    said = {(row["reservation"], row["commitment"]): row for row in rows(logged_in(cast.analyst), "stacking")}
    zonal = said["on demand", "zonal reserved instance"]
    assert zonal["applies"] == "false"
    assert zonal["why"].startswith("A zonal reserved instance does not apply")
    assert said["entered by hand", "zonal reserved instance"]["applies"] == ""


@pytest.mark.parametrize("who", ["viewer", "owner", "nobody"])
def test_it_is_for_who_may_see_the_organisation_s_money(who: str, cast: Cast, logged_in) -> None:
    commitment()
    client = logged_in(getattr(cast, who))
    for address in ("/commitments/", "/commitments/commitments.csv"):
        refused = client.get(address)
        assert refused.status_code == 403
        assert "sp-1" not in refused.content.decode()


def test_no_other_file_is_here(cast: Cast, logged_in) -> None:
    assert logged_in(cast.analyst).get("/commitments/prices.csv").status_code == 404


@pytest.mark.parametrize("many", [1, 30])
def test_the_page_makes_no_more_queries_with_more_commitments(many: int, cast: Cast, logged_in) -> None:
    for number in range(many):
        reported(commitment(f"sp-{number}"), **FIGURES)
    client = logged_in(cast.analyst)
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/commitments/").status_code == 200
    assert len(queries) <= 8
