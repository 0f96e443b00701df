"""What runs of some instance types, in our words; every member may be absent, and absent is unknown."""

from collections.abc import Mapping, Sequence
from typing import Any

from reservations.domain.instance_history import Lifecycle, RunningInstance
from telemetry.sources.ec2.failures import UnableToReadAnswer
from telemetry.sources.ec2.wire import Wire, utc

FILTER_VALUES = 200
PAGE = 1000
LIFECYCLES = {"": Lifecycle.ON_DEMAND, "spot": Lifecycle.SPOT, "capacity-block": Lifecycle.CAPACITY_BLOCK}
ID_ROOM, ROOM, TARGET_ROOM = 32, {"zone_id": 32, "platform": 64, "tenancy": 16, "preference": 32}, 256

#: What an instance is billed as, where a reservation's platform says it in other words.
PLATFORMS = {"Red Hat BYOL Linux": "Linux/UNIX"}
BEGINNINGS = (("Red Hat Enterprise Linux with", "RHEL with"), ("SQL Server", "Linux with SQL Server"))


def running_instances(client: Any, shapes: Sequence[str], zones: Mapping[str, str]) -> list[RunningInstance]:
    """Every running instance of some types, from all pages of the list.

    ``zones`` are ids by the account's own names, for answers that name a zone without its id. An instance that can't
    be told by its id makes the list none: UnableToReadAnswer.
    """
    found = []
    paginator = client.get_paginator("describe_instances")
    for first in range(0, len(shapes), FILTER_VALUES):
        filters = [
            {"Name": "instance-type", "Values": list(shapes[first : first + FILTER_VALUES])},
            {"Name": "instance-state-name", "Values": ["running"]},
        ]
        for page in paginator.paginate(Filters=filters, PaginationConfig={"PageSize": PAGE}):
            if "Reservations" not in page:
                raise UnableToReadAnswer
            found += [_instance(one, zones) for group in page["Reservations"] for one in group.get("Instances", ())]
    return list({one.key: one for one in found}.values())


def reservation_platform(details: str) -> str:
    """An instance's platform in the words reservations have for it."""
    for begins, word in BEGINNINGS:
        if details.startswith(begins):
            return f"{word}{details.removeprefix(begins)}"
    return PLATFORMS.get(details, details)


def _instance(entry: Wire, zones: Mapping[str, str]) -> RunningInstance:
    instance_id, shape = entry.get("InstanceId", ""), entry.get("InstanceType", "")
    if not 0 < len(instance_id) <= ID_ROOM or not 0 < len(shape) <= 64:
        raise UnableToReadAnswer
    place, wanted = entry.get("Placement", {}), entry.get("CapacityReservationSpecification", {})
    named = wanted.get("CapacityReservationTarget", {})
    told = {
        "zone_id": place.get("AvailabilityZoneId") or zones.get(place.get("AvailabilityZone", ""), ""),
        "platform": reservation_platform(entry.get("PlatformDetails", "")),
        "tenancy": place.get("Tenancy", ""),
        "preference": wanted.get("CapacityReservationPreference", ""),
    }
    target = named.get("CapacityReservationId") or named.get("CapacityReservationResourceGroupArn") or ""
    return RunningInstance(
        instance_id=instance_id,
        shape=shape,
        lifecycle=LIFECYCLES.get(entry.get("InstanceLifecycle", ""), Lifecycle.OTHER),
        reservation_id=str(entry.get("CapacityReservationId", ""))[:128],
        target=target if len(target) <= TARGET_ROOM else "",
        launched_at=utc(entry.get("LaunchTime")),
        **{name: said if len(said) <= ROOM[name] else "" for name, said in told.items()},
    )
