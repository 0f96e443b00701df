"""The pages of recommendations: what they say, to whom, and how one decides there."""

import csv
import io

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from scheduler.models import PurchaseAssumption, Recommendation, RecommendationDecision
from tests.fixtures.cast import Cast
from tests.scheduler.recommended import recommended

pytestmark = pytest.mark.django_db


def words(text: str) -> str:
    return " ".join(strip_tags(text.replace("<", " <")).replace("\u202f", " ").split())


def seen(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status, words(response.content.decode())[:400]
    return words(response.content.decode())


@pytest.fixture
def made(cast: Cast) -> Recommendation:
    return recommended(cast.pool)


def test_the_list_says_what_to_change_and_what_it_saves(made: Recommendation, cast: Cast, logged_in) -> None:
    page = seen(logged_in(cast.analyst), "/recommendations/")
    assert "1 of 2 pools should change, which saves about" in page
    assert "shrink from 16 to 14 nodes" in page
    assert "USD a month saved" in page
    assert "Not enough data: 0 hours of demand" in page


@pytest.mark.parametrize(
    ("query", "has", "lacks"),
    [
        ("?pool=arms", "no recommendation", "shrink from 16"),
        ("?action=shrink", "shrink from 16", "Not enough data"),
        ("?state=accepted", "No recommendation matches", "shrink from 16"),
    ],
)
def test_filters_stand_in_the_address_and_hold_for_the_files(
    made: Recommendation, cast: Cast, logged_in, query: str, has: str, lacks: str
) -> None:
    client = logged_in(cast.analyst)
    page = seen(client, f"/recommendations/{query}")
    assert has in page
    assert lacks not in page
    text = client.get(f"/recommendations/recommendations.csv{query}").content.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == {"?pool=arms": 1, "?action=shrink": 1, "?state=accepted": 0}[query]


@pytest.mark.parametrize(("query", "status"), [("?action=sell", 400), ("?state=x", 400), ("?pool=nowhere", 404)])
def test_a_filter_that_is_none_is_told_so(cast: Cast, logged_in, query: str, status: int) -> None:
    seen(logged_in(cast.analyst), f"/recommendations/{query}", status)


def test_one_shows_its_sizes_its_reasons_its_provider_and_its_hash(made: Recommendation, cast: Cast, logged_in) -> None:
    page = seen(logged_in(cast.analyst), f"/recommendations/{made.pk}/")
    for said in (
        "serve-h100: shrink from 16 to 14 nodes",
        made.reasons[0],
        made.reasons[1],
        "than the break-even. (nodes) Glossary 14 decides",
        "cr-0aaa",
        "It can be grown, shrunk and cancelled at any time.",
        made.evidence_hash,
        "Price reserved 40 USD a node-hour",
        "Owners of the pool, approvers and admins decide on it.",
    ):
        assert said.replace("\u202f", " ") in page, said


def test_a_viewer_sees_the_nodes_and_no_money_anywhere(made: Recommendation, cast: Cast, logged_in) -> None:
    client = logged_in(cast.viewer)
    amounts = {f"{abs(made.saving):,.0f}".replace(",", " "), "USD", "0.5"}
    for address in ("/recommendations/", f"/recommendations/{made.pk}/"):
        page = seen(client, address)
        assert "shrink from 16 to 14 nodes" in page
        assert "our role does not include prices" in page
        assert not [amount for amount in amounts if amount in page]
    (row,) = csv.DictReader(io.StringIO(client.get("/recommendations/recommendations.csv").content.decode()))
    assert (row["saving"], row["regret"], row["currency"], row["proposed_nodes"]) == ("", "", "", "14")


def test_others_pools_are_not_told_of(made: Recommendation, cast: Cast, logged_in) -> None:
    client = logged_in(cast.outsider)
    assert "serve-h100" not in seen(client, "/recommendations/")
    others = seen(client, f"/recommendations/{made.pk}/", 404)
    assert others.replace(str(made.pk), "999999") == seen(client, "/recommendations/999999/", 404)
    assert client.post(f"/recommendations/{made.pk}/accept/").status_code == 404
    assert "no pool that you may see" in seen(logged_in(cast.nobody), "/recommendations/")


def test_an_owner_rejects_with_a_reason_and_it_is_kept(made: Recommendation, cast: Cast, logged_in) -> None:
    client = logged_in(cast.owner)
    empty = client.post(f"/recommendations/{made.pk}/reject/", {"reason": " "})
    assert empty.status_code == 422
    assert "Say why: a reason is needed." in words(empty.content.decode())
    for _ in range(2):
        sent = client.post(f"/recommendations/{made.pk}/reject/", {"reason": "a launch in May"}, follow=True)
        assert sent.status_code == 200
    page = words(sent.content.decode())
    assert "owner: rejected" in page
    assert "a launch in May" in page
    decision = RecommendationDecision.objects.get()
    assert (decision.decided_by, decision.standing) == (cast.owner, "rejected")
    refused = client.post(f"/recommendations/{made.pk}/accept/")
    assert "It is rejected already" in words(refused.content.decode())


def test_an_exception_may_be_asked_for_and_then_accepted(made: Recommendation, cast: Cast, logged_in) -> None:
    client = logged_in(cast.approver)
    client.post(f"/recommendations/{made.pk}/exception/", {"reason": "growth is signed"})
    assert "exception asked for" in seen(client, f"/recommendations/{made.pk}/")
    client.post(f"/recommendations/{made.pk}/accept/")
    made.refresh_from_db()
    assert made.standing == "accepted"


@pytest.mark.parametrize("who", ["viewer", "analyst"])
def test_roles_that_may_not_decide_are_refused(made: Recommendation, cast: Cast, logged_in, who: str) -> None:
    client = logged_in(getattr(cast, who))
    refused = client.post(f"/recommendations/{made.pk}/accept/")
    assert refused.status_code == 403
    assert "none of your roles lets you decide" in words(refused.content.decode())
    assert not RecommendationDecision.objects.exists()


def test_decisions_are_made_by_post_alone_and_only_those_there_are(made: Recommendation, cast: Cast, logged_in) -> None:
    client = logged_in(cast.owner)
    assert client.get(f"/recommendations/{made.pk}/accept/").status_code == 405
    assert client.post(f"/recommendations/{made.pk}/sell/").status_code == 404
    assert Client(enforce_csrf_checks=True).post(f"/recommendations/{made.pk}/accept/").status_code in (302, 403)


def test_before_anything_was_recommended_the_page_says_when(cast: Cast, logged_in) -> None:
    page = seen(logged_in(cast.analyst), "/recommendations/")
    assert "No recommendation was made yet" in page
    assert "manage.py recommend" in page


def test_one_is_shown_in_twelve_queries_at_most(made: Recommendation, cast: Cast, logged_in) -> None:
    client = logged_in(cast.owner)
    client.post(f"/recommendations/{made.pk}/exception/", {"reason": "growth is signed"})
    PurchaseAssumption.objects.create(pool=cast.pool, bought_on="2026-02-20", nodes=16, mean_nodes=20, author="ada")
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/recommendations/{made.pk}/").status_code == 200
    assert len(queries) <= 12
