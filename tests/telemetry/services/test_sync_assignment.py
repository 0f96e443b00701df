"""What a sync says of reservations whose shape or GPUs are not the pool's."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from reservations.models import Account, Owner, Pool, PoolMembership, PoolReservationRule
from tests.telemetry.sources.ec2_world import PROD, aws, real_client, reservation

pytestmark = pytest.mark.django_db


def test_the_command_warns_of_another_shape_and_of_other_gpus_and_assigns_what_it_may(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real_client(monkeypatch)
    owner = Owner.objects.create(name="serving")
    pool = Pool.objects.create(name="h100", owner=owner, instance_type="p5.48xlarge", gpus_per_node=4)
    PoolReservationRule.objects.create(pool=pool, tag_key="team", value="serving")
    out, err = StringIO(), StringIO()
    with aws(reservation(), reservation("cr-0p4d", InstanceType="p4d.24xlarge")) as (url, _):
        Account.objects.create(name="prod", account_id=PROD, regions=["us-east-1"], endpoint_url=url)
        call_command("sync_reservations", "--format", "json", stdout=out, stderr=err)
    found = json.loads(out.getvalue())
    assert found["assigned"] == ["cr-0aaa backs h100"]
    assert [one.split(" holds ")[0] for one in found["unassigned"]] == ["cr-0p4d"]
    assert [one.split(" GPUs ")[0] for one in found["remarks"]] == ["cr-0aaa has 8"]
    assert err.getvalue().splitlines() == [*found["unassigned"], *found["remarks"]]
    assert PoolMembership.objects.get().reservation.external_id == "cr-0aaa"
