"""Tokens on a person's own page: the secret is shown once, to its person, and only by POST."""

import re

import pytest
from django.test import Client

from reservations.domain.tokens import PREFIX
from reservations.models import AccessToken
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import Caller, token_of

pytestmark = pytest.mark.django_db

ASKED = {"name": "nightly <export>", "scopes": ["read:usage", "read:pools"], "life": "30"}
SECRET = re.compile(rf"{PREFIX}[0-9a-f]{{64}}")


def test_a_token_is_made_and_its_secret_shown_this_once(cast: Cast, logged_in) -> None:
    client: Client = logged_in(cast.owner)
    made = client.post("/me/tokens/", ASKED)
    assert made.status_code == 201
    assert "no-store" in made["Cache-Control"]
    (secret,) = set(SECRET.findall(made.content.decode()))
    assert Caller(secret).get("pools").status_code == 200
    assert Caller(secret).get("health").status_code == 403
    for address in ("/me/", "/me/tokens/"):
        page = client.get(address).content.decode()
        assert secret not in page
        assert secret[:14] in page
        assert "nightly &lt;export&gt;" in page


def test_a_token_is_revoked_by_its_person_alone(cast: Cast, logged_in) -> None:
    secret = token_of(cast.owner)
    token = AccessToken.objects.get()
    assert logged_in(cast.analyst).post(f"/me/tokens/{token.pk}/revoke/").status_code == 404
    assert Caller(secret).get("pools").status_code == 200
    client = logged_in(cast.owner)
    assert client.get(f"/me/tokens/{token.pk}/revoke/").status_code == 405
    assert client.post(f"/me/tokens/{token.pk}/revoke/", follow=True).status_code == 200
    assert Caller(secret).get("pools").status_code == 401


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": ""}, "This field is required"),
        ({"name": "x" * 81}, "at most 80 characters"),
        ({"name": "a\0b"}, "Null characters are not allowed"),
        ({"scopes": []}, "Choose what it may be used for."),
        ({"scopes": ["read:everything"]}, "is not one of the available choices"),
        ({"life": "9999"}, "is not one of the available choices"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(change: dict[str, object], said: str, cast: Cast, logged_in) -> None:
    response = logged_in(cast.owner).post("/me/tokens/", ASKED | change)
    assert response.status_code == 400
    assert said in response.content.decode()
    assert not AccessToken.objects.exists()


def test_without_the_form_of_our_own_page_nothing_is_made(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.owner, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/me/tokens/", ASKED).status_code == 403
    assert not AccessToken.objects.exists()


def test_a_stranger_is_sent_to_the_log_in_page(client: Client, db: None) -> None:
    assert client.get("/me/tokens/").status_code == 302
    assert client.post("/me/tokens/", ASKED).status_code == 302


def test_the_reference_explains_every_call(cast: Cast, logged_in) -> None:
    page = logged_in(cast.nobody).get("/api/v1/docs").content.decode()
    for path in ("usage", "pools/{name}/months/{month}", "pools/{name}", "reservations/{id}", "health"):
        assert f"GET /api/v1/{path}</code>" in page
    assert "busy_gpu_hours" in page
    assert "<script>" not in page
    assert Client().get("/api/v1/docs").status_code == 302
