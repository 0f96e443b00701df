from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from reservations.models import PoolMembership, Reservation
from tests.fixtures.cast import Cast
from tests.reservations.holdings import holding

pytestmark = pytest.mark.django_db
MOST_QUERIES = 12


def found(response) -> dict[str, list[str]]:
    """The labels by group, as the template was given them."""
    return {group.title: [hit.label for hit, _ in hits] for group, hits in response.context["groups"]}


@pytest.fixture
def held(cast: Cast) -> list[Reservation]:
    return [
        holding("cr-0aaa111", pool=cast.pool, tags={"cost-centre": "7001"}),
        holding("cr-0aaa222", pool=cast.other),
        holding("cr-0bbb333", owner="research", state="ended"),
    ]


def test_everything_of_one_text_is_found_by_kind(cast: Cast, held: list[Reservation], logged_in) -> None:
    client = logged_in(cast.analyst)
    assert found(client.get("/search/?q=cr-0aaa"))["Reservations"] == ["cr-0aaa111", "cr-0aaa222"]
    assert found(client.get("/search/?q=H100"))["Pools"] == ["serve-h100"]
    assert found(client.get("/search/?q=robot"))["Owners"] == ["robotics"]
    assert found(client.get("/search/?q=idle+held"))["Words"] == ["idle held"]
    assert found(client.get("/search/?q=waterfall"))["Pages"] == ["Month of the fleet"]


@pytest.mark.parametrize("text", ["cost-centre=7001", "cost-centre", "7001"])
def test_a_reservation_is_found_by_its_tag_which_is_named(text: str, cast: Cast, held, logged_in) -> None:
    response = logged_in(cast.analyst).get("/search/", {"q": text})
    assert found(response)["Reservations"] == ["cr-0aaa111"]
    assert "tag cost-centre=7001" in response.content.decode()


def test_an_exact_id_arn_or_pool_leads_there_at_once(cast: Cast, held: list[Reservation], logged_in) -> None:
    client = logged_in(cast.analyst)
    page = reverse("reservations:detail", args=[held[0].pk])
    assert client.get("/search/?q=cr-0aaa111").url == page
    assert client.get("/search/", {"q": held[0].arn}).url == page
    assert client.get("/search/?q=arms").url == "/pools/arms/"


def test_nobody_finds_what_they_may_not_see(cast: Cast, held: list[Reservation], logged_in) -> None:
    client = logged_in(cast.outsider)
    for text in ("cr-0aaa111", "7001", "serve-h100", "serving", "cr-0bbb333"):
        response = client.get("/search/", {"q": text})
        assert response.status_code == 200
        assert {"Reservations", "Pools", "Owners", "Pods"} & set(found(response)) == set(), text
    assert found(client.get("/search/?q=cr-0aaa"))["Reservations"] == ["cr-0aaa222"]


def test_where_nothing_is_found_the_page_says_why(cast: Cast, held: list[Reservation], logged_in) -> None:
    assert "Nothing that you may see has this in its name" in logged_in(cast.viewer).get("/search/?q=zzz").text
    assert "nobody has granted you a role" in logged_in(cast.nobody).get("/search/?q=zzz").text
    assert "Type a part of what you look for" in logged_in(cast.viewer).get("/search/?q=+++").text


def test_somebody_without_a_role_finds_words_and_pages(cast: Cast, held: list[Reservation], logged_in) -> None:
    assert set(found(logged_in(cast.nobody).get("/search/?q=idle"))) == {"Words"}


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "'; DROP TABLE x;--", "%", "_", "\\", "a\0b", "=", "{{7*7}}"]
)
def test_what_was_typed_is_looked_for_as_it_is_and_shown_as_text(text: str, cast: Cast, held, logged_in) -> None:
    response = logged_in(cast.analyst).get("/search/", {"q": text})
    assert response.status_code == 200
    assert "<script>alert" not in response.text
    assert "Reservations" not in found(response) or text in {"=", "_"}


def test_a_text_that_is_too_long_is_refused_in_a_sentence(cast: Cast, logged_in) -> None:
    response = logged_in(cast.analyst).get("/search/", {"q": "x" * 201})
    assert response.status_code == 400
    assert "may have 200 characters" in response.text


def test_the_box_stays_filled_and_nothing_is_changed_by_searching(cast: Cast, logged_in) -> None:
    client = logged_in(cast.analyst)
    assert 'value="a &quot;quoted&quot; one"' in client.get("/search/", {"q": 'a "quoted" one'}).text
    assert client.post("/search/", {"q": "x"}).status_code == 405


def test_a_search_through_a_thousand_reservations_asks_few_questions(cast: Cast, logged_in) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    rows = Reservation.objects.bulk_create(
        Reservation(
            external_id=f"cr-{place:017x}",
            arn=f"arn:aws:ec2:us-east-1:111122223333:capacity-reservation/cr-{place:017x}",
            kind="on_demand",
            region="us-east-1",
            shape="p5.48xlarge",
            state="active",
            state_raw="active",
            total_count=1,
            first_seen_at=start,
            last_seen_at=start + timedelta(days=place % 90),
            tags={"team": f"team-{place % 7}"},
        )
        for place in range(1000)
    )
    period = (start, None)
    PoolMembership.objects.bulk_create(
        PoolMembership(pool=cast.pool, reservation=row, period=period) for row in rows[:500]
    )
    client = logged_in(cast.analyst)
    with CaptureQueriesContext(connection) as queries:
        response = client.get("/search/?q=cr-00")
    assert len(found(response)["Reservations"]) == 8
    assert "There are more" in response.text
    assert len(queries) <= MOST_QUERIES
