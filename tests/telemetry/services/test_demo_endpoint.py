"""The demo is read the way AWS is, and what is read continues what was loaded as its past."""

import socket
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from reservations.domain.listing import Listed
from reservations.domain.reservation_state import State
from telemetry.domain.sweep import RegionQuestion
from telemetry.models import MetricsSource
from telemetry.services.demo_endpoint import serving_demo_ec2
from telemetry.sources import ec2
from telemetry.sources.synthetic.capacity import sweep
from telemetry.sources.synthetic.story import ACCOUNT_ID, REGION, world_at
from tests.telemetry.sources.ec2_world import real_client

FLEET = "synthetic://7/2026-11-30"
LOADED = datetime(2026, 11, 30, 20, tzinfo=UTC)


def counted(listed: Listed) -> dict[str, object]:
    """What the ledger and the pages read of a reservation, in the states in which it means something."""
    hidden = {"raw", "usage_by_account"}
    hidden |= set() if listed.state is State.ACTIVE else {"available_count"}
    hidden |= set() if listed.state is State.SCHEDULED else {"planned_count"}
    hidden |= set() if listed.ends_terminate_instances else {"usable_until"}
    return {name: value for name, value in asdict(listed).items() if name not in hidden}


@pytest.mark.parametrize("days", [-40, -1, 0, 3])
def test_what_the_endpoint_lists_is_what_the_loaded_past_would_say(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    real_client(monkeypatch)
    at = LOADED + timedelta(days=days)
    with serving_demo_ec2(url=FLEET, clock=lambda: at) as url:
        read = ec2.fetch(RegionQuestion("demo", ACCOUNT_ID, REGION, at, endpoint_url=url))
    told = sweep(world_at(FLEET), "demo", at)
    assert (read.complete, read.degraded) == (True, {})
    assert {row.arn: counted(row) for row in read.listed} == {row.arn: counted(row) for row in told.listed}
    assert len(read.listed) >= 4
    assert (set(read.instances), read.instance_shapes) == (set(told.instances), told.instance_shapes)
    assert len(read.instances) >= 20  # so many are left where the block has ended
    for row in read.listed:
        if row.state is State.ACTIVE:
            assert sum(row.usage_by_account.values()) == row.total_count - row.available_count


@pytest.mark.django_db
def test_without_a_fleet_there_is_nothing_to_serve() -> None:
    with pytest.raises(CommandError, match="load_demo"):
        call_command("serve_demo_ec2", stderr=StringIO())


@pytest.mark.django_db
def test_a_port_in_use_is_said_so() -> None:
    MetricsSource.objects.create(name="demo", kind="synthetic", url=FLEET)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=f"port {port} cannot be taken"):
            call_command("serve_demo_ec2", "--port", str(port), stderr=StringIO())
