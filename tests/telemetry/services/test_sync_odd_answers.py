"""What a field that does not fit, or an entry that cannot be told by its id, takes with it: itself and no more."""

from typing import Any

import pytest

from reservations.models import Account, Reservation, SyncRun
from telemetry.services.sync import SyncReport, sync_reservations
from telemetry.sources.synthetic.endpoint import RegionWorld
from tests.telemetry.sources.ec2_world import NOON, PROD, aws, block, real_client, reservation

pytestmark = pytest.mark.django_db

LIST = "ec2:DescribeCapacityReservations"
BIG = 2**31
ODD_FIELDS = [
    ({"Tenancy": "t" * 17}, "Tenancy", "tenancy", ""),
    ({"State": "s" * 65}, "State", "state_raw", ""),
    ({"InstanceType": "i" * 65}, "InstanceType", "shape", ""),
    ({"InstancePlatform": "p" * 65}, "InstancePlatform", "platform", ""),
    ({"AvailabilityZone": "z" * 33}, "AvailabilityZone", "zone_name", ""),
    ({"AvailabilityZoneId": "z" * 33}, "AvailabilityZoneId", "zone_id", ""),
    ({"InstanceMatchCriteria": "m" * 17}, "InstanceMatchCriteria", "matching", ""),
    ({"UnusedReservationBillingOwnerId": "1" * 33}, "UnusedReservationBillingOwnerId", "unused_billing_account", ""),
    ({"OwnerId": "1" * 33}, "OwnerId", "owner_account", PROD),
    ({"CapacityBlockId": "c" * 129}, "CapacityBlockId", "parent_id", ""),
    ({"TotalInstanceCount": BIG}, "TotalInstanceCount", "total_count", None),
    ({"AvailableInstanceCount": BIG}, "AvailableInstanceCount", "available_count", None),
    (
        {"State": "scheduled", "CommitmentInfo": {"CommittedInstanceCount": BIG}},
        "CommitmentInfo.CommittedInstanceCount",
        "planned_count",
        4,
    ),
    (
        {"State": "scheduled", "CapacityAllocations": [{"AllocationType": "future", "Count": BIG}]},
        "CapacityAllocations",
        "planned_count",
        4,
    ),
    (
        {"InterruptionInfo": {"SourceCapacityReservationId": "c" * 129}},
        "InterruptionInfo.SourceCapacityReservationId",
        "parent_id",
        "",
    ),
]


@pytest.fixture(autouse=True)
def _real_client(monkeypatch: pytest.MonkeyPatch) -> None:
    real_client(monkeypatch)


def synced(*east: dict[str, Any]) -> SyncReport:
    """One sync of an east that lists this and a west that lists one ordinary reservation."""

    def world(region: str, account_id: str) -> RegionWorld:
        return RegionWorld(east if region == "us-east-1" else [reservation("cr-0west", region=region)])

    with aws(world=world) as (url, _):
        Account.objects.update_or_create(
            name="prod",
            defaults={"account_id": PROD, "regions": ["us-east-1", "us-west-2"], "endpoint_url": url},
        )
        return sync_reservations(as_of=NOON.replace(hour=12 + SyncRun.objects.count()))


@pytest.mark.parametrize(("said", "member", "column", "kept"), ODD_FIELDS)
def test_a_field_that_does_not_fit_is_unknown_and_named_and_all_else_is_stored(
    said: dict[str, Any], member: str, column: str, kept: object
) -> None:
    report = synced(reservation(**said), reservation("cr-0bbb"))
    east, west = report.regions
    assert (east.complete, west.complete, west.degraded) == (True, True, {})
    assert east.degraded[LIST].endswith(f"so unknown: {member} of cr-0aaa")
    assert east.degraded[LIST].startswith("prod in us-east-1: ")
    assert {row.external_id for row in Reservation.objects.all()} == {"cr-0aaa", "cr-0bbb", "cr-0west"}
    row = Reservation.objects.get(external_id="cr-0aaa")
    assert getattr(row, column) == kept
    assert all(row.raw[name] == value for name, value in said.items())


def test_what_just_fits_is_kept() -> None:
    report = synced(reservation(Tenancy="t" * 16, State="s" * 64, TotalInstanceCount=BIG - 1))
    assert [region.degraded for region in report.regions] == [{}, {}]
    row = Reservation.objects.get(external_id="cr-0aaa")
    assert (row.tenancy, row.state_raw, row.total_count) == ("t" * 16, "s" * 64, BIG - 1)


def test_of_many_fields_that_do_not_fit_a_few_are_named() -> None:
    (east, _) = synced(*(block(f"cr-{i}", Tenancy="t" * 17) for i in range(7))).regions
    assert east.degraded[LIST].endswith("Tenancy of cr-4 and 2 more")


@pytest.mark.parametrize(
    "named",
    [
        {"CapacityReservationId": None, "CapacityReservationArn": None},
        {"CapacityReservationId": "c" * 129},
        {"CapacityReservationArn": f"arn:aws:ec2:us-east-1:{PROD}:capacity-reservation/{'c' * 257}"},
    ],
)
def test_a_list_with_an_entry_that_cannot_be_told_makes_nothing_vanish_and_hides_no_other_region(
    named: dict[str, Any],
) -> None:
    synced(reservation())
    report = synced(reservation(**named))
    assert [(one.region, one.complete) for one in report.regions] == [("us-east-1", False), ("us-west-2", True)]
    (east,) = report.failed
    assert east.error.startswith("prod in us-east-1: 1 of 1 entries of the list came without an id")
    assert report.sweeps.vanished == ()
    assert Reservation.objects.filter(missing_since=None).count() == 2
