"""Tokens of programs that no person stands behind: made by admins, with a grant of their own, never approving."""

import re
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from reservations.domain.access import FOR_PROGRAMS, Action, Role, may, may_somewhere
from reservations.domain.tokens import SERVICE_ROLES, SERVICE_SCOPES, Scope
from reservations.models import AuditEvent, RoleGrant, ServiceToken, User
from reservations.selectors.service_tokens import program_of
from reservations.selectors.tokens import bearer_of
from reservations.services.service_tokens import make_service_token
from reservations.services.tokens import UnableToMakeToken
from tests.fixtures.cast import Cast
from tests.reservations.api.calling import Caller

pytestmark = pytest.mark.django_db

HERE = "/service-tokens/"
SECRET = re.compile(r"moorage_[0-9a-f]{64}")
ASKED = {"name": "nightly <sheet>", "owner": "serving", "role": "viewer", "scopes": ["read:pools"], "life": "30"}


@pytest.fixture
def admin(cast: Cast) -> User:
    person = User.objects.create_user("root")
    RoleGrant.objects.create(user=person, role="admin")
    return person


def made(**said: object) -> str:
    asked = {
        "name": "sheet", "owner": "serving", "role": Role.VIEWER, "whole_organisation": False,
        "scopes": list(SERVICE_SCOPES), "life": timedelta(days=1), "made_by": "root", "at": timezone.now(),
    }  # fmt: skip
    return make_service_token(**asked | said)


def test_an_admin_makes_one_sees_its_secret_once_and_revokes_it(admin: User, logged_in) -> None:
    client = logged_in(admin)
    answer = client.post(HERE, ASKED)
    assert answer.status_code == 201
    assert "no-store" in answer["Cache-Control"]
    (secret,) = set(SECRET.findall(answer.content.decode()))
    told = Caller(secret).get("pools").json()
    assert [pool["name"] for pool in told["rows"]] == ["serve-h100"]
    assert Caller(secret).get("reservations").status_code == 403
    page = client.get(HERE).content.decode()
    assert secret not in page
    assert secret[:14] in page
    assert "nightly &lt;sheet&gt;" in page
    token = ServiceToken.objects.get()
    assert client.post(f"{HERE}{token.pk}/revoke/").status_code == 302
    assert Caller(secret).get("pools").status_code == 401
    assert client.post(f"{HERE}{token.pk}/revoke/").status_code == 404
    events = AuditEvent.objects.filter(about="service_token").order_by("sequence")
    assert [(one.act, one.by_name) for one in events] == [("token_made", "root"), ("token_revoked", "root")]


@pytest.mark.parametrize("change", [{"role": "approver"}, {"role": "admin"}, {"scopes": ["allocate"]}, {"owner": "x"}])
def test_the_form_offers_no_more_than_programs_may(change: dict[str, object], admin: User, logged_in) -> None:
    assert logged_in(admin).post(HERE, ASKED | change).status_code == 400
    assert not ServiceToken.objects.exists()


@pytest.mark.parametrize(
    "said",
    [
        {"role": Role.APPROVER}, {"role": Role.ADMIN}, {"scopes": []}, {"scopes": [Scope.ALLOCATE]},
        {"scopes": [Scope.APPROVE_EXCEPTIONS]}, {"life": timedelta(days=367)}, {"life": timedelta(0)}, {"owner": "x"},
    ],
)  # fmt: skip
def test_neither_the_service_nor_the_database_makes_one_that_could_approve(said: dict[str, object], cast: Cast) -> None:
    with pytest.raises(UnableToMakeToken):
        made(**said)
    made()
    row = {key: [one.value for one in value] if key == "scopes" else value for key, value in said.items()}
    for field in row.keys() & {"role", "scopes"}:
        with pytest.raises(IntegrityError), transaction.atomic():
            ServiceToken.objects.update(**{field: row[field]})


@pytest.mark.parametrize("role", SERVICE_ROLES)
@pytest.mark.parametrize("whole", [True, False])
def test_no_program_may_do_what_is_for_people_alone(role: Role, whole: bool, cast: Cast) -> None:
    secret = made(role=role, whole_organisation=whole)
    person = program_of(ServiceToken.objects.get())
    assert bearer_of(secret=secret, as_of=timezone.now()).person == person
    assert not [one for one in Action if may_somewhere(person, one) and one not in FOR_PROGRAMS]
    assert may(person, Action.SEE_POOL, {"robotics"}) is whole
    assert may(person, Action.SEE_POOL, {"serving"})


def test_one_that_expired_opens_nothing(cast: Cast) -> None:
    at = timezone.now() - timedelta(days=2)
    assert Caller(made(at=at)).get("pools").status_code == 401


def test_a_team_whose_programs_run_is_not_deleted_under_them(admin: User, cast: Cast) -> None:
    made()
    token = ServiceToken.objects.get()
    assert token.owner.name == "serving"
    assert Caller(made(name="other")).get("alerts").status_code == 200
    token.refresh_from_db()
    assert ServiceToken.objects.get(name="other").last_used_at is not None
    assert token.last_used_at is None
