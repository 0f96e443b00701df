"""Logging in: what tells nothing, how often one may try, and how long it lasts."""

import re
import time

import pytest
from django.core.cache import cache
from django.test import Client

from config.headers import POLICY
from config.sessions import BEGAN, SEEN
from reservations.models import User
from tests.fixtures.cast import PASSWORD, Cast
from tests.fixtures.outside import MailServer

pytestmark = pytest.mark.django_db
CSRF = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')


@pytest.fixture(autouse=True)
def nobody_tried_before() -> None:
    cache.clear()


def told(answer) -> tuple[int, str, str]:
    """What an answer says, without what differs each time."""
    return answer.status_code, answer.headers.get("Location", ""), CSRF.sub("", answer.content.decode())


def test_a_wrong_password_and_an_unknown_name_are_answered_alike(cast: Cast, client: Client) -> None:
    wrong = client.post("/accounts/login/", {"login": "viewer", "password": "not this one"})
    unknown = Client().post("/accounts/login/", {"login": "viewed", "password": "not this one"})
    assert told(wrong)[2].replace("viewer", "viewed") == told(unknown)[2]
    assert wrong.status_code == unknown.status_code == 200


def test_a_forgotten_password_is_answered_alike_for_every_address_and_mailed_to_its_person_alone(
    cast: Cast, client: Client, mail_server: MailServer
) -> None:
    User.objects.filter(pk=cast.viewer.pk).update(email="viewer@example.com")
    known = client.post("/accounts/password/reset/", {"email": "viewer@example.com"})
    unknown = Client().post("/accounts/password/reset/", {"email": "nobody@example.com"})
    assert told(known) == told(unknown)
    assert known.status_code == 302
    deadline = time.monotonic() + 10
    while not mail_server.kept and time.monotonic() < deadline:
        time.sleep(0.02)
    (mail,) = mail_server.kept
    assert mail["To"] == "viewer@example.com"
    assert "/accounts/password/reset/key/" in mail.get_content()


def test_answering_does_not_wait_for_the_mail_server(cast: Cast, client: Client, mail_server: MailServer) -> None:
    User.objects.filter(pk=cast.viewer.pk).update(email="viewer@example.com")
    mail_server.misbehaves = "stalls"
    begun = time.monotonic()
    assert client.post("/accounts/password/reset/", {"email": "viewer@example.com"}).status_code == 302
    assert time.monotonic() - begun < 20
    assert mail_server.stalled.wait(10)
    assert mail_server.kept == []


def test_one_account_is_tried_five_times_and_then_shut_for_a_while(cast: Cast) -> None:
    for _ in range(5):
        Client().post("/accounts/login/", {"login": "viewer", "password": "not this one"})
    client = Client()
    answer = client.post("/accounts/login/", {"login": "viewer", "password": PASSWORD})
    assert "_auth_user_id" not in client.session
    assert answer.status_code in (200, 429)


def test_one_address_tries_so_many_accounts_a_minute(cast: Cast) -> None:
    answers = [
        Client().post("/accounts/login/", {"login": f"name-{place}", "password": "not this one"}) for place in range(31)
    ]
    assert answers[-1].status_code == 429 or "Too many" in answers[-1].content.decode()


def test_tokens_that_open_nothing_are_not_tried_for_ever(db: None) -> None:
    header = {"Authorization": "Bearer moorage_" + "0" * 64}
    answers = [Client().get("/api/v1/pools", headers=header).status_code for _ in range(61)]
    assert set(answers[:60]) == {401}
    assert answers[60] == 429


def test_a_changed_password_ends_every_other_log_in(cast: Cast) -> None:
    here, there = Client(), Client()
    for client in (here, there):
        assert client.post("/accounts/login/", {"login": "viewer", "password": PASSWORD}).status_code == 302
    fresh = "quite another one 9"
    form = {"oldpassword": PASSWORD, "password1": fresh, "password2": fresh}
    assert here.post("/accounts/password/change/", form).status_code == 302
    assert here.get("/me/").status_code == 200
    assert there.get("/me/")["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(("key", "setting"), [(BEGAN, "SESSION_LONGEST"), (SEEN, "SESSION_IDLE")])
def test_a_log_in_ends_with_its_age_and_when_nobody_was_there(
    key: str, setting: str, cast: Cast, client: Client, settings
) -> None:
    client.post("/accounts/login/", {"login": "viewer", "password": PASSWORD})
    assert client.get("/me/").status_code == 200
    session = client.session
    session[key] = int(time.time()) - getattr(settings, setting) - 1
    session.save()
    assert client.get("/me/")["Location"].startswith("/accounts/login/")


def test_being_there_is_written_down_now_and_then(cast: Cast, client: Client) -> None:
    client.post("/accounts/login/", {"login": "viewer", "password": PASSWORD})
    session = client.session
    session[SEEN] -= 900
    session.save()
    client.get("/me/")
    assert client.session[SEEN] >= int(time.time()) - 60


@pytest.mark.parametrize("address", ["/", "/accounts/login/", "/no/such/page/", "/api/v1/pools", "/api/v1/docs"])
def test_every_answer_keeps_browsers_within_bounds(address: str, cast: Cast, client: Client) -> None:
    client.force_login(cast.viewer, backend="django.contrib.auth.backends.ModelBackend")
    headers = client.get(address).headers
    assert headers["Permissions-Policy"] == POLICY
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@pytest.mark.parametrize("name", ["next", "REDIRECT_FIELD_NAME", "back", "return", "to"])
@pytest.mark.parametrize(
    "there", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"]
)
def test_no_parameter_leads_off_the_site(name: str, there: str, cast: Cast, client: Client) -> None:
    answer = client.post(f"/accounts/login/?{name}={there}", {"login": "viewer", "password": PASSWORD, name: there})
    assert answer["Location"].startswith("/")
    assert "evil" not in answer["Location"]
    assert not client.post("/accounts/logout/", {name: there}).headers.get("Location", "/").startswith(("//", "http"))
