"""How people log in is theirs: the admin gives nobody a second factor or an identity, and tells what it takes away."""

import json
from typing import Any

import pytest
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from django.apps import apps
from django.contrib import admin
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse

from reservations.models import Account, AuditEvent, Owner, RoleGrant, User

pytestmark = pytest.mark.django_db

GIVEN_BY_NOBODY = [EmailAddress, EmailConfirmation, SocialApp, SocialToken]


@pytest.fixture
def root() -> User:
    user = User.objects.create_user("root", password="a long enough one")
    RoleGrant.objects.create(user=user, role="admin")
    return user


@pytest.fixture
def admin_client(client: Client, root: User) -> Client:
    client.force_login(root, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page(model: type[Model], what: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def told() -> list[tuple[str, str, str, Any, Any]]:
    rows = AuditEvent.objects.exclude(act="logged_in").order_by("sequence")
    return [
        (row.act, row.about, row.ident, json.loads(row.before or "null"), json.loads(row.after or "null"))
        for row in rows
    ]


def test_no_model_of_signing_in_is_added_or_changed_in_the_admin(root: User) -> None:
    request = RequestFactory().get("/")
    request.user = root
    theirs = {model for model in apps.get_models() if model.__module__.startswith("allauth.")}
    shown = {model: admin.site._registry[model] for model in theirs if admin.site.is_registered(model)}
    assert {Authenticator, SocialAccount} == set(shown)
    assert theirs >= {*shown, *GIVEN_BY_NOBODY}
    for of in shown.values():
        assert not of.has_add_permission(request)
        assert not of.has_change_permission(request)


def test_a_second_factor_taken_away_is_told_without_its_secret(admin_client: Client) -> None:
    ada = User.objects.create_user("ada")
    factor = Authenticator.objects.create(user=ada, type="recovery_codes", data={"seed": "s3cr3t-seed"})
    seen = admin_client.get(page(Authenticator, "change", factor.pk))
    assert seen.status_code == 200
    assert b"s3cr3t-seed" not in seen.content
    assert admin_client.post(page(Authenticator, "add"), {"user": ada.pk, "type": "totp"}).status_code == 403
    admin_client.post(page(Authenticator, "delete", factor.pk), {"post": "yes"})
    ((act, about, ident, before, after),) = told()
    assert (act, about, ident, after) == ("second_factor_removed", "authenticator", str(factor.pk), None)
    assert (before["user_id"], before["data"]) == (ada.pk, "[hidden]")


@pytest.mark.parametrize("at_once", [False, True])
def test_the_roles_that_go_with_a_person_or_a_team_are_told_as_taken_away(admin_client: Client, at_once: bool) -> None:
    team, ada = Owner.objects.create(name="serving"), User.objects.create_user("ada")
    kept = RoleGrant.objects.create(user=User.objects.create_user("bob"), role="viewer", team=team)
    grants = [RoleGrant.objects.create(user=ada, role=role, team=team) for role in ("approver", "viewer")]
    gone: Model
    for gone in (ada, team):
        key = gone.pk
        if at_once:
            marked = {"action": "delete_selected", "_selected_action": [key], "post": "yes"}
            admin_client.post(page(type(gone), "changelist"), marked)
        else:
            admin_client.post(page(type(gone), "delete", key), {"post": "yes"})
    assert [(act, ident, after) for act, about, ident, _, after in told() if about == "rolegrant"] == [
        ("role_revoked", str(grant.pk), None) for grant in (*grants, kept)
    ]
    assert [act for act, *_ in told() if act != "role_revoked"] == ["user_removed", "configuration_changed"]


def test_a_secret_that_alone_was_changed_is_told_and_stays_secret(admin_client: Client) -> None:
    account = Account.objects.create(
        name="train", provider="aws", account_id="123456789012", regions=["us-east-1"], external_id="first-one"
    )
    of = admin.site._registry[Account]
    request = RequestFactory().post("/")
    request.user = User.objects.get(username="root")
    account.external_id = "second-one"
    of.save_model(request, account, None, change=True)
    of.save_model(request, account, None, change=True)
    ((act, about, _, before, after),) = told()
    assert (act, about) == ("configuration_changed", "account")
    assert (before, after) == ({"external_id": "[hidden]"}, {"external_id": "[hidden, changed]"})
