"""Who gets into the admin: whoever may configure, by the same function that every page asks."""

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from reservations.models import Owner, Pool, RoleGrant, User
from tests.fixtures.cast import PASSWORD, Cast

pytestmark = pytest.mark.django_db

POOLS = "/admin/reservations/pool/"
LOG_IN = "/accounts/login/"


@pytest.fixture
def admin(db: None) -> User:
    person = User.objects.create_user("root", password=PASSWORD)
    RoleGrant.objects.create(user=person, role="admin")
    return person


def closed(client: Client) -> bool:
    """Whether neither a page nor a form of the admin opens, and nothing of it is shown."""
    pages = [client.get(address, follow=True) for address in ("/admin/", "/admin/login/", POOLS)]
    added = client.post(reverse("admin:reservations_owner_add"), {"name": "mine"}, follow=True)
    assert not Owner.objects.filter(name="mine").exists()
    return all(page.status_code == 403 for page in [*pages, added])


def sent_to(client: Client, address: str) -> str:
    """The page at which somebody ends who asks for an address."""
    return client.get(address, follow=True).redirect_chain[-1][0]


@pytest.mark.parametrize("name", ["owner", "borrower", "viewer", "analyst", "outsider", "nobody"])
def test_nobody_else_of_the_cast_gets_in(name: str, cast: Cast, logged_in) -> None:
    assert closed(logged_in(getattr(cast, name)))


@pytest.mark.parametrize("role", ["viewer", "owner", "operator", "analyst", "approver", "auditor"])
def test_no_other_role_of_the_whole_organisation_gets_in(role: str, cast: Cast, logged_in) -> None:
    RoleGrant.objects.create(user=cast.nobody, role=role)
    assert closed(logged_in(cast.nobody))


def test_an_admin_of_one_team_does_not_get_in(cast: Cast, logged_in) -> None:
    RoleGrant.objects.create(user=cast.nobody, role="admin", team=Owner.objects.get(name="serving"))
    assert closed(logged_in(cast.nobody))


def test_neither_the_staff_flag_nor_djangos_permissions_open_it(cast: Cast, logged_in) -> None:
    User.objects.filter(pk=cast.nobody.pk).update(is_staff=True)
    cast.nobody.user_permissions.set(Permission.objects.all())
    assert closed(logged_in(cast.nobody))


def test_an_admin_whose_role_was_taken_away_is_out_at_once(admin: User, logged_in) -> None:
    client = logged_in(admin)
    assert client.get(POOLS).status_code == 200
    RoleGrant.objects.all().delete()
    assert closed(client)


def test_an_admin_who_is_no_longer_active_is_asked_to_log_in(admin: User, logged_in) -> None:
    client = logged_in(admin)
    User.objects.update(is_active=False)
    assert sent_to(client, POOLS).startswith(LOG_IN)


@pytest.mark.parametrize("address", ["/admin/", "/admin/login/?next=/admin/", POOLS])
def test_who_is_not_logged_in_is_sent_to_our_own_log_in(address: str, client: Client) -> None:
    assert sent_to(client, address).startswith(f"{LOG_IN}?next=/admin/")


def test_an_admin_logs_in_by_our_form_and_edits_configuration_and_grants(
    admin: User, cast: Cast, client: Client
) -> None:
    assert client.post(f"{LOG_IN}?next=/admin/", {"login": "root", "password": PASSWORD}).url == "/admin/"
    assert client.get("/admin/login/").url == "/admin/"
    page = client.get("/admin/").content.decode()
    assert reverse("admin:reservations_rolegrant_add") in page
    assert reverse("admin:telemetry_metricssource_changelist") in page
    grant = {"user": cast.nobody.pk, "role": "operator", "team": ""}
    assert client.post(reverse("admin:reservations_rolegrant_add"), grant).status_code == 302
    assert RoleGrant.objects.get(user=cast.nobody).role == "operator"
    inlines = {f"{name}-{count}_FORMS": 0 for name in ("reservation_rules", "queues") for count in ("TOTAL", "INITIAL")}
    form = {"name": "serve-h200", "owner": cast.pool.owner_id, "instance_type": "p5en.48xlarge", "gpus_per_node": "8"}
    change = reverse("admin:reservations_pool_change", args=[cast.pool.pk])
    assert client.post(change, {**form, "spare_nodes": 1, **inlines}).status_code == 302
    assert Pool.objects.get(pk=cast.pool.pk).name == "serve-h200"
    found = client.get("/admin/autocomplete/?app_label=reservations&model_name=pool&field_name=owner&term=serv")
    assert [row["text"] for row in found.json()["results"]] == ["serving"]


def test_the_second_factor_stands_before_the_admin_too(admin: User, client: Client) -> None:
    TOTP.activate(admin, generate_totp_secret())
    response = client.post(f"{LOG_IN}?next=/admin/", {"login": "root", "password": PASSWORD})
    assert response.url.startswith(reverse("mfa_authenticate"))
    assert sent_to(client, "/admin/") == reverse("mfa_authenticate")


def test_a_form_without_its_token_changes_nothing(admin: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(reverse("admin:reservations_owner_add"), {"name": "mine"}).status_code == 403
    assert not Owner.objects.exists()


def test_the_role_is_asked_for_once_a_page(admin: User, logged_in) -> None:
    client = logged_in(admin)
    client.get("/admin/")
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/admin/").status_code == 200
    assert sum("rolegrant" in query["sql"] for query in queries) == 1
    assert len(queries) <= 8
