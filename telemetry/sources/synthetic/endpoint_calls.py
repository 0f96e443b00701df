"""What the endpoint knows how to answer: the read-only capacity calls of EC2, and STS."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from telemetry.sources.synthetic.endpoint_catalogue import INSTANCE_TYPES
from telemetry.sources.synthetic.endpoint_xml import answer_xml

Entry = Mapping[str, Any]

DEFAULT_ACCOUNT = "111122223333"
PAGE = 1000


@dataclass(frozen=True, slots=True)
class Call:
    """One request as it came in; region and key stand in its signature."""

    action: str
    region: str
    service: str
    access_key: str
    given: Mapping[str, str]

    @property
    def account_id(self) -> str:
        """Whose credentials these are: keys here end in their account's twelve digits."""
        tail = self.access_key[-12:]
        return tail if len(tail) == 12 and tail.isdigit() else DEFAULT_ACCOUNT

    def many(self, name: str) -> list[str]:
        """The values of a list parameter, ``name.1``, ``name.2``, …"""
        values: list[str] = []
        while (key := f"{name}.{len(values) + 1}") in self.given:
            values.append(self.given[key])
        return values


@dataclass(frozen=True, slots=True)
class RegionWorld:
    """What there is in one region for one account to see, each entry in botocore's output shape."""

    reservations: Sequence[Entry] = ()
    blocks: Sequence[Entry] = ()
    block_statuses: Sequence[Entry] = ()
    extensions: Sequence[Entry] = ()
    instances: Sequence[Entry] = ()
    used: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    instance_types: Sequence[Entry] = INSTANCE_TYPES
    regions: Sequence[str] = ("us-east-1", "us-west-2", "eu-central-1")


#: ``world(region, account_id)``
WorldSource = Callable[[str, str], RegionWorld]


class Refused(Exception):
    """An error answer with EC2's own code."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


@dataclass(frozen=True, slots=True)
class _List:
    """A call that lists: the member its entries stand in, their id, its list parameter and the error for an unknown."""

    member: str
    entries: Callable[[RegionWorld], Sequence[Entry]]
    id_member: str
    id_parameter: str
    unknown: str


LISTS = {
    "DescribeCapacityReservations": _List(
        "CapacityReservations", lambda world: world.reservations, "CapacityReservationId", "CapacityReservationId",
        "InvalidCapacityReservationId.NotFound",
    ),
    "DescribeCapacityBlocks": _List(
        "CapacityBlocks", lambda world: world.blocks, "CapacityBlockId", "CapacityBlockId",
        "InvalidCapacityBlockId.NotFound",
    ),
    "DescribeCapacityBlockStatus": _List(
        "CapacityBlockStatuses", lambda world: world.block_statuses, "CapacityBlockId", "CapacityBlockId",
        "InvalidCapacityBlockId.NotFound",
    ),
    "DescribeCapacityBlockExtensionHistory": _List(
        "CapacityBlockExtensions", lambda world: world.extensions, "CapacityReservationId", "CapacityReservationId",
        "InvalidCapacityReservationId.NotFound",
    ),
    "DescribeInstanceTypes": _List(
        "InstanceTypes", lambda world: world.instance_types, "InstanceType", "InstanceType", "InvalidInstanceType",
    ),
}  # fmt: skip


def answer(call: Call, world: WorldSource, *, external_ids: Mapping[str, str], page_sizes: Sequence[int] = ()) -> bytes:
    """The body of the answer to a call; Refused with the code AWS would give."""
    if call.action in LISTS:
        content = _listed(call, LISTS[call.action], world(call.region, call.account_id), page_sizes)
    elif call.action == "DescribeInstances":
        running = [entry for entry in world(call.region, call.account_id).instances if _fits(entry, call)]
        listed = _page(call, "Reservations", running, page_sizes)
        groups = [
            {"ReservationId": f"r-{entry['InstanceId']}", "Instances": [entry]} for entry in listed["Reservations"]
        ]
        content = {**listed, "Reservations": groups}
    elif call.action == "GetCapacityReservationUsage":
        content = _usage(call, world(call.region, call.account_id))
    elif call.action == "DescribeRegions":
        regions = world(call.region, call.account_id).regions
        content = {"Regions": [{"RegionName": name, "OptInStatus": "opt-in-not-required"} for name in regions]}
    elif call.action == "AssumeRole":
        content = _assumed(call, external_ids)
    elif call.action == "GetCallerIdentity":
        content = {"Account": call.account_id, "Arn": f"arn:aws:iam::{call.account_id}:root", "UserId": call.account_id}
    else:
        raise Refused(400, "InvalidAction", f"The action {call.action} is not valid for this web service.")
    return answer_xml(call.service, call.action, content)


def _listed(call: Call, kind: _List, world: RegionWorld, page_sizes: Sequence[int]) -> dict[str, Any]:
    ids, entries = call.many(kind.id_parameter), list(kind.entries(world))
    if ids and "MaxResults" in call.given:
        raise Refused(400, "InvalidParameterCombination", "MaxResults may not be given with ids.")
    for unknown in set(ids) - {entry.get(kind.id_member) for entry in entries}:
        raise Refused(400, kind.unknown, f"'{unknown}' does not exist")
    entries = [entry for entry in entries if (not ids or entry.get(kind.id_member) in ids) and _fits(entry, call)]
    return _page(call, kind.member, entries, page_sizes)


def _page(call: Call, member: str, entries: Sequence[Entry], page_sizes: Sequence[int]) -> dict[str, Any]:
    page, start = (int(part) for part in call.given.get("NextToken", "0-0").split("-"))
    asked = int(call.given.get("MaxResults", PAGE))
    end = start + (min(page_sizes[page], asked) if page < len(page_sizes) else asked)
    more = {"NextToken": f"{page + 1}-{end}"} if end < len(entries) else {}
    return {member: entries[start:end], **more}


def _fits(entry: Entry, call: Call) -> bool:
    """Whether an entry passes every filter: ``tag:key``, an instance's state, or a member written-like-this."""
    number = 1
    while name := call.given.get(f"Filter.{number}.Name"):
        tags = {tag.get("Key"): tag.get("Value") for tag in entry.get("Tags", ())}
        member = "".join(word.capitalize() for word in name.split("-"))
        value = tags.get(name[4:]) if name.startswith("tag:") else entry.get(member)
        if name == "instance-state-name":
            value = entry.get("State", {}).get("Name")
        if str(value) not in call.many(f"Filter.{number}.Value"):
            return False
        number += 1
    return True


def _usage(call: Call, world: RegionWorld) -> dict[str, Any]:
    asked = call.given.get("CapacityReservationId", "")
    for entry in world.reservations:
        if entry.get("CapacityReservationId") == asked:
            counts = ("InstanceType", "TotalInstanceCount", "AvailableInstanceCount", "State")
            used = sorted(world.used.get(asked, {}).items())
            start = int(call.given.get("NextToken", 0))
            page = [{"AccountId": account, "UsedInstanceCount": count} for account, count in used[start : start + 1]]
            more = {"NextToken": str(start + 1)} if start + 1 < len(used) else {}
            shown = {name: entry[name] for name in counts if name in entry}
            return {"CapacityReservationId": asked, **shown, "InstanceUsages": page, **more}
    raise Refused(400, "InvalidCapacityReservationId.NotFound", f"The capacity reservation '{asked}' does not exist")


def _assumed(call: Call, external_ids: Mapping[str, str]) -> dict[str, Any]:
    role = call.given.get("RoleArn", "")
    if role not in external_ids or external_ids[role] != call.given.get("ExternalId", ""):
        raise Refused(403, "AccessDenied", f"not authorized to perform: sts:AssumeRole on resource: {role}")
    account = role.split(":")[4]
    return {
        "Credentials": {
            "AccessKeyId": f"ASIA{account}",
            "SecretAccessKey": "synthetic",
            "SessionToken": f"synthetic-{account}",
            "Expiration": datetime(2099, 1, 1, tzinfo=UTC),
        },
        "AssumedRoleUser": {"AssumedRoleId": f"AROA{account}:moorage", "Arn": role},
    }
