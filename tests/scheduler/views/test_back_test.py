"""The back-test's page and files, and what purchases assumed on the page of a recommendation."""

import csv
import io
import json
import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils.html import strip_tags

from scheduler.models import PurchaseAssumption
from scheduler.views import back_test, recommendations
from telemetry.models import PoolHour
from tests.fixtures.cast import Cast
from tests.scheduler.configuration_file import GOOD, apply
from tests.scheduler.demanded import demand
from tests.scheduler.recommended import recommended

pytestmark = pytest.mark.django_db
NODE_MS = 8 * 3_600_000
FEBRUARY = datetime(2026, 2, 1, tzinfo=UTC)


def words(text: str) -> str:
    return " ".join(strip_tags(text.replace("<", " <")).replace("\u202f", " ").split())


@pytest.fixture
def in_april(monkeypatch: pytest.MonkeyPatch) -> None:
    class Clock:
        now = staticmethod(lambda: datetime(2026, 4, 3, tzinfo=UTC))

    for module in (back_test, recommendations):
        monkeypatch.setattr(module, "timezone", Clock)


@pytest.fixture
def two_months(cast: Cast, in_april: None) -> None:
    """February needs 4 nodes, March 5 where 7 are held; the ledger tells both."""
    demand(cast.pool, {"serving": [4] * 672 + [5] * 744}, start=FEBRUARY)
    full = 7 * NODE_MS
    PoolHour.objects.bulk_create(
        PoolHour(
            pool=cast.pool,
            hour=FEBRUARY + timedelta(hours=at),
            reserved=full,
            paid=full,
            expected=full,
            known=full,
            busy=full // 2,
            read_at=FEBRUARY,
        )
        for at in range(672 + 744)
    )


def rows(client: Client) -> list[dict[str, str]]:
    answer = client.get("/recommendations/back-test/months.csv?pool=serve-h100")
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


def test_a_month_with_data_before_it_costs_both_ways_and_the_others_say_why(cast: Cast, two_months, logged_in) -> None:
    client = logged_in(cast.analyst)
    told = rows(client)
    assert [row["month"] for row in told][-2:] == ["2026-02", "2026-03"]
    assert len(told) == 12
    march = told[-1]
    assert (march["advised_nodes"], Decimal(march["held_nodes"])) == ("4", 7)
    assert Decimal(march["held_cost"]) == 7 * 744 * 40
    assert Decimal(march["advised_cost"]) == 4 * 744 * 40 + 744 * 80
    assert told[-2]["reason"].startswith("before it, not enough data")
    page = words(client.get("/recommendations/back-test/?pool=serve-h100").content.decode())
    assert "would have cost 29 760 USD less over 1 of 12 months." in page
    assert "no hour of it is known" in page


def test_the_chart_has_both_columns_of_the_month_that_says_something(cast: Cast, two_months, logged_in) -> None:
    page = logged_in(cast.analyst).get("/recommendations/back-test/?pool=serve-h100").content.decode()
    found = re.search(r'<script id="months-figure" type="application/json">(.*?)</script>', page)
    assert found is not None
    held, advised, words_ = json.loads(found[1])["data"]
    assert (held["name"], held["x"][-1], held["y"]) == ("cost as held", "Mar 2026", [None] * 11 + [7 * 744 * 40])
    assert advised["y"] == [None] * 11 + [4 * 744 * 40 + 744 * 80]
    assert "no hour of it is known" in words_["text"][0]


def test_only_who_sees_prices_sees_it(cast: Cast, two_months, logged_in) -> None:
    client = logged_in(cast.viewer)
    page = words(client.get("/recommendations/back-test/").content.decode())
    assert "Your role does not include prices" in page
    assert "USD" not in page
    assert client.get("/recommendations/back-test/months.csv").status_code == 403
    assert logged_in(cast.outsider).get("/recommendations/back-test/?pool=serve-h100").status_code == 404
    assert "no pool that you may see" in words(
        logged_in(cast.nobody).get("/recommendations/back-test/").content.decode()
    )


PURCHASE = (
    "{pool: reserved-h100, bought_on: 2026-01-15, nodes: 16, mean_nodes: 14.5, busy_share: 0.8, break_even: 0.62,"
    ' on_demand: "100", reserved: "62", currency: USD, author: ada, note: memo 7}'
)


def outcomes(folder: Path, line: str) -> Counter[str]:
    out, _ = apply(folder, f"{GOOD}purchases:\n  - {line}\n")
    return Counter(change["outcome"] for change in json.loads(out)["changes"] if change["kind"] == "purchase")


def test_purchases_come_from_the_configuration_file_once(tmp_path: Path) -> None:
    assert outcomes(tmp_path, PURCHASE) == {"created": 1}
    assert outcomes(tmp_path, PURCHASE) == {"unchanged": 1}
    assert outcomes(tmp_path, PURCHASE.replace("14.5", "13")) == {"updated": 1}
    kept = PurchaseAssumption.objects.get()
    assert (kept.mean_nodes, kept.busy_share, kept.author, kept.reserved) == (13, Decimal("0.8"), "ada", 62)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("reserved-h100", "nowhere"), "no pool “nowhere”"),
        (("mean_nodes: 14.5, busy_share: 0.8, ", ""), "a purchase assumed something"),
        (("0.8", "1.8"), "“1.8” is not a number from 0 to 1"),
        (("14.5", "14.12345"), "more than 4 decimals"),
        (("currency: USD, ", ""), "prices need a currency"),
        (("nodes: 16", "nodes: 0"), "nodes"),
    ],
)
def test_a_purchase_that_is_none_is_refused_in_a_sentence(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    with pytest.raises(Exception, match=said):
        outcomes(tmp_path, PURCHASE.replace(*change))
    assert not PurchaseAssumption.objects.exists()


def test_the_page_says_where_reality_left_a_purchase(cast: Cast, in_april: None, logged_in) -> None:
    made = recommended(cast.pool)
    PurchaseAssumption.objects.create(
        pool=cast.pool, bought_on="2026-02-20", nodes=16, mean_nodes=Decimal(20), author="ada", note="memo 7"
    )
    page = words(logged_in(cast.analyst).get(f"/recommendations/{made.pk}/").content.decode())
    assert "16 nodes, bought 20 Feb 2026" in page
    assert "Expected 20 nodes needed on average: 1 of 1 months were over a tenth off, most of them less" in page
    assert "Assumed by ada: 20 nodes on average. “memo 7”" in page
    assert "March 2026 14.00 22" in page


def test_the_database_refuses_an_assumption_of_nothing(cast: Cast) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        PurchaseAssumption.objects.create(pool=cast.pool, bought_on="2026-02-20", nodes=16, author="ada")
