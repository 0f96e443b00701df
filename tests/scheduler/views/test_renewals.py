"""The pages of renewals: what they say, to whom, and what people do there."""

import csv
import io
from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from reservations.models import Reservation
from scheduler.models import EndPlan, Renewal, RenewalStep
from scheduler.services.renewals import propose_renewals
from scheduler.views import renewal_actions, renewals
from tests.fixtures.cast import Cast
from tests.reservations.holdings import publish_rule
from tests.scheduler.renewing import DAY, END, NOW, decided, ending_block, proposed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def in_june(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """The pages' clock stands an hour after the proposals."""
    now = NOW + timedelta(hours=2)

    class Clock:
        pass

    Clock.now = staticmethod(lambda: now)
    for module in (renewals, renewal_actions):
        monkeypatch.setattr(module, "timezone", Clock)
    return now


def words(text: str) -> str:
    return " ".join(strip_tags(text.replace("<", " <")).replace("\u202f", " ").split())


def seen(client: Client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status, words(response.content.decode())[:400]
    return words(response.content.decode())


def test_the_list_says_by_when_and_why_and_what_is_left(cast: Cast, logged_in) -> None:
    publish_rule()
    proposed(cast.pool)
    page = seen(logged_in(cast.analyst), "/renewals/")
    for said in (
        "1 of 1 end is undecided: about 230 000 USD for terms as long as the last.",
        "decide by 6 Jun 2026 2 weeks procurement + 3 weeks provider",
        "serve-h100 : 4 × p5.48xlarge end 11 Jul 2026, 11:30 UTC",
        "Still possible: renew, resize, let lapse.",
        "230 400 USD for 60 days",
    ):
        assert said in page, said


def test_money_is_nodes_times_hours_times_price_and_not_for_everybody(cast: Cast, logged_in) -> None:
    proposed(cast.pool)
    assert "230 400 USD for 60 days" in seen(logged_in(cast.analyst), "/renewals/")
    assert 4 * 60 * 24 * 40 == 230_400
    page = seen(logged_in(cast.viewer), "/renewals/")
    assert "USD" not in page
    assert "our role does not include prices" in page


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 2), ("?state=proposed", 1), ("?state=decided", 1), ("?state=executed", 0), ("?owner=serving", 2),
        ("?owner=robotics", 0), ("?within=7", 0), ("?within=90", 2), ("?reservation=999999", 0),
    ],
)  # fmt: skip
def test_filters_stand_in_the_address_and_hold_for_the_files(cast: Cast, logged_in, query: str, count: int) -> None:
    decided(cast.pool)
    ending_block(cast.pool, name="cr-0bbb")
    propose_renewals(as_of=NOW)
    client = logged_in(cast.analyst)
    page = client.get(f"/renewals/{query}").content.decode()
    assert page.count('class="figure"') == count
    answer = client.get(f"/renewals/renewals.csv{query}")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert len(rows) == count
    assert client.get(f"/renewals/renewals.xlsx{query}").status_code == 200


@pytest.mark.parametrize("query", ["?state=sold", "?within=8", "?reservation=x", "?reservation=٣"])
def test_a_filter_that_is_none_is_told_so(cast: Cast, logged_in, query: str) -> None:
    seen(logged_in(cast.analyst), f"/renewals/{query}", 400)


def test_what_was_superseded_is_shown_only_where_it_is_asked_for(cast: Cast, logged_in) -> None:
    one = proposed(cast.pool)
    Reservation.objects.filter(pk=one.reservation_id).update(end_at=END + DAY)
    propose_renewals(as_of=NOW)
    client = logged_in(cast.analyst)
    assert "end 12 Jul 2026" in seen(client, "/renewals/")
    assert "end 11 Jul 2026" not in seen(client, "/renewals/")
    assert f"/renewals/{one.pk}/" in client.get("/renewals/?state=superseded").content.decode()
    assert "The end moved to 12 Jul 2026" in seen(client, f"/renewals/{one.pk}/")


ROLES = ["owner", "borrower", "viewer", "approver", "analyst", "outsider", "nobody"]
SEES = {"owner", "borrower", "viewer", "approver", "analyst"}
DECIDES = {"owner", "approver"}


@pytest.mark.parametrize("name", ROLES)
def test_who_sees_a_renewal_and_who_may_do_something_with_it(cast: Cast, logged_in, name: str) -> None:
    one = proposed(cast.pool)
    client = logged_in(getattr(cast, name))
    assert client.get(f"/renewals/{one.pk}/").status_code == (200 if name in SEES else 404)
    assert ("serve-h100" in seen(client, "/renewals/")) is (name in SEES)
    status = 302 if name in DECIDES else 403 if name in SEES else 404
    for move, said in (
        ("plan", {"at_end": "pause"}), ("decide", {"choice": "lapse"}), ("revise", {"reason": "not yet"})
    ):  # fmt: skip
        assert client.post(f"/renewals/{one.pk}/{move}/", said).status_code == status, move
    assert RenewalStep.objects.filter(renewal=one).count() == (3 if name in DECIDES else 1)
    assert EndPlan.objects.count() == (1 if name in DECIDES else 0)


def test_one_decides_from_the_page_and_it_says_what_stands(cast: Cast, logged_in) -> None:
    publish_rule()
    one, client = proposed(cast.pool), logged_in(cast.approver)
    page = client.get(f"/renewals/{one.pk}/").content.decode()
    assert 'value="2026-09-09T11:30"' in page, "as long as the last term"
    client.post(f"/renewals/{one.pk}/decide/", {"choice": "renew", "until": "2026-07-25T11:30"})
    one.refresh_from_db()
    assert (one.state, one.nodes, one.until_at) == ("decided", 4, END + 14 * DAY)
    page = seen(client, f"/renewals/{one.pk}/")
    for said in (
        "Renew with 4 nodes until 25 Jul 2026, 11:30 UTC.",
        "Nothing follows yet",
        "53 760 USD for 14 days at today's reserved price",
        "approver Decided: renew with 4 nodes until 25 Jul 2026, 11:30 UTC.",
        RenewalStep.objects.get(move="decide").evidence_hash,
    ):
        assert said in page, said
    assert 4 * 14 * 24 * 40 == 53_760


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"choice": "sell"}, "“sell” is no choice."),
        ({"choice": "resize", "nodes": "x", "until": "2026-07-25T11:30"}, "“x” is no number of nodes."),
        ({"choice": "resize", "nodes": "65", "until": "2026-07-25T11:30"}, "65 nodes can't be had so"),
        ({"choice": "renew", "until": "soon"}, "is not an instant"),
        ({"choice": "renew", "until": "2026-07-01T11:30Z"}, "It must go on past its old end"),
        ({"choice": "renew"}, "A block needs an end"),
    ],
)
def test_what_cannot_be_done_is_said_in_the_form_and_nothing_is_kept(
    cast: Cast, logged_in, said: dict[str, str], sentence: str
) -> None:
    one = proposed(cast.pool)
    answer = logged_in(cast.approver).post(f"/renewals/{one.pk}/decide/", said)
    assert answer.status_code == 422
    assert sentence in words(answer.content.decode()).replace("&#x27;", "'")
    assert RenewalStep.objects.count() == 1


def test_a_plan_is_shown_with_its_test_and_an_odd_one_is_refused(cast: Cast, logged_in) -> None:
    one, client = proposed(cast.pool), logged_in(cast.approver)
    plan = {
        "at_end": "fall_back", "fallback": "4 × p5 on demand", "resume_tested_on": "2026-05-02", "resume_test": "passed"
    }  # fmt: skip
    assert client.post(f"/renewals/{one.pk}/plan/", {**plan, "resume_tested_on": "2026-5-2"}).status_code == 422
    assert client.post(f"/renewals/{one.pk}/plan/", {**plan, "fallback": ""}).status_code == 422
    client.post(f"/renewals/{one.pk}/plan/", plan)
    told = "The work falls back to other capacity: 4 × p5 on demand; the last resume test, 2 May 2026, passed."
    assert told in seen(client, f"/renewals/{one.pk}/")


def test_a_move_that_is_none_is_told_so(cast: Cast, logged_in) -> None:
    one = proposed(cast.pool)
    client = logged_in(cast.approver)
    assert client.post(f"/renewals/{one.pk}/sell/").status_code == 404
    assert client.get(f"/renewals/{one.pk}/decide/").status_code == 405
    assert client.get("/renewals/999999/").status_code == 404


def test_without_prices_the_evidence_keeps_its_price_back(cast: Cast, logged_in) -> None:
    one = proposed(cast.pool)
    assert "reserved_node_hour" in logged_in(cast.analyst).get(f"/renewals/{one.pk}/").content.decode()
    page = logged_in(cast.viewer).get(f"/renewals/{one.pk}/").content.decode()
    assert "reserved_node_hour" not in page
    assert "the price is left out" in page


def test_the_reservation_and_the_front_page_lead_to_its_renewal(cast: Cast, logged_in) -> None:
    one = proposed(cast.pool)
    client = logged_in(cast.analyst)
    page = client.get(f"/reservations/{one.reservation_id}/").content.decode()
    assert f"/renewals/?reservation={one.reservation_id}" in page


@pytest.mark.parametrize("many", [1, 30])
def test_pages_ask_as_many_questions_however_many_renewals_there_are(cast: Cast, logged_in, many: int) -> None:
    publish_rule()
    one = decided(cast.pool)
    for place in range(many):
        ending_block(cast.pool, name=f"cr-{place:04}")
    propose_renewals(as_of=NOW)
    assert Renewal.objects.count() == many + 1
    client = logged_in(cast.analyst)
    client.get("/renewals/")
    for address in ("/renewals/", f"/renewals/{one.pk}/", "/renewals/renewals.csv"):
        with CaptureQueriesContext(connection) as asked:
            seen(client, address)
        # A file leaves an event in the trail, which takes three.
        assert len(asked) <= (15 if address.endswith(".csv") else 12), [query["sql"][:120] for query in asked]


def test_an_empty_list_says_why(cast: Cast, logged_in) -> None:
    page = seen(logged_in(cast.analyst), "/renewals/")
    assert "No reservation that you may see ends, or must be decided about, within 90 days." in page
