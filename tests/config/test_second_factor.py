"""The second factor: who needs one, what happens until it is set up, and what it opens."""

import time

import pytest
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.test import Client

from reservations.domain.access import Action, Role, may
from reservations.models import RoleGrant, User
from reservations.selectors.access import person_of
from reservations.selectors.contacts import people
from reservations.selectors.granted import people_who_may
from reservations.selectors.tokens import bearer_of
from tests.fixtures.cast import PASSWORD, Cast
from tests.reservations.api.calling import token_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def strict(settings) -> None:
    settings.SECOND_FACTOR = True


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def every_way_to(user: User) -> list[object]:
    """The same person by a log-in, a token, the list of people and the list of those who may."""
    from django.utils import timezone

    listed = [one for one in people_who_may(Action.DECIDE) if one.name == user.username]
    bearer = bearer_of(secret=token_of(user), as_of=timezone.now())
    return [person_of(user), people([user.pk])[user.pk], bearer.person, *listed]


@pytest.mark.parametrize("who", ["approver", "admin", "superuser"])
def test_until_it_is_set_up_one_sees_and_decides_nothing_by_any_way(who: str, cast: Cast) -> None:
    user = User.objects.create_user("eve", password=PASSWORD, is_superuser=who == "superuser")
    if who != "superuser":
        RoleGrant.objects.create(user=user, role=who)
    for person in every_way_to(user):
        assert not may(person, Action.DECIDE)
        assert not may(person, Action.CONFIGURE)
        assert may(person, Action.SEE_PRICES)
    TOTP.activate(user, generate_totp_secret())
    ways = every_way_to(user)
    assert len(ways) == 4
    assert all(may(person, Action.DECIDE) for person in ways)


def test_recovery_codes_alone_are_no_second_factor(cast: Cast) -> None:
    Authenticator.objects.create(user=cast.approver, type=Authenticator.Type.RECOVERY_CODES, data={})
    assert not may(person_of(cast.approver), Action.DECIDE)


def test_who_owns_a_team_s_objects_needs_none_for_them_but_for_approving(cast: Cast) -> None:
    person = person_of(cast.owner)
    assert may(person, Action.DECIDE, {"serving"})
    assert not may(person, Action.APPROVE_EXCEPTION, {"serving"})


def test_an_approver_is_led_to_set_it_up_with_a_real_code_and_logs_in_with_one_from_then_on(
    cast: Cast, client: Client
) -> None:
    answer = client.post("/accounts/login/", {"login": "approver", "password": PASSWORD})
    assert answer["Location"] == "/accounts/2fa/"
    assert "needs a second factor" in client.get("/recommendations/").content.decode()
    again = client.get("/accounts/2fa/totp/activate/")["Location"]
    assert again.startswith("/accounts/reauthenticate/")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get("/accounts/2fa/totp/activate/")
    assert page.status_code == 200
    secret = client.session["mfa.totp.secret"]
    assert client.post("/accounts/2fa/totp/activate/", {"code": "000000"}).status_code == 200
    assert not may(person_of(cast.approver), Action.DECIDE)
    assert client.post("/accounts/2fa/totp/activate/", {"code": code_of(secret)}).status_code == 302
    assert may(person_of(cast.approver), Action.DECIDE)
    assert "needs a second factor" not in client.get("/recommendations/").content.decode()
    other = Client()
    assert other.post("/accounts/login/", {"login": "approver", "password": PASSWORD})["Location"].startswith(
        "/accounts/2fa/authenticate/"
    )
    assert other.get("/me/")["Location"].startswith("/accounts/")


def test_an_admin_is_led_there_from_the_admin(cast: Cast, client: Client) -> None:
    RoleGrant.objects.create(user=cast.nobody, role=Role.ADMIN)
    client.force_login(cast.nobody, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == "/accounts/2fa/"


def test_its_secret_is_not_kept_as_it_is(cast: Cast) -> None:
    secret = generate_totp_secret()
    TOTP.activate(cast.approver, secret)
    kept = Authenticator.objects.get(user=cast.approver, type="totp").data["secret"]
    assert secret not in kept
    assert get_adapter().decrypt(kept) == secret


@pytest.mark.parametrize(
    "address", [f"/accounts/2fa/{part}" for part in ("", "webauthn/", "webauthn/add/", "totp/activate/")]
)
def test_its_pages_stand_in_our_frame_without_a_script_of_their_own(address: str, cast: Cast, client: Client) -> None:
    client.post("/accounts/login/", {"login": "approver", "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get(address)
    text = page.content.decode()
    assert page.status_code == 200
    assert 'class="entrance' in text
    scripts = [one.split(">", 1) for one in text.split("<script")[1:]]
    assert all("src=" in head or "application/json" in head for head, _ in scripts)
    assert " style=" not in text


def test_where_nobody_is_asked_for_one_the_page_says_so(cast: Cast, client: Client, settings) -> None:
    settings.SECOND_FACTOR = False
    client.force_login(cast.approver, backend="django.contrib.auth.backends.ModelBackend")
    assert may(person_of(cast.approver), Action.DECIDE)
    assert "asks nobody for a second factor" in client.get("/me/").content.decode()
