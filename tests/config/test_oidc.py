"""Log-in at a provider: what is believed of its answer, and what an account it makes may do."""

import time
from collections.abc import Iterator

import jwt
import pytest
import requests
from allauth.socialaccount.models import SocialAccount
from django.test import Client

from reservations.domain.access import Action, Grant, Role, may
from reservations.models import RoleGrant, User
from reservations.selectors.access import person_of
from tests.config.openid import CLIENT, KEY, OTHER_KEY, OpenId, openid

pytestmark = pytest.mark.django_db


@pytest.fixture
def provider(settings) -> Iterator[OpenId]:
    with openid() as server:
        app = {**settings.OIDC_APP, "client_id": CLIENT, "secret": "s"}
        app["settings"] = {**app["settings"], "server_url": server.origin}
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app]}}
        yield server


def logged_in_at(client: Client):
    """The answer to the way back from the provider."""
    there = client.post("/accounts/oidc/oidc/login/")
    assert there.status_code == 302
    back = requests.get(there["Location"], allow_redirects=False, timeout=5).headers["Location"]
    return client.get(back.removeprefix("http://testserver"))


def test_the_first_log_in_makes_an_account_without_roles(provider: OpenId, client: Client) -> None:
    assert logged_in_at(client).status_code == 302
    user = User.objects.get()
    assert (user.username, user.has_usable_password(), user.is_superuser) == ("ada", False, False)
    assert person_of(user).grants == ()
    assert client.get("/me/").status_code == 200
    assert "/keys" in provider.asked


def forged(provider: OpenId, how: str) -> None:
    now = int(time.time())
    provider.claims = {
        "nonce": {"nonce": "another"}, "no nonce": {"nonce": None}, "issuer": {"iss": "https://elsewhere.example"},
        "audience": {"aud": "another"}, "expired": {"iat": now - 900, "exp": now - 600}, "no subject": {"sub": None},
    }.get(how, {})  # fmt: skip
    provider.about = {"sub": "s-2"} if how == "user info of another" else {}
    provider.without_token = how == "no token"
    if how == "key":
        provider.signed["key"] = OTHER_KEY
    if how == "unknown key":
        provider.signed["headers"] = {"kid": "two"}
    if how == "no key named":
        provider.signed["headers"] = {}
    if how == "shared secret":
        provider.signed.update(key="s" * 32, algorithm="HS256")
    if how == "no signature":
        provider.signed.update(key=None, algorithm="none")


@pytest.mark.parametrize(
    "how",
    [
        "nonce", "no nonce", "issuer", "audience", "expired", "no subject", "user info of another", "no token", "key",
        "unknown key", "no key named", "shared secret", "no signature",
    ],
)  # fmt: skip
def test_an_answer_that_is_not_as_it_should_be_lets_nobody_in(how: str, provider: OpenId, client: Client) -> None:
    forged(provider, how)
    answer = logged_in_at(client)
    assert answer.status_code in (200, 401, 403)
    assert "_auth_user_id" not in client.session
    assert not User.objects.exists()


def test_a_way_back_that_was_gone_once_leads_nowhere_again(provider: OpenId, client: Client) -> None:
    there = client.post("/accounts/oidc/oidc/login/")
    back = requests.get(there["Location"], allow_redirects=False, timeout=5).headers["Location"]
    stranger = Client()
    assert stranger.get(back.removeprefix("http://testserver")).status_code in (200, 401, 403)
    assert "_auth_user_id" not in stranger.session
    assert not User.objects.exists()


def test_who_is_disabled_stays_out(provider: OpenId, client: Client) -> None:
    logged_in_at(client)
    client.logout()
    User.objects.update(is_active=False)
    answer = logged_in_at(client)
    assert answer["Location"].startswith("/accounts/inactive/")
    assert "_auth_user_id" not in client.session


def test_an_address_opens_no_account_that_was_here_before(provider: OpenId, client: Client) -> None:
    before = User.objects.create_user("root", email="ada@example.com", password="a long enough one", is_superuser=True)
    provider.about = {"preferred_username": "root"}
    logged_in_at(client)
    assert not SocialAccount.objects.filter(user=before).exists()
    assert client.session.get("_auth_user_id") != str(before.pk)


@pytest.mark.parametrize(
    ("trusted", "amr", "password", "decides"),
    [
        ("never", ["mfa"], False, False),
        ("amr", ["mfa"], False, True),
        ("amr", ["pwd"], False, False),
        ("amr", None, False, False),
        ("amr", ["mfa"], True, False),
        ("always", None, False, True),
        ("always", None, True, False),
    ],
)
def test_the_provider_s_second_factor_counts_where_it_is_trusted_and_the_one_way_in(
    trusted: str, amr: list[str] | None, password: bool, decides: bool, provider: OpenId, client: Client, settings
) -> None:
    settings.SECOND_FACTOR, settings.OIDC_SECOND_FACTOR = True, trusted
    provider.claims = {"amr": amr}
    logged_in_at(client)
    user = User.objects.get()
    RoleGrant.objects.create(user=user, role=Role.APPROVER)
    if password:
        user.set_password("a long enough one")
        user.save()
    person = person_of(user)
    assert person.grants == (Grant(Role.APPROVER),)
    assert may(person, Action.DECIDE) is decides
    assert may(person, Action.SEE_PRICES)


def test_what_the_provider_said_last_counts(provider: OpenId, client: Client, settings) -> None:
    settings.SECOND_FACTOR, settings.OIDC_SECOND_FACTOR = True, "amr"
    provider.claims = {"amr": ["mfa"]}
    logged_in_at(client)
    RoleGrant.objects.create(user=User.objects.get(), role=Role.APPROVER)
    assert may(person_of(User.objects.get()), Action.DECIDE)
    client.logout()
    provider.claims = {"amr": ["pwd"]}
    logged_in_at(client)
    assert not may(person_of(User.objects.get()), Action.DECIDE)


def test_the_tests_provider_signs_with_its_key(provider: OpenId) -> None:
    told = jwt.decode(provider.id_token(), KEY.public_key(), algorithms=["RS256"], audience=CLIENT)
    assert told["iss"] == provider.origin
