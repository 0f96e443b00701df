"""What follows a decision: purchases and outcomes, emergencies, who left, and the way from a recommendation."""

from uuid import uuid4

import pytest

from reservations.models import ExceptionRequest, User
from tests.fixtures.cast import Cast
from tests.scheduler.asking import client_of, decide, newest, publish_rule, seen, somebody, submitted, words
from tests.scheduler.recommended import recommended

pytestmark = pytest.mark.django_db


@pytest.fixture
def rule(cast: Cast) -> Cast:
    publish_rule(cast)
    return cast


def test_what_was_bought_stands_beside_what_was_approved_and_the_claim_beside_the_ledger(rule: Cast) -> None:
    asks, buys = client_of(rule.owner), client_of(somebody("buys", "operator"))
    assert "Nothing was approved yet" in seen(asks, "/exceptions/purchases/")
    pk = submitted(asks, term_start="2026-01-05", term_end="2026-03-05")
    assert asks.get(f"/exceptions/{pk}/outcome/").status_code == 404
    for person in (rule.analyst, rule.approver):
        assert decide(client_of(person), pk, "approve").status_code == 302
    assert decide(buys, pk, "execute").status_code == 302
    page = seen(asks, "/exceptions/purchases/?fate=approved_not_bought")
    assert f"request {pk} : 4 × p5.48xlarge, 5 Jan 2026 → 5 Mar 2026" in page
    assert "None has this fate." in seen(asks, "/exceptions/purchases/?fate=unapproved_purchase")
    assert "is no such fate" in seen(asks, "/exceptions/purchases/?fate=lost", 400)
    assert "approved_not_bought,serve-h100" in asks.get("/exceptions/purchases.csv").content.decode()
    assert "Nothing was approved yet" in seen(client_of(rule.outsider), "/exceptions/purchases/")
    assert "which your role does not include" in seen(client_of(rule.viewer), "/exceptions/purchases/")
    assert "What became of request" in seen(asks, f"/exceptions/{pk}/outcome/")
    assert client_of(rule.outsider).get(f"/exceptions/{pk}/outcome/").status_code == 404


def test_a_recommendation_leads_to_one_draft_with_its_reason_however_often_it_is_sent(rule: Cast) -> None:
    advice = recommended(rule.pool)
    asks, key = client_of(rule.owner), str(uuid4())
    sent = {"reason": "Growth is signed for May.", "key": key}
    first, second = (asks.post(f"/recommendations/{advice.pk}/exception/", sent) for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    kept = ExceptionRequest.objects.get()
    assert first.headers["Location"] == f"/exceptions/{kept.pk}/draft/"
    assert newest(kept.pk).typed["reason"] == "Growth is signed for May."
    assert "See the requests about serve-h100" in seen(asks, f"/recommendations/{advice.pk}/")


def test_who_left_is_told_and_an_emergency_is_signed_off_by_another(rule: Cast) -> None:
    also = somebody("also", "approver")
    asks, first, second = client_of(rule.owner), client_of(rule.approver), client_of(also)
    pk = submitted(asks, kind="emergency", answer_incident="A rack was lost at noon.")
    assert decide(first, pk, "break-glass").status_code == 409
    assert decide(first, pk, "break-glass", reason="Serving stands still.").status_code == 302
    assert "A second sign-off is due by" in seen(asks, f"/exceptions/{pk}/")
    assert "second sign-off of an emergency" in seen(second, "/exceptions/")
    assert decide(first, pk, "sign-off", verdict="agree").status_code == 409
    assert decide(second, pk, "sign-off", verdict="perhaps").status_code == 409
    assert decide(second, pk, "sign-off", verdict="agree").status_code == 302
    assert "agreed by also" in seen(asks, f"/exceptions/{pk}/")
    other = submitted(asks)
    User.objects.filter(pk=rule.owner.pk).update(is_active=False)
    refused = decide(client_of(rule.analyst), other, "approve")
    assert refused.status_code == 409
    assert "owner, who asked for it, has left: return it" in words(refused.content.decode())
    assert decide(client_of(rule.analyst), other, "return", reason="Who takes it over?").status_code == 302
