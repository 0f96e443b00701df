"""The pages of requests for exceptions: what they say to whom, what people do there, and what is refused."""

import csv
import io
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from reservations.models import ExceptionApproval, ExceptionAttachment, ExceptionMove, ExceptionRequest, RoleGrant, User
from tests.fixtures.cast import Cast
from tests.scheduler.asking import (
    SAID,
    begun,
    client_of,
    decide,
    newest,
    publish_rule,
    seen,
    somebody,
    state,
    submitted,
    words,
    written,
)

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def rule(cast: Cast) -> Cast:
    publish_rule(cast)
    return cast


def test_a_new_request_shows_the_rules_numbers_and_begins_once_however_often_it_is_sent(rule: Cast) -> None:
    asks = client_of(rule.owner)
    page = seen(asks, "/exceptions/new/?pool=serve-h100&nodes=4")
    assert "The rule’s size" in page
    assert "4 nodes" in page
    assert "Begin a draft of 4 nodes" in page
    key = str(uuid4())
    first, second = (asks.post("/exceptions/new/", {"pool": "serve-h100", "nodes": "4", "key": key}) for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    assert ExceptionRequest.objects.count() == 1
    assert newest(int(first.headers["Location"].split("/")[2])).typed["nodes"] == "4"
    assert "is not a size" in seen(asks, "/exceptions/new/?pool=serve-h100&nodes=4.5", 422)
    assert "No such pool" in seen(asks, "/exceptions/new/?pool=arms", 404)
    assert "None of your roles lets you ask" in seen(client_of(rule.viewer), "/exceptions/new/")


def test_a_draft_is_saved_while_it_is_typed_and_never_over_what_was_saved_elsewhere(rule: Cast) -> None:
    asks = client_of(rule.owner)
    pk = begun(asks)
    saves = newest(pk).saves
    answer = asks.post(f"/exceptions/{pk}/autosave/", {**SAID, "saves": saves})
    assert "Saved at" in answer.content.decode()
    assert f'name="saves" id="saves" value="{saves + 1}"' in answer.content.decode()
    assert newest(pk).typed["reason"] == SAID["reason"]
    lost = asks.post(f"/exceptions/{pk}/autosave/", {**SAID, "reason": "Another one, elsewhere.", "saves": saves})
    assert "Not saved: This draft was saved by owner in another window meanwhile" in lost.content.decode()
    page = asks.post(f"/exceptions/{pk}/draft/", {**SAID, "reason": "Another one.", "saves": saves, "do": "save"})
    assert page.status_code == 422
    assert "Another one." in page.content.decode()
    assert newest(pk).typed["reason"] == SAID["reason"]


def test_the_type_decides_what_is_asked_besides_with_scripts_and_without(rule: Cast) -> None:
    asks = client_of(rule.owner)
    assert "Why was it not asked for in time?" in seen(asks, "/exceptions/questions/?kind=late")
    assert seen(asks, "/exceptions/questions/?kind=no-such") == ""
    pk = begun(asks)
    sent = {**SAID, "kind": "late", "saves": newest(pk).saves, "do": "questions"}
    answer = asks.post(f"/exceptions/{pk}/draft/", sent, follow=True)
    assert "Why was it not asked for in time?" in words(answer.content.decode())


@pytest.mark.parametrize(
    ("field", "text", "sentence"),
    [
        ("amount", "1,250,000 USD", "is not an amount: write digits and a point, without commas or a currency"),
        ("term_end", "2027-03-01", "The end must lie after the start"),
        ("nodes", "four", "is not a size: write whole nodes"),
        ("reason", "too short", "Say in at least 20 characters"),
        ("reason", "x" * 300_000, "attach what is longer as a file"),
        ("currency", "dollars", "is not a currency"),
        ("kind", "", "Choose in what it departs from the rule."),
        ("answer_demand_ahead", "", "Answer this as well"),
    ],
)
def test_what_can_not_be_read_is_told_beside_its_field_and_nothing_is_asked_of_anybody(
    rule: Cast, field: str, text: str, sentence: str
) -> None:
    asks = client_of(rule.owner)
    pk = begun(asks)
    sent = {**SAID, field: text, "saves": str(newest(pk).saves), "do": "preview"}
    page = asks.post(f"/exceptions/{pk}/draft/", sent, follow=True)
    said = words(page.content.decode())
    assert sentence in said, said[:2000]
    assert page.status_code == 422
    assert state(pk) == "draft"
    refused = asks.post(f"/exceptions/{pk}/submit/", {"saves": newest(pk).saves, "key": str(uuid4())})
    assert refused.status_code == 422


def test_files_are_taken_by_what_they_hold_kept_with_the_draft_and_only_ever_downloaded(rule: Cast) -> None:
    asks = client_of(rule.owner)
    pk = begun(asks)

    def attach(name: str, content: bytes) -> object:
        sent = {**SAID, "saves": newest(pk).saves, "do": "attach", "file": SimpleUploadedFile(name, content)}
        return asks.post(f"/exceptions/{pk}/draft/", sent, follow=True)

    assert "This kind of file is not taken" in words(attach("run.html", SCRIPT.encode()).content.decode())
    assert "content is not what its name says" in words(attach("a.png", b"%PDF-1.7 x").content.decode())
    assert "plan.pdf" in attach("../../plan.pdf", b"%PDF-1.7 x").content.decode()
    kept = ExceptionAttachment.objects.get()
    got = asks.get(f"/exceptions/{pk}/files/{kept.pk}/")
    assert got.content == b"%PDF-1.7 x"
    assert got.headers["Content-Disposition"] == 'attachment; filename="plan.pdf"'
    assert "sandbox" in got.headers["Content-Security-Policy"]
    assert asks.get(f"/exceptions/{pk}/files/{kept.pk + 1}/").status_code == 404
    assert client_of(rule.outsider).get(f"/exceptions/{pk}/files/{kept.pk}/").status_code == 404
    asks.post(f"/exceptions/{pk}/draft/", {**SAID, "saves": newest(pk).saves, "remove": kept.pk})
    assert not ExceptionAttachment.objects.exists()


def test_the_preview_says_what_the_approver_will_read_and_who_will_be_asked(rule: Cast) -> None:
    asks = client_of(rule.owner)
    pk = begun(asks)
    written(asks, pk, reason=f"{SAID['reason']} {SCRIPT}")
    page = asks.get(f"/exceptions/{pk}/preview/").content.decode()
    assert SCRIPT not in page
    said = words(page)
    for part in ("serve-h100: 4 nodes until 1 Jun 2027", "240 000 USD", "Who will be asked", "analyst", "approver"):
        assert part in said, part
    assert "Submit it to 2 steps of approval" in said
    RoleGrant.objects.filter(role="approver").delete()
    assert "Nobody holds the role approver" in seen(asks, f"/exceptions/{pk}/preview/")


def test_a_request_goes_from_hand_to_hand_until_it_is_bought_each_time_by_another_person(rule: Cast) -> None:
    buys = somebody("buys", "operator")
    RoleGrant.objects.create(user=rule.approver, role="operator", team=None)
    asks, checks, approves = (client_of(one) for one in (rule.owner, rule.analyst, rule.approver))
    pk = submitted(asks)
    assert "needs the role analyst" in seen(approves, f"/exceptions/{pk}/")
    assert f"/exceptions/{pk}/" in checks.get("/exceptions/").content.decode()
    assert decide(checks, pk, "approve").status_code == 302
    page = seen(approves, f"/exceptions/{pk}/")
    assert "Approve 4 nodes until 1 Jun 2027" in page
    key = str(uuid4())
    for _ in range(2):
        sent = {"condition_1": "Lend what is idle", "due_1": "2099-01-01", "key": key}
        assert decide(approves, pk, "approve-with-conditions", **sent).status_code == 302
    assert (state(pk), ExceptionApproval.objects.count()) == ("approved", 2)
    refused = decide(approves, pk, "execute")
    assert refused.status_code == 409
    assert "You approved a step of it" in words(refused.content.decode())
    assert decide(client_of(buys), pk, "execute").status_code == 302
    page = seen(asks, f"/exceptions/{pk}/")
    for part in ("executed", "Lend what is idle", "due 1 Jan 2099", "What happened", "approver", "buys"):
        assert part in page, part
    condition = ExceptionRequest.objects.get(pk=pk).conditions.get()
    assert decide(asks, pk, "meet-condition", condition=str(condition.pk), note="Lent since May.").status_code == 302
    assert "Lent since May." in seen(asks, f"/exceptions/{pk}/")


def test_nobody_approves_what_they_asked_for_whatever_they_are_and_the_page_says_so(rule: Cast) -> None:
    boss = User.objects.create_superuser("boss", password="a long enough one")
    RoleGrant.objects.create(user=boss, role="analyst", team=None)
    RoleGrant.objects.create(user=boss, role="approver", team=None)
    asks = client_of(boss)
    pk = submitted(asks)
    assert "You asked for it, so you can’t approve it as well." in seen(asks, f"/exceptions/{pk}/")
    refused = decide(asks, pk, "approve")
    assert refused.status_code == 409
    assert "You asked for it" in words(refused.content.decode())
    assert not ExceptionApproval.objects.exists()


def test_what_was_changed_meanwhile_is_not_approved_and_a_reason_is_needed_to_turn_down(rule: Cast) -> None:
    asks, checks = client_of(rule.owner), client_of(rule.analyst)
    pk = submitted(asks)
    stale = newest(pk).content_hash
    assert decide(checks, pk, "return").status_code == 409
    assert decide(checks, pk, "return", reason="Which launch?").status_code == 302
    assert "Which launch?" in seen(asks, f"/exceptions/{pk}/")
    assert decide(asks, pk, "revise").headers["Location"] == f"/exceptions/{pk}/draft/"
    written(asks, pk, nodes="6", amount="360000.00")
    asks.post(f"/exceptions/{pk}/submit/", {"saves": newest(pk).saves, "key": str(uuid4())})
    refused = decide(checks, pk, "approve", content_hash=stale)
    assert refused.status_code == 409
    page = seen(asks, f"/exceptions/{pk}/")
    assert "the size, the amount" in page
    assert decide(checks, pk, "approve").status_code == 302
    assert decide(client_of(rule.approver), pk, "reject", reason="Not this year.").status_code == 302
    assert state(pk) == "rejected"
    assert ExceptionMove.objects.filter(request_id=pk, move="reject").count() == 1


def test_a_request_is_seen_by_its_teams_alone_and_moved_by_post_alone(rule: Cast) -> None:
    pk = submitted(client_of(rule.owner))
    foreign = client_of(rule.outsider)
    for address in (f"/exceptions/{pk}/", f"/exceptions/{pk}/draft/", f"/exceptions/{pk}/preview/"):
        assert foreign.get(address).status_code == 404, address
    for move in ("approve", "withdraw", "revise", "execute", "submit", "autosave", "draft"):
        assert foreign.post(f"/exceptions/{pk}/{move}/", {}).status_code == 404, move
    assert client_of(rule.analyst).get(f"/exceptions/{pk}/approve/").status_code == 405
    assert client_of(rule.analyst).post(f"/exceptions/{pk}/no-such/", {}).status_code == 404
    assert client_of(rule.analyst).get("/exceptions/99999999999999999999/").status_code == 404
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(rule.analyst, backend=BACKEND)
    assert strict.post(f"/exceptions/{pk}/approve/", {}).status_code == 403


def test_a_page_makes_no_more_queries_the_more_requests_there_are(rule: Cast) -> None:
    asks, checks = client_of(rule.owner), client_of(rule.analyst)
    pks = [submitted(asks) for _ in range(3)]
    for address, most in (("/exceptions/", 12), ("/exceptions/waiting/", 12), (f"/exceptions/{pks[0]}/", 18)):
        with CaptureQueriesContext(connection) as queries:
            assert checks.get(address).status_code == 200
        assert len(queries) <= most, (address, "\n".join(query["sql"][:120] for query in queries))


def test_the_list_narrows_by_its_address_and_its_files_have_the_same_rows(rule: Cast) -> None:
    asks, checks = client_of(rule.owner), client_of(rule.analyst)
    assert "Nothing waits for your decision." in seen(checks, "/exceptions/")
    assert "Nobody has asked for an exception" in seen(checks, "/exceptions/")
    one, other = submitted(asks), begun(asks)
    page = seen(checks, "/exceptions/?state=submitted")
    assert f"request {one}" in page
    assert f"request {other}" not in page
    assert "No request is as you asked." in seen(checks, "/exceptions/?by=me")
    assert "is no state" in seen(checks, "/exceptions/?state=lost", 400)
    text = checks.get("/exceptions/exceptions.csv?state=submitted").content.decode("utf-8-sig")
    rows = [row for row in csv.reader(io.StringIO(text)) if str(one) in row]
    assert len(rows) == 1
    assert {"240000", "owner", "true"} <= {cell.lower() for cell in rows[0]}, rows
    assert checks.get("/exceptions/exceptions.xlsx").status_code == 200
    assert checks.get("/exceptions/exceptions.pdf").status_code == 404
    assert seen(checks, "/exceptions/waiting/") == "1 waiting for you"
    assert seen(asks, "/exceptions/waiting/") == ""
