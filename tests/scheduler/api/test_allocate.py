"""Scenarios over the API: what is answered, what is refused and how, and runs to fetch."""

import json
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from kombu.exceptions import OperationalError

from reservations.domain.tokens import Scope
from reservations.models import User
from scheduler.domain.allocation.scenario import instance_of
from scheduler.domain.policy import ONLINE_LIMITS
from scheduler.models import AllocationRun
from scheduler.services.allocation import allocation_answer, run_allocations, verdict
from scheduler.tasks import run_allocations as task
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import problem, token_of
from tests.scheduler.services.allocation_questions import SMALL, ask, asked, clock, of_the_six

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """What was sent to the workers, instead of sending it."""
    sent: list[dict[str, object]] = []
    monkeypatch.setattr(task, "apply_async", lambda **options: sent.append(options))
    return sent


class Asking:
    """Somebody who asks with a token."""

    def __init__(self, user: User, scopes: tuple[Scope, ...] = (Scope.ALLOCATE,)) -> None:
        self.client = Client()
        self.headers = {"Authorization": f"Bearer {token_of(user, scopes)}"}

    def post(self, body: object, **query: object) -> HttpResponse:
        text = body if isinstance(body, str | bytes) else json.dumps(body)
        address = "/api/v1/allocate" + ("?" + "&".join(f"{name}={value}" for name, value in query.items()))
        return self.client.post(address, text, content_type="application/json", headers=self.headers)

    def get(self, path: str) -> HttpResponse:
        return self.client.get(f"/api/v1/{path}", headers=self.headers)

    def delete(self, path: str) -> HttpResponse:
        return self.client.delete(f"/api/v1/{path}", headers=self.headers)


@pytest.mark.parametrize("query", [{}, {"mode": "fast"}, {"mode": "fifo"}, {"mode": "fast", "certificate": "true"}])
def test_a_scenario_is_answered_with_a_legal_grid_and_its_own_figures(query: dict[str, str], cast: Cast) -> None:
    response = Asking(cast.viewer).post(of_the_six("mixed"), **query)
    assert response.status_code == 200
    result = response.json()
    held = verdict(instance=instance_of(of_the_six("mixed")), result=result)
    assert (held["legal"], held["differences"]) == (True, [])
    assert result["mode"] == query.get("mode", "fast")
    assert (result["bound"] is not None) == ("certificate" in query)


def test_seed_iterations_and_reasons_are_passed_on(cast: Cast) -> None:
    result = Asking(cast.viewer).post(SMALL, seed=5, iterations=3, reasons="true").json()
    assert result["seed"] == 5
    assert all(job["reason"] for job in result["jobs"])


def test_the_file_of_the_command_is_the_body_of_the_call(cast: Cast) -> None:
    written = json.dumps(of_the_six("scale"), indent=2)
    assert Asking(cast.viewer).post(written).json()["objective"] > 0


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "The scenario is not JSON"),
        (b"gpus=8", "The scenario is not JSON"),
        (b"[]", "The scenario is not an object"),
        (b'{"gpus": 8, "gpus": 8}', "twice"),
        (b'{"gpus": NaN}', "NaN"),
        (b'{"a": ' * 50_000, "nested too deep"),
        (b"\xff\xfe", "not text in UTF-8"),
        ({"gpus": 8}, '"steps" is missing'),
        (SMALL | {"steps": 0}, '"steps" is 0'),
        (SMALL | {"gpus": 1_000, "steps": 1_000}, "has 1,000,000 cells, and at most 250,000 are taken"),
        (SMALL | {"gpus": 10**400, "steps": 1}, "at most 250,000 are taken"),
        (SMALL | {"jobs": [{}] * 2001}, "2,001 jobs"),
        (SMALL | {"gpus": 250, "steps": 1000, "jobs": [{}] * 401}, "100,250,000"),
        (SMALL | {"objective": {"realtime_penalty": 11}}, '"realtime_penalty" is 11'),
    ],
)
@pytest.mark.parametrize("mode", ["fifo", "fast", "full"])
def test_what_can_t_be_meant_or_is_too_large_is_refused_in_one_sentence(
    body: Any, sentence: str, mode: str, cast: Cast
) -> None:
    response = Asking(cast.viewer).post(body, mode=mode)
    assert response.status_code == 422
    refused = problem(response)
    assert sentence in refused["detail"]
    assert [error["parameter"] for error in refused["errors"]] == ["scenario"]
    assert not AllocationRun.objects.exists()


def test_a_body_beyond_the_limit_is_refused_by_its_size_before_anybody_reads_it(cast: Cast) -> None:
    response = Asking(cast.viewer).post(b" " * (ONLINE_LIMITS.scenario_bytes + 1))
    assert response.status_code == 413
    assert "4,000,000 bytes" in problem(response)["detail"]


def test_a_search_beyond_the_limit_is_refused(cast: Cast) -> None:
    response = Asking(cast.viewer).post(of_the_six("scale"), iterations=1_000_000)
    assert response.status_code == 422
    assert "1,000,000 iterations × 24 steps × 30 jobs" in problem(response)["detail"]


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ({"mode": "slow"}, "mode"),
        ({"seed": -1}, "seed"),
        ({"iterations": "many"}, "iterations"),
        ({"time_limit": 0}, "time_limit"),
        ({"time_limit": "nan"}, "time_limit"),
        ({"time_limit": 601}, "time_limit"),
        ({"certificate": "perhaps"}, "certificate"),
    ],
)
def test_an_option_that_can_t_be_read_is_told_by_its_name(query: dict[str, object], parameter: str, cast: Cast) -> None:
    response = Asking(cast.viewer).post(SMALL, **query)
    assert response.status_code == 422
    assert [error["parameter"] for error in problem(response)["errors"]] == [parameter]


def test_ids_come_back_as_they_were_sent(cast: Cast) -> None:
    ids = ['a"b', "ü", "日本", "=1+1", "<b>", "\U0001f680"]
    jobs = [{"id": id, "type": "training", "priority": 1, "arrival": 0, "sizes": {"1": 1}} for id in ids]
    result = Asking(cast.viewer).post({"gpus": 8, "steps": 1, "jobs": jobs}).json()
    assert {cell for row in result["grid"] for cell in row} == {*ids, None}


def test_who_has_no_role_and_whose_token_lacks_the_scope_may_not_ask(cast: Cast) -> None:
    nobody = Asking(cast.nobody).post(SMALL)
    assert nobody.status_code == 403
    assert "takes a role" in problem(nobody)["detail"]
    others = tuple(scope for scope in Scope if scope is not Scope.ALLOCATE)
    narrow = Asking(cast.analyst, others).post(SMALL)
    assert narrow.status_code == 403
    assert "allocate" in problem(narrow)["detail"]
    bare = Client().post("/api/v1/allocate", json.dumps(SMALL), content_type="application/json")
    assert bare.status_code == 401


def test_a_browser_that_is_logged_in_must_send_the_token_against_forged_requests(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.viewer, backend="django.contrib.auth.backends.ModelBackend")
    forged = client.post("/api/v1/allocate", json.dumps(SMALL), content_type="application/json")
    assert forged.status_code == 403
    assert "X-CSRFToken" in problem(forged)["detail"]
    client.cookies["csrftoken"] = token = "x" * 32
    headers = {"X-CSRFToken": token}
    meant = client.post("/api/v1/allocate", json.dumps(SMALL), content_type="application/json", headers=headers)
    assert meant.status_code == 200
    number = ask(cast.viewer)
    assert client.delete(f"/api/v1/allocation-runs/{number}").status_code == 403
    assert asked(number).state == "queued"


def test_a_form_s_way_of_sending_it_is_read_as_well(cast: Cast) -> None:
    asking = Asking(cast.viewer)
    sent = asking.client.post(
        "/api/v1/allocate",
        json.dumps(SMALL),
        content_type="application/x-www-form-urlencoded",
        headers=asking.headers,
    )
    assert sent.status_code == 200


def test_full_mode_is_a_run_to_fetch(cast: Cast, told: list[object], django_capture_on_commit_callbacks) -> None:
    asking = Asking(cast.viewer)
    with django_capture_on_commit_callbacks(execute=True):
        response = asking.post(of_the_six("mixed"), mode="full", seed=3, time_limit=12.5)
    assert response.status_code == 202
    queued = response.json()
    assert (queued["state"], queued["seed"], queued["time_limit_seconds"]) == ("queued", 3, 12.5)
    assert response["Location"] == f"/api/v1/allocation-runs/{queued['id']}"
    assert told == [{"retry": False}]
    waiting = asking.get(f"allocation-runs/{queued['id']}").json()
    assert waiting == queued | {"result": None}
    run_allocations(clock=clock)
    done = asking.get(f"allocation-runs/{queued['id']}").json()
    assert (done["state"], done["result"]["proved"]) == ("done", True)
    assert done["value"] == pytest.approx(done["result"]["objective"])
    assert done["result"]["objective"] == pytest.approx(134.294708)
    held = verdict(instance=allocation_answer(scenario=of_the_six("mixed")).instance, result=done["result"])
    assert (held["legal"], held["differences"]) == (True, [])
    (listed,) = asking.get("allocation-runs").json()["rows"]
    assert listed == {name: value for name, value in done.items() if name != "result"}


def test_a_run_is_kept_where_the_queue_cannot_be_reached(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks
) -> None:
    def down(**options: object) -> None:
        raise OperationalError

    monkeypatch.setattr(task, "apply_async", down)
    with django_capture_on_commit_callbacks(execute=True):
        response = Asking(cast.viewer).post(SMALL, mode="full")
    assert response.status_code == 202
    assert asked(response.json()["id"]).state == "queued"


def test_a_fourth_run_is_refused_until_one_of_three_ends_or_is_taken_back(cast: Cast) -> None:
    asking = Asking(cast.viewer)
    numbers = [asking.post(SMALL, mode="full").json()["id"] for _ in range(3)]
    refused = asking.post(SMALL, mode="full")
    assert refused.status_code == 409
    assert "3 runs under way" in problem(refused)["detail"]
    taken_back = asking.delete(f"allocation-runs/{numbers[0]}")
    assert (taken_back.status_code, taken_back.json()["state"]) == (200, "cancelled")
    assert asking.delete(f"allocation-runs/{numbers[0]}").json() == taken_back.json()
    assert asking.post(SMALL, mode="full").status_code == 202


@pytest.mark.parametrize("method", ["get", "delete"])
def test_a_run_of_somebody_else_is_answered_as_one_that_does_not_exist(method: str, cast: Cast) -> None:
    theirs = ask(cast.owner)
    call = getattr(Asking(cast.viewer), method)
    answers = [call(f"allocation-runs/{number}") for number in (theirs, theirs + 1, -1, 0, 2**63, 10**30)]
    assert {answer.status_code for answer in answers} == {404}
    assert len({problem(answer)["detail"] for answer in answers}) == 1
    assert asked(theirs).state == "queued"


def test_a_wrong_method_is_told_what_the_address_takes(cast: Cast) -> None:
    response = Asking(cast.viewer).get("allocate")
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert problem(response)["detail"] == "This address takes POST and nothing else."


def test_the_reference_page_shows_the_call_with_its_body(cast: Cast, logged_in) -> None:
    page = logged_in(cast.viewer).get("/api/v1/docs").content.decode()
    for told in ("POST /api/v1/allocate", "DELETE /api/v1/allocation-runs/{id}", "Its body: A scenario"):
        assert told in page
