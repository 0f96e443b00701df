"""``/api/v1/alerts``: the same alerts as the inbox, moved by who holds the scope and the role."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from reservations.domain.tokens import Scope
from reservations.services.tokens import make_token
from tests.fixtures.cast import Cast
from tests.scheduler.alerted import alerted

pytestmark = pytest.mark.django_db


def bearer(person, *scopes: Scope) -> dict[str, str]:
    secret = make_token(user_id=person.pk, name="t", scopes=list(scopes), life=timedelta(days=1), at=timezone.now())
    return {"Authorization": f"Bearer {secret}"}


def test_it_lists_what_may_be_seen_with_money_for_who_may_see_it(cast: Cast, client: Client) -> None:
    one = alerted()
    alerted("cr-b", teams=["robotics"])
    alerted("cr-c", state="snoozed", snoozed_until=timezone.now() + timedelta(hours=1))
    told = client.get("/api/v1/alerts", headers=bearer(cast.owner, Scope.READ_ALERTS)).json()
    assert (told["total"], [row["id"] for row in told["rows"]]) == (1, [one.pk])
    assert (told["rows"][0]["money_a_week"], told["rows"][0]["currency"]) == (1234, "USD")
    (row,) = client.get("/api/v1/alerts", headers=bearer(cast.viewer, Scope.READ_ALERTS)).json()["rows"]
    assert (row["money_a_week"], row["currency"], row["gpu_hours_a_week"]) == (None, None, 2688)
    told = client.get("/api/v1/alerts?state=any&limit=1", headers=bearer(cast.owner, Scope.READ_ALERTS)).json()
    assert (told["total"], len(told["rows"])) == (2, 1)
    for query in ("?state=x", "?severity=x", "?limit=0", "?rule=A-B"):
        assert client.get(f"/api/v1/alerts{query}", headers=bearer(cast.owner, Scope.READ_ALERTS)).status_code == 422


def test_alerts_are_moved_with_scope_and_role_alone_and_twice_is_once(cast: Cast, client: Client) -> None:
    one = alerted()
    address = f"/api/v1/alerts/{one.pk}"

    def post(person, move: str, *scopes: Scope, **body: str):
        return client.post(f"{address}/{move}", body, content_type="application/json", headers=bearer(person, *scopes))

    assert post(cast.owner, "acknowledge", Scope.READ_ALERTS).status_code == 403
    assert post(cast.viewer, "acknowledge", Scope.ALERTS).status_code == 403
    assert post(cast.outsider, "acknowledge", Scope.ALERTS).status_code == 404
    for _ in range(2):
        assert post(cast.owner, "acknowledge", Scope.ALERTS, note="mine").json()["state"] == "acknowledged"
    far, near = (f"{timezone.now() + timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}" for days in (15, 1))
    assert "14 days" in post(cast.owner, "snooze", Scope.ALERTS, until=far).json()["detail"]
    assert "offset" in post(cast.owner, "snooze", Scope.ALERTS, until="2027-01-01T00:00:00").json()["detail"]
    assert post(cast.owner, "snooze", Scope.ALERTS).status_code == 422
    assert post(cast.owner, "snooze", Scope.ALERTS, until=near).json()["state"] == "snoozed"
    for _ in range(2):
        assert post(cast.owner, "resolve", Scope.ALERTS).json()["resolved_by"] == "owner"
    refused = post(cast.owner, "acknowledge", Scope.ALERTS)
    assert (refused.status_code, refused.json()["detail"]) == (
        422,
        "cr-0aaa: What is resolved can't become acknowledged.",
    )
    assert one.notes.count() == 3
