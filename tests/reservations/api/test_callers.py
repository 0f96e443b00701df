"""What opens a call and what does not: tokens, log-ins, scopes, and what a refusal gives away."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from config.api import api
from reservations.domain.tokens import PREFIX, Scope
from reservations.models import AccessToken, RoleGrant
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import Caller, problem, token_of

pytestmark = pytest.mark.django_db

CALLS = {
    Scope.READ_USAGE: ("usage", {"month": "2026-03"}),
    Scope.READ_RESERVATIONS: ("reservations", {}),
    Scope.READ_POOLS: ("pools", {}),
    Scope.READ_HEALTH: ("health", {}),
    Scope.ALLOCATE: ("allocation-runs", {}),
    Scope.JOBS: ("jobs", {}),
}


@pytest.mark.parametrize("scope", Scope)
def test_a_token_opens_what_its_scopes_name_and_nothing_else(scope: Scope, cast: Cast) -> None:
    caller = Caller(token_of(cast.analyst, [scope]))
    for needed, (path, query) in CALLS.items():
        response = caller.get(path, **query)
        assert response.status_code == (200 if needed is scope else 403)
        if needed is not scope:
            assert needed.value in problem(response)["detail"]


def test_every_token_that_does_not_open_is_refused_in_the_same_words(cast: Cast) -> None:
    now = timezone.now()
    expired = token_of(cast.analyst, at=now - timedelta(days=31))
    revoked = token_of(cast.analyst)
    AccessToken.objects.filter(prefix=revoked[:14]).update(revoked_at=now)
    gone = token_of(cast.viewer)
    cast.viewer.is_active = False
    cast.viewer.save()
    unknown = PREFIX + "0" * 64
    answers = [
        Caller(secret).get("pools")
        for secret in (expired, revoked, gone, unknown, "no token of ours", "", "\u00e9", "x" * 5000)
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert {answer["WWW-Authenticate"] for answer in answers} == {'Bearer realm="moorage"'}
    assert len({answer.content for answer in answers}) == 1
    problem(answers[0])


def test_who_says_nothing_is_told_how_to_say_who_they_are_and_is_not_sent_to_the_log_in_page(cast: Cast) -> None:
    for path in ("pools", "usage", "reservations", "reservations/cr-1", "pools/x", "pools/x/months/2026-03", "health"):
        response = Caller(None).get(path)
        assert response.status_code == 401
        assert "Bearer" in problem(response)["detail"]
    assert Caller(None).get("openapi.json").status_code == 401


def test_a_log_in_opens_every_call_and_a_bad_token_beside_it_none(cast: Cast, logged_in) -> None:
    client: Client = logged_in(cast.owner)
    for path, query in CALLS.values():
        assert client.get(f"/api/v1/{path}", query).status_code == 200
        refused = client.get(f"/api/v1/{path}", query, headers={"Authorization": f"Bearer {PREFIX}{'0' * 64}"})
        assert refused.status_code == 401
        assert client.get(f"/api/v1/{path}", query, headers={"Authorization": "Basic eDp5"}).status_code == 401


def test_a_token_never_sees_more_than_its_person(cast: Cast) -> None:
    assert [row["name"] for row in Caller(token_of(cast.outsider)).get("pools").json()["rows"]] == ["arms"]
    assert [row["name"] for row in Caller(token_of(cast.analyst)).get("pools").json()["rows"]] == ["arms", "serve-h100"]
    assert Caller(token_of(cast.nobody)).get("pools").json()["rows"] == []


def test_a_token_loses_what_its_person_loses(cast: Cast) -> None:
    caller = Caller(token_of(cast.owner))
    assert caller.get("pools/serve-h100").status_code == 200
    RoleGrant.objects.filter(user=cast.owner).delete()
    assert caller.get("pools/serve-h100").status_code == 404


def test_the_last_use_is_noted_once_in_ten_minutes(cast: Cast) -> None:
    caller = Caller(token_of(cast.analyst))
    caller.get("pools")
    token = AccessToken.objects.get()
    first = token.last_used_at
    assert first is not None
    caller.get("pools")
    token.refresh_from_db()
    assert token.last_used_at == first
    AccessToken.objects.update(last_used_at=first - timedelta(minutes=11))
    caller.get("pools")
    token.refresh_from_db()
    assert token.last_used_at >= first


def test_who_calls_too_often_is_told_to_wait(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    monkeypatch.setattr(api.throttle, "num_requests", 3)
    first, second = Caller(token_of(cast.analyst)), Caller(token_of(cast.analyst))
    assert [caller.get("pools").status_code for caller in (first, second, first, second)] == [200, 200, 200, 429]
    refused = first.get("pools")
    assert int(refused["Retry-After"]) > 0
    problem(refused)
    assert Caller(token_of(cast.viewer)).get("pools").status_code == 200
    cache.clear()


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_nothing_can_be_changed_here(method: str, cast: Cast) -> None:
    response = getattr(Client(), method)("/api/v1/pools", headers={"Authorization": f"Bearer {token_of(cast.analyst)}"})
    assert response.status_code == 405
    assert response["Allow"] == "GET"
    problem(response)


@pytest.mark.parametrize("path", ["", "nothing", "pool", "usage/x", "../admin/x", "%00"])
def test_an_address_with_nothing_behind_it_is_a_problem_in_json(path: str, cast: Cast) -> None:
    response = Caller(token_of(cast.analyst)).get(path)
    assert response.status_code == 404
    problem(response)


def test_what_breaks_on_our_side_is_logged_and_not_shown(cast: Cast, monkeypatch, caplog) -> None:
    def broken(person: object) -> None:
        raise RuntimeError("the secret inside")

    monkeypatch.setattr("reservations.api.pools.visible_pools", broken)
    response = Caller(token_of(cast.analyst)).get("pools")
    assert response.status_code == 500
    assert "secret" not in response.content.decode()
    problem(response)
    assert "the secret inside" in caplog.text


def test_a_secret_is_in_no_log_line(cast: Cast, caplog) -> None:
    secret = token_of(cast.analyst)
    for path in ("pools", "nothing", "usage"):
        Caller(secret).get(path)
    assert secret not in caplog.text
