"""A small world of reservations in EC2's own shape, and the real client's surroundings for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from telemetry.domain.sweep import RegionQuestion
from telemetry.sources.synthetic.endpoint import Endpoint, RegionWorld, serving

PROD, LAB = "111122223333", "444455556666"
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
STARTED = datetime(2026, 5, 1, tzinfo=UTC)


def reservation(name: str = "cr-0aaa", owner: str = PROD, region: str = "us-east-1", **said: Any) -> dict[str, Any]:
    """An ordinary active reservation of four nodes with one free; a member given as None is absent."""
    members = {
        "CapacityReservationId": name,
        "CapacityReservationArn": f"arn:aws:ec2:{region}:{owner}:capacity-reservation/{name}",
        "OwnerId": owner,
        "AvailabilityZoneId": "use1-az4",
        "AvailabilityZone": f"{region}a",
        "InstanceType": "p5.48xlarge",
        "InstancePlatform": "Linux/UNIX",
        "Tenancy": "default",
        "TotalInstanceCount": 4,
        "AvailableInstanceCount": 1,
        "State": "active",
        "StartDate": STARTED,
        "EndDateType": "unlimited",
        "InstanceMatchCriteria": "targeted",
        "CreateDate": STARTED,
        "Tags": [{"Key": "team", "Value": "serving"}],
        "CapacityAllocations": [],
    }
    return {name: value for name, value in {**members, **said}.items() if value is not None}


def block(name: str = "cr-0blk", parent: str = "cb-0aaa", **said: Any) -> dict[str, Any]:
    """A capacity block that runs for a week."""
    members = {
        "ReservationType": "capacity-block",
        "CapacityBlockId": parent,
        "EndDate": datetime(2026, 5, 8, 11, 30, tzinfo=UTC),
        "EndDateType": "limited",
    }
    return reservation(name, **{**members, **said})


@contextmanager
def aws(*reservations: dict[str, Any], **options: Any) -> Iterator[tuple[str, Endpoint]]:
    """An endpoint where every account sees these reservations in every region; its address and itself."""
    seen = {name: options.pop(name) for name in list(options) if name in RegionWorld.__slots__}
    world = options.pop("world", lambda region, account: RegionWorld(reservations=reservations, **seen))
    endpoint = Endpoint(world, **options)
    with serving(endpoint) as url:
        yield url, endpoint


def question(url: str, **said: Any) -> RegionQuestion:
    asked = {"account": "prod", "account_id": PROD, "region": "us-east-1", "as_of": NOON, "endpoint_url": url}
    return RegionQuestion(**{**asked, **said})


def real_client(monkeypatch: pytest.MonkeyPatch, account_id: str = PROD) -> None:
    """Credentials and no waiting between tries; the tries themselves stay what they are."""
    endpoints = ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_EC2", "AWS_ENDPOINT_URL_STS")
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", *endpoints):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", f"AKIA{account_id}")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "synthetic")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setattr("botocore.retries.standard.ExponentialBackoff.delay_amount", lambda self, context: 0.01)
