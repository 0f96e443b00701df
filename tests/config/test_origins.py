"""Log-ins and what is done by a program are told with where they came from, and with nothing that a stranger typed."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from reservations.domain.tokens import Scope
from reservations.models import AuditEvent
from reservations.services.tokens import make_token
from tests.fixtures.cast import PASSWORD, Cast

pytestmark = pytest.mark.django_db


def test_a_log_in_a_try_that_failed_and_a_log_out_are_events(cast: Cast, client: Client) -> None:
    for name, password in (("owner", "hunter22"), ("hunter22", "x"), ("owner", PASSWORD)):
        client.post("/accounts/login/", {"login": name, "password": password}, headers={"x-request-id": "r-7"})
    client.post("/accounts/logout/")
    rows = list(AuditEvent.objects.order_by("sequence"))
    assert [(row.act, row.by_name, row.ident) for row in rows] == [
        ("log_in_failed", "", str(cast.owner.pk)),
        ("log_in_failed", "", ""),
        ("logged_in", "owner", str(cast.owner.pk)),
        ("logged_out", "owner", str(cast.owner.pk)),
    ]
    assert json.loads(rows[1].after) == {"log_in": None, "known": False}
    assert {(row.via, row.address) for row in rows} == {("page", "127.0.0.1")}
    assert rows[0].request_id == "r-7"
    assert "hunter22" not in str([list(row.__dict__.values()) for row in rows])


def test_a_request_s_number_that_is_none_is_replaced(cast: Cast, client: Client) -> None:
    client.post("/accounts/login/", {"login": "owner", "password": "x"}, headers={"x-request-id": "a b\x07" * 40})
    assert len(AuditEvent.objects.get().request_id) == 32


def test_what_a_token_does_is_its_person_s_by_the_api(cast: Cast, client: Client) -> None:
    now = datetime.now(UTC)
    secret = make_token(user_id=cast.owner.pk, name="nightly", scopes=[Scope.ALERTS], life=timedelta(days=1), at=now)
    made = AuditEvent.objects.get()
    assert made.act == "token_made"
    assert secret not in made.after
    client.post(
        "/api/v1/alerts/1/resolve",
        data={},
        content_type="application/json",
        headers={"authorization": f"Bearer {secret}"},
    )
    assert AuditEvent.objects.count() == 1  # there is no such alert: nothing was done
