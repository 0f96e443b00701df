"""The demo's log-ins, each through the form that people use."""

from datetime import UTC, datetime

import pytest
from django.test import Client

from reservations.services.passwords import give_passwords
from scheduler.services.demo import LOGINS
from scheduler.services.demo.configuration import configure
from telemetry.sources.synthetic.story import world_at

NOON = datetime(2026, 5, 18, 12, tzinfo=UTC)


@pytest.mark.django_db
def test_the_demos_admin_opens_the_admin_and_its_other_log_ins_do_not() -> None:
    configure(world=world_at("synthetic://7/2026-05-18"), ec2_port=8009, as_of=NOON)
    give_passwords(passwords={login.name: login.password for login in LOGINS})
    opened = {}
    for login in LOGINS:
        client = Client(REMOTE_ADDR=f"127.0.0.{len(opened) + 1}")
        assert client.post("/accounts/login/", {"login": login.name, "password": login.password}).status_code == 302
        opened[login.name] = client.get("/admin/reservations/pool/", follow=True).status_code
    assert opened == {login.name: 200 if login.name == "admin" else 403 for login in LOGINS}
