"""What the calls beside the list know: GPUs per instance, UltraServers, use per account, fees of extensions."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from botocore.exceptions import ClientError

from telemetry.sources.ec2.wire import Wire, plain

#: Types the catalogue has been seen to leave out (AWS's own product pages).
KNOWN_GPUS: dict[str, Decimal] = {
    "p6e-gb200.36xlarge": Decimal(4),
    "p6e-gb300.36xlarge": Decimal(4),
    "trn2u.48xlarge": Decimal(16),
}
FILTER_VALUES = 200
#: More in one instance than can be kept is no figure to count with.
MOST_GPUS = 9999
GONE = "InvalidCapacityReservationId.NotFound"


def gpus_per_instance(client: Any, shapes: Sequence[str]) -> dict[str, Decimal]:
    """GPUs or Neuron devices of each type, in decimal; a type the region does not know is absent.

    Asked for by filter: an unknown name in the list of types would fail the whole call.
    """
    found: dict[str, Decimal] = {}
    paginator = client.get_paginator("describe_instance_types")
    for first in range(0, len(shapes), FILTER_VALUES):
        names = {"Name": "instance-type", "Values": list(shapes[first : first + FILTER_VALUES])}
        for page in paginator.paginate(Filters=[names], PaginationConfig={"PageSize": 100}):
            for kind in page.get("InstanceTypes", ()):
                if "InstanceType" in kind and (count := _accelerators(kind)) is not None:
                    found[kind["InstanceType"]] = count
    return found


def _accelerators(kind: Wire) -> Decimal | None:
    """count, or logical count × part of a GPU where AWS cuts one up; an accelerator without figures is unknown."""
    devices = [*kind.get("GpuInfo", {}).get("Gpus", ()), *kind.get("NeuronInfo", {}).get("NeuronDevices", ())]
    counts = [_whole(device) for device in devices]
    total = sum((count for count in counts if count is not None), Decimal(0))
    return None if None in counts or total > MOST_GPUS else total


def _whole(device: Wire) -> Decimal | None:
    if device.get("Count"):
        return Decimal(device["Count"])
    if "LogicalGpuCount" in device and "GpuPartitionSize" in device:
        return Decimal(device["LogicalGpuCount"]) * Decimal(str(device["GpuPartitionSize"]))
    return None


def ultraserver_types(client: Any) -> dict[str, str]:
    """The UltraServer type of every capacity block that is one."""
    pages = client.get_paginator("describe_capacity_blocks").paginate(PaginationConfig={"PageSize": 1000})
    blocks = [block for page in pages for block in page.get("CapacityBlocks", ())]
    return {block["CapacityBlockId"]: block["UltraserverType"] for block in blocks if block.get("UltraserverType")}


def extensions(client: Any) -> dict[str, list[Any]]:
    """The extensions of every block with their fees, as the provider wrote them: the only fees it tells."""
    pages = client.get_paginator("describe_capacity_block_extension_history").paginate(
        PaginationConfig={"PageSize": 1000}
    )
    found: dict[str, list[Any]] = {}
    for page in pages:
        for extension in page.get("CapacityBlockExtensions", ()):
            found.setdefault(extension.get("CapacityReservationId", ""), []).append(plain(extension))
    return found


def read_usage(client: Any, own: Sequence[str], into: dict[str, dict[str, int]]) -> None:
    """Instances used per account of each reservation the account owns; what was read before a failure stays."""
    for external_id in own:
        try:
            into[external_id] = _usage(client, external_id)
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") != GONE:
                raise  # one that ended between the list and this call is no failure of the others


def _usage(client: Any, external_id: str) -> dict[str, int]:
    """One reservation's use; botocore has no paginator for this call."""
    used: dict[str, int] = {}
    token: dict[str, str] = {}
    while True:
        page = client.get_capacity_reservation_usage(CapacityReservationId=external_id, MaxResults=1000, **token)
        for usage in page.get("InstanceUsages", ()):
            if "AccountId" in usage and "UsedInstanceCount" in usage:
                used[usage["AccountId"]] = used.get(usage["AccountId"], 0) + usage["UsedInstanceCount"]
        if not page.get("NextToken") or page["NextToken"] == token.get("NextToken"):
            return used
        token = {"NextToken": page["NextToken"]}
