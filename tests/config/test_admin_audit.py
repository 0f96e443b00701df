"""What is changed by hand in the admin leaves an event with what stood before and after, and no secret."""

import json
from typing import Any

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from reservations.models import AuditEvent, Owner, Pool, Queue, RoleGrant, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin_client(client: Client) -> Client:
    root = User.objects.create_user("root", password="a long enough one")
    RoleGrant.objects.create(user=root, role="admin")
    client.force_login(root, backend="django.contrib.auth.backends.ModelBackend")
    return client


def page(model: type[Model], what: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{what}", args=args)


def told() -> list[tuple[str, str, str, Any, Any]]:
    rows = AuditEvent.objects.exclude(act="logged_in").order_by("sequence")
    return [
        (row.act, row.about, row.by_name, json.loads(row.before or "null"), json.loads(row.after or "null"))
        for row in rows
    ]


def test_a_role_that_is_granted_changed_and_taken_away(admin_client: Client) -> None:
    ada = User.objects.create_user("ada")
    admin_client.post(page(RoleGrant, "add"), {"user": ada.pk, "role": "viewer"})
    grant = RoleGrant.objects.get(user=ada)
    admin_client.post(page(RoleGrant, "change", grant.pk), {"user": ada.pk, "role": "approver"})
    admin_client.post(page(RoleGrant, "delete", grant.pk), {"post": "yes"})
    (made, changed, gone) = told()
    assert made[:4] == ("role_granted", "rolegrant", "root", None)
    assert made[4]["role"] == "viewer"
    assert changed == ("role_granted", "rolegrant", "root", {"role": "viewer"}, {"role": "approver"})
    assert gone[0] == "role_revoked"
    assert (gone[3]["role"], gone[4]) == ("approver", None)
    assert AuditEvent.objects.latest("sequence").ident == str(grant.pk)


def test_several_that_are_deleted_at_once_are_an_event_each(admin_client: Client) -> None:
    teams = [Owner.objects.create(name=name) for name in ("a", "b")]
    marked = {"action": "delete_selected", "_selected_action": [team.pk for team in teams], "post": "yes"}
    admin_client.post(page(Owner, "changelist"), marked)
    assert [(act, before["name"], after) for act, _, _, before, after in told()] == [
        ("configuration_changed", "a", None),
        ("configuration_changed", "b", None),
    ]


def test_rows_inside_of_another_s_page_are_events_of_their_own(admin_client: Client) -> None:
    team = Owner.objects.create(name="serving")
    pool = Pool.objects.create(name="h100", owner=team, instance_type="p5.48xlarge", gpus_per_node=8)
    queue = Queue.objects.create(pool=pool, cluster_queue="cq", owner=team, workload="serving")
    form = {
        "name": "h100",
        "owner": team.pk,
        "instance_type": "p5.48xlarge",
        "gpus_per_node": 8,
        "spare_nodes": 2,
        **_formset("reservation_rules", 0),
        **_formset("queues", 1),
        "queues-0-id": queue.pk,
        "queues-0-pool": pool.pk,
        "queues-0-cluster_queue": "cq",
        "queues-0-owner": team.pk,
        "queues-0-workload": "serving",
        "queues-0-DELETE": "on",
    }
    admin_client.post(page(Pool, "change", pool.pk), form)
    assert not Queue.objects.exists()
    assert [
        (about, (before or {}).get("cluster_queue"), (after or {}).get("spare_nodes"))
        for _, about, _, before, after in told()
    ] == [
        ("pool", None, 2),
        ("queue", "cq", None),
    ]
    assert AuditEvent.objects.get(about="queue").ident == str(queue.pk)


def test_a_password_set_for_somebody_is_an_event_without_it(admin_client: Client) -> None:
    ada = User.objects.create_user("ada", password="a long enough one")
    form = {"usable_password": "true", "password1": "another long one", "password2": "another long one"}
    answer = admin_client.post(reverse("admin:auth_user_password_change", args=[ada.pk]), form)
    assert answer.status_code == 302
    ada.refresh_from_db()
    assert ada.check_password("another long one")
    assert [row[:3] for row in told()] == [("password_changed", "user", "root")]
    assert "another long one" not in str(told())


def test_a_change_that_is_refused_or_none_leaves_no_event(admin_client: Client) -> None:
    team = Owner.objects.create(name="serving")
    admin_client.post(page(Owner, "add"), {"name": ""})
    admin_client.post(page(Owner, "change", team.pk), {"name": "serving", "email": "", **_formset("grants", 0)})
    assert told() == []


def _formset(name: str, initial: int) -> dict[str, int]:
    return {f"{name}-TOTAL_FORMS": initial, f"{name}-INITIAL_FORMS": initial}
