"""Requests through the API: what a caller may see, and decisions only with a person's token made for that."""

import json
from typing import Any

import pytest
from django.test import Client

from reservations.domain.tokens import Scope
from reservations.models import ExceptionRequest, User
from tests.reservations.api.calling import token_of
from tests.reservations.asked import Desk, desk, newest
from tests.scheduler.demanded import worked_month

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_desk(db: None) -> Desk:
    return desk()


def send(person: User, path: str, body: dict[str, Any], *scopes: Scope) -> tuple[int, dict[str, Any]]:
    answer = Client().post(
        f"/api/v1{path}",
        json.dumps(body),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token_of(person, scopes)}"},
    )
    return answer.status_code, answer.json()


def get(person: User, path: str) -> tuple[int, dict[str, Any]]:
    answer = Client().get(
        f"/api/v1{path}", headers={"Authorization": f"Bearer {token_of(person, [Scope.READ_EXCEPTIONS])}"}
    )
    return answer.status_code, answer.json()


def test_a_list_holds_what_a_caller_may_see_and_one_comes_whole(at_desk: Desk) -> None:
    request_id = at_desk.submit()

    assert get(at_desk.asks, "/exceptions")[1]["total"] == 1
    assert get(at_desk.outsider, "/exceptions")[1]["total"] == 0
    assert get(at_desk.outsider, f"/exceptions/{request_id}")[0] == 404
    status, whole = get(at_desk.asks, f"/exceptions/{request_id}")
    assert (status, whole["waiting_for"], whole["amount"]) == (200, ["analyst"], 400000)
    assert [one["move"] for one in whole["trail"]] == ["draft", "submit"]
    assert get(at_desk.asks, "/procurement-rule")[1]["rows"][0]["in_force"]


def test_a_decision_needs_the_scope_of_its_own_and_never_a_log_in(at_desk: Desk, client: Client) -> None:
    request_id = at_desk.submit()
    ExceptionRequest.objects.update(decide_by=None)  # the API decides now, long after the day of the desk
    body = {"content_hash": newest(request_id).content_hash}
    path = f"/exceptions/{request_id}/approve"

    assert send(at_desk.checks, path, body, Scope.READ_EXCEPTIONS, Scope.REQUEST_EXCEPTIONS)[0] == 403
    client.force_login(at_desk.checks, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(f"/api/v1{path}", json.dumps(body), content_type="application/json").status_code == 401
    assert ExceptionRequest.objects.get().state == "submitted"
    status, told = send(at_desk.checks, path, body, Scope.APPROVE_EXCEPTIONS)
    assert (status, told["waiting_for"]) == (200, ["approver"])
    assert told["steps"][0]["approvals"][0]["by"] == "checks"


def test_a_token_gives_nobody_a_second_part(at_desk: Desk) -> None:
    request_id = at_desk.submit()
    body = {"content_hash": newest(request_id).content_hash, "reason": "No."}

    status, problem = send(at_desk.asks, f"/exceptions/{request_id}/approve", body, Scope.APPROVE_EXCEPTIONS)
    assert (status, problem["title"]) == (422, "Unprocessable Entity")
    assert send(at_desk.asks, f"/exceptions/{request_id}/reject", body, Scope.APPROVE_EXCEPTIONS)[0] == 422
    assert send(at_desk.checks, f"/exceptions/{request_id}/return", body, Scope.APPROVE_EXCEPTIONS)[0] == 200
    assert ExceptionRequest.objects.get().state == "returned"


def test_a_draft_is_made_and_submitted_and_its_faults_are_told_by_field(at_desk: Desk) -> None:
    worked_month(at_desk.pool)
    said = {"nodes": "4", "amount": "4,000", "currency": "USD"}
    status, draft = send(at_desk.asks, "/exceptions", {"pool": "serve-h100", "fields": said}, Scope.REQUEST_EXCEPTIONS)
    assert (status, draft["state"], draft["typed"]["nodes"]) == (200, "draft", "4")

    status, problem = send(at_desk.asks, f"/exceptions/{draft['id']}/submit", {}, Scope.REQUEST_EXCEPTIONS)
    assert status == 422
    assert problem["errors"][0]["parameter"] in ("reason", "consequence", "amount", "answer_basis")
    assert send(at_desk.asks, "/exceptions", {"pool": "nowhere"}, Scope.REQUEST_EXCEPTIONS)[0] == 422
    assert send(at_desk.outsider, "/exceptions", {"pool": "serve-h100"}, Scope.REQUEST_EXCEPTIONS)[0] == 422
