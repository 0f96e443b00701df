"""Which instances run, read with the real client from EC2's own XML."""

from datetime import UTC, datetime
from typing import Any

import pytest

from reservations.domain.instance_history import Lifecycle, RunningInstance
from telemetry.sources.ec2 import fetch
from telemetry.sources.ec2.instances import reservation_platform
from telemetry.sources.synthetic.endpoint import Fault
from tests.telemetry.sources.ec2_world import STARTED, aws, question, real_client, reservation

SHAPE = "p5.48xlarge"


@pytest.fixture(autouse=True)
def _real_client(monkeypatch: pytest.MonkeyPatch) -> None:
    real_client(monkeypatch)


def instance(name: str = "i-0a", **said: Any) -> dict[str, Any]:
    """A running on-demand instance in the reservation's zone; a member given as None is absent."""
    members = {
        "InstanceId": name,
        "InstanceType": SHAPE,
        "State": {"Code": 16, "Name": "running"},
        "Placement": {"AvailabilityZone": "us-east-1a", "AvailabilityZoneId": "use1-az4", "Tenancy": "default"},
        "PlatformDetails": "Linux/UNIX",
        "LaunchTime": STARTED,
        "CapacityReservationSpecification": {"CapacityReservationPreference": "none"},
    }
    return {name: value for name, value in {**members, **said}.items() if value is not None}


def test_an_instance_is_told_with_all_that_decides_on_a_reservation() -> None:
    group = "arn:aws:resource-groups:us-east-1:111122223333:group/a"
    named = {"CapacityReservationTarget": {"CapacityReservationId": "cr-0x"}}
    grouped = {"CapacityReservationTarget": {"CapacityReservationResourceGroupArn": group}}
    running = [
        instance(),
        instance("i-0b", CapacityReservationId="cr-0aaa", CapacityReservationSpecification=named),
        instance("i-0c", InstanceLifecycle="spot", CapacityReservationSpecification=grouped),
        instance("i-0d", InstanceLifecycle="capacity-block"),
        instance("i-0e", InstanceLifecycle="something-new"),
    ]
    with aws(reservation(), instances=running) as (url, _):
        sweep = fetch(question(url))
    base = RunningInstance("i-0a", SHAPE, "use1-az4", "Linux/UNIX", "default", launched_at=STARTED, preference="none")
    assert sweep.instances[0] == base
    inside, spot, block, new = sweep.instances[1:]
    assert (inside.reservation_id, inside.target, inside.preference) == ("cr-0aaa", "cr-0x", "")
    assert (spot.lifecycle, spot.target) == (Lifecycle.SPOT, group)
    assert (block.lifecycle, new.lifecycle) == (Lifecycle.CAPACITY_BLOCK, Lifecycle.OTHER)


def test_every_page_is_read_and_only_running_instances_of_shapes_that_are_held() -> None:
    running = [instance(f"i-{number}") for number in range(5)]
    others = [instance("i-c7", InstanceType="c7i.large"), instance("i-off", State={"Code": 80, "Name": "stopped"})]
    with aws(reservation(), instances=[*others, *running], page_sizes=(2, 0)) as (url, endpoint):
        sweep = fetch(question(url, shapes=frozenset({"p4d.24xlarge"})))
    assert [one.instance_id for one in sweep.instances] == [f"i-{number}" for number in range(5)]
    assert sweep.instance_shapes == ("p4d.24xlarge", SHAPE)
    assert sum(call.action == "DescribeInstances" for call in endpoint.calls) == 3


def test_a_zone_without_its_id_is_known_by_the_name_the_same_account_gives_it() -> None:
    named = instance("i-0b", Placement={"AvailabilityZone": "us-east-1a", "Tenancy": "default"})
    elsewhere = instance("i-0c", Placement={"AvailabilityZone": "us-east-1f", "Tenancy": "default"})
    with aws(reservation(), instances=[named, elsewhere]) as (url, _):
        assert [one.zone_id for one in fetch(question(url)).instances] == ["use1-az4", ""]


def test_what_an_instance_leaves_out_is_unknown() -> None:
    bare = {"InstanceId": "i-0a", "InstanceType": SHAPE, "State": {"Name": "running"}}
    with aws(reservation(), instances=[bare]) as (url, _):
        assert fetch(question(url)).instances == (RunningInstance("i-0a", SHAPE),)


def test_a_refusal_leaves_the_sweep_whole_and_says_what_is_not_known() -> None:
    def refuse(call: Any) -> Fault | None:
        return Fault(status=403, code="UnauthorizedOperation") if call.action == "DescribeInstances" else None

    with aws(reservation(), instances=[instance()], fault=refuse) as (url, _):
        sweep = fetch(question(url))
    assert sweep.complete
    assert [row.external_id for row in sweep.listed] == ["cr-0aaa"]
    assert (sweep.instances, sweep.instance_shapes) == ((), ())
    assert sweep.degraded == {
        "ec2:DescribeInstances": (
            "instances outside reservations unknown: prod in us-east-1: ec2:DescribeInstances is not allowed "
            "(UnauthorizedOperation): add it to the policy of these credentials"
        )
    }


def test_a_page_that_fails_leaves_no_part_of_the_list() -> None:
    def second(call: Any) -> Fault | None:
        broken = call.action == "DescribeInstances" and "NextToken" in call.given
        return Fault(body=b"<html>not EC2</html>") if broken else None

    running = [instance("i-0a"), instance("i-0b")]
    with aws(reservation(), instances=running, page_sizes=(1,), fault=second) as (url, _):
        sweep = fetch(question(url))
    assert sweep.complete
    assert (sweep.instances, sweep.instance_shapes) == ((), ())
    assert list(sweep.degraded) == ["ec2:DescribeInstances"]


def test_nothing_is_asked_where_no_shape_is_held() -> None:
    with aws() as (url, endpoint):
        assert fetch(question(url)).instance_shapes == ()
    assert "DescribeInstances" not in {call.action for call in endpoint.calls}


@pytest.mark.parametrize(
    ("billed", "reserved"),
    [
        ("Linux/UNIX", "Linux/UNIX"),
        ("Red Hat Enterprise Linux", "Red Hat Enterprise Linux"),
        ("Red Hat Enterprise Linux with HA", "RHEL with HA"),
        ("Red Hat BYOL Linux", "Linux/UNIX"),
        ("SQL Server Web", "Linux with SQL Server Web"),
        ("Windows with SQL Server Standard", "Windows with SQL Server Standard"),
        ("", ""),
    ],
)
def test_a_platform_is_said_in_the_words_of_reservations(billed: str, reserved: str) -> None:
    assert reservation_platform(billed) == reserved


def test_instants_are_utc() -> None:
    launched = datetime(2026, 5, 1, 8, 30, tzinfo=UTC)
    with aws(reservation(), instances=[instance(LaunchTime=launched)]) as (url, _):
        assert fetch(question(url)).instances[0].launched_at == launched
