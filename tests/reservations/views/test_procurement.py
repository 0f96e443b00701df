"""The pages of the procurement rule and of delegations: what they say, and who writes, publishes, lends and ends."""

from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from reservations.models import Delegation, ProcurementRule, RoleGrant
from tests.fixtures.cast import Cast
from tests.scheduler.asking import STEPS, client_of, publish_rule, somebody, submitted

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
FORM = {
    "owner": "serving",
    "reserved_share_of_base_load": "0.85",
    "spot_workloads": "batch, research",
    "procurement_lead_days": "10",
    "block_booking_lead_days": "21",
    "currency": "USD",
    "step_1_up_to": "50000",
    "step_1_role": "analyst",
    "step_2_up_to": "2000000",
    "step_2_role": "approver",
    "step_2_quorum": "2",
    "check_cost_role": "analyst",
    "types": "all",
    "note": "Two approvers from now on.",
}


def words(answer: object) -> str:
    text = answer.content.decode()  # type: ignore[attr-defined]
    return " ".join(strip_tags(text.replace("<", " <")).replace("\u202f", " ").split())


def test_the_rule_is_told_in_plain_words_with_who_may_approve_what(cast: Cast) -> None:
    page = words(client_of(cast.viewer).get("/procurement/"))
    assert "No procurement rule has been written yet" in page
    publish_rule(cast)
    page = words(client_of(cast.viewer).get("/procurement/"))
    for part in (
        "Procurement rule, version 1",
        "in force",
        "We reserve 90.0 % of the base load.",
        "Above 1 000 000 USD nobody has the authority",
        "Step 1 up to 100 000 USD one analyst",
    ):
        assert part in page, part
    assert "Draft the next version" not in page
    assert client_of(cast.viewer).get("/procurement/7/").status_code == 404
    assert client_of(cast.nobody).get("/procurement/").status_code == 403


def test_a_version_is_drafted_by_one_published_by_another_and_never_changed_again(cast: Cast) -> None:
    publish_rule(cast)
    writes, publishes = client_of(cast.approver), client_of(somebody("publisher", "approver"))
    assert "0.9" in writes.get("/procurement/draft/").content.decode()
    answer = writes.post("/procurement/draft/", FORM)
    assert answer.headers["Location"] == "/procurement/2/"
    kept = ProcurementRule.objects.get(version=2).document
    assert kept["steps"] == [
        {"up_to": "50000", "role": "analyst"},
        {"up_to": "2000000", "role": "approver", "quorum": 2},
    ]
    assert "You wrote this version" in words(writes.get("/procurement/2/"))
    refused = writes.post("/procurement/2/publish/")
    assert refused.status_code == 409
    assert ProcurementRule.objects.get(version=2).status == "draft"
    assert 'value="2000000"' in publishes.get("/procurement/2/draft/").content.decode()
    for _ in range(2):
        assert publishes.post("/procurement/2/publish/").status_code == 302
    assert "in force" in words(publishes.get("/procurement/2/"))
    assert publishes.post("/procurement/2/draft/", FORM).status_code == 409
    assert client_of(cast.owner).get("/procurement/draft/").status_code == 403


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("step_1_up_to", "3000000", "Each approval step must go higher than the one before it."),
        ("step_1_up_to", "50,000", "must be a number from 0 to"),
        ("procurement_lead_days", "two weeks", "must be whole days"),
        ("owner", "nobody", "There is no team “nobody”."),
        ("effective_from", "tomorrow", "“tomorrow” is not a day"),
        ("step_2_quorum", "ten", "A step is approved by 1 to 9 people"),
    ],
)
def test_a_draft_that_says_no_rule_is_refused_in_one_sentence_and_shown_again(
    cast: Cast, field: str, text: str, sentence: str
) -> None:
    answer = client_of(cast.approver).post("/procurement/draft/", {**FORM, field: text})
    assert answer.status_code == 422
    assert sentence in words(answer)
    assert "Two approvers from now on." in answer.content.decode()
    assert not ProcurementRule.objects.exists()


def test_types_of_exception_that_are_chosen_are_kept_and_read_back(cast: Cast) -> None:
    said = {**FORM, "types": "some", "type_over_rule": "", "type_emergency": "admin"}
    client = client_of(cast.approver)
    assert client.post("/procurement/draft/", {**said, "type_late": "no"}).status_code == 302
    kept = ProcurementRule.objects.get().document["exception_types"]
    assert kept == [{"type": "over_rule", "roles": []}, {"type": "emergency", "roles": ["admin"]}]
    page = client.get("/procurement/1/draft/").content.decode()
    assert 'id="types-some" name="types" value="some" checked' in page
    assert '<option value="admin" selected>and one admin' in page


def test_authority_is_lent_once_named_when_it_is_used_and_ended_by_who_lent_it(cast: Cast) -> None:
    publish_rule(cast, steps=STEPS[1:])
    lends, stands_in = client_of(cast.approver), somebody("stand-in", "operator")
    today = timezone.now().date()
    said = {
        "delegate": "stand-in",
        "start": today.isoformat(),
        "end": (today + timedelta(days=5)).isoformat(),
        "up_to": "500000",
        "reason": "On leave.",
        "key": "7f2b8c9e-0d51-4a4e-9a55-3b6f0c1d2e3f",
    }
    refused = lends.post("/delegations/", {**said, "up_to": "2,000"})
    assert refused.status_code == 422
    assert "is not an amount" in words(refused)
    assert "Your own authority goes to" in words(lends.post("/delegations/", {**said, "up_to": "9000000"}))
    assert "Nobody logs in as “ghost”." in words(lends.post("/delegations/", {**said, "delegate": "ghost"}))
    for _ in range(2):
        assert lends.post("/delegations/", said).status_code == 302
    lent = Delegation.objects.get()
    pk = submitted(client_of(cast.owner))
    page = words(client_of(stands_in).get("/exceptions/"))
    assert "acting for approver" in page
    assert "Approve 4 nodes until 1 Jun 2027 for approver" in words(client_of(stands_in).get(f"/exceptions/{pk}/"))
    assert client_of(cast.outsider).post(f"/delegations/{lent.pk}/end/").status_code == 404
    assert "stand-in" not in words(client_of(cast.outsider).get("/delegations/"))
    assert client_of(stands_in).post(f"/delegations/{lent.pk}/end/").status_code == 422
    assert lends.post(f"/delegations/{lent.pk}/end/").status_code == 302
    assert "acting for" not in words(client_of(stands_in).get("/exceptions/"))
    RoleGrant.objects.filter(user=cast.approver).delete()
    assert "None of the rule’s steps is yours" in words(client_of(stands_in).get("/delegations/"))
