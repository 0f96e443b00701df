"""One entry of DescribeCapacityReservations in our words; every member may be absent, and absent is unknown."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from reservations.domain.listing import Listed
from reservations.domain.reservation_state import Kind, State, ec2_state
from reservations.domain.usable_end import ULTRASERVER_PREFIXES, ends_early
from telemetry.domain.sweep import RegionQuestion

Wire = Mapping[str, Any]

TYPE_TAG = "aws:ec2capacityreservation:capacityReservationType"
SIZE_TAG = "aws:ec2capacityreservation:incrementalRequestedQuantity"
#: What is kept of each member: more characters than this, or a larger count, and it is unknown.
ID_ROOM, ARN_ROOM = 128, 256
ROOM = {
    "OwnerId": 32,
    "State": 64,
    "AvailabilityZoneId": 32,
    "AvailabilityZone": 32,
    "InstanceType": 64,
    "InstancePlatform": 64,
    "Tenancy": 16,
    "InstanceMatchCriteria": 16,
    "CapacityBlockId": ID_ROOM,
    "UnusedReservationBillingOwnerId": 32,
}
COUNTS = ("TotalInstanceCount", "AvailableInstanceCount")
LARGEST_COUNT = 2**31 - 1
TAG_DIGITS = 10
FUTURE_STATES = frozenset({"scheduled", "assessing", "delayed", "unsupported", "cancelling"})


def listed(entry: Wire, *, question: RegionQuestion, partition: str = "aws") -> Listed | None:
    """The reservation an entry describes; None without an id or ARN that can be kept. Times in UTC, counts as ints.

    What ``unfitting`` names is unknown; ``raw`` keeps all as it was said.
    """
    odd = unfitting(entry)
    raw, entry = plain(entry), {name: value for name, value in entry.items() if name not in odd}
    arn = entry.get("CapacityReservationArn", "")
    external_id = entry.get("CapacityReservationId", "") or arn.rpartition("/")[2]
    owner = entry.get("OwnerId", "") or _owner(arn, question.account_id)
    arn = arn or f"arn:{partition}:ec2:{question.region}:{owner}:capacity-reservation/{external_id}"
    if not external_id or len(external_id) > ID_ROOM or len(arn) > ARN_ROOM:
        return None
    tags = {tag["Key"]: tag.get("Value", "") for tag in entry.get("Tags", ()) if "Key" in tag}
    kind, state_raw = _kind(entry, tags), entry.get("State", "")
    active = ec2_state(state_raw) is State.ACTIVE
    return Listed(
        arn=arn,
        external_id=external_id,
        kind=kind,
        state_raw=state_raw,
        state=ec2_state(state_raw),
        owner_account=owner,
        region=question.region,
        zone_id=entry.get("AvailabilityZoneId", ""),
        zone_name=entry.get("AvailabilityZone", ""),
        shape=entry.get("InstanceType", ""),
        platform=entry.get("InstancePlatform", ""),
        tenancy=entry.get("Tenancy", ""),
        total_count=_count(entry.get("TotalInstanceCount")),
        planned_count=None if active else _planned(entry, tags),
        available_count=_count(entry.get("AvailableInstanceCount")) if active else None,
        start_at=utc(entry.get("StartDate")),
        end_at=utc(entry.get("EndDate")),
        ends_terminate_instances=kind is Kind.BLOCK,
        matching=entry.get("InstanceMatchCriteria", ""),
        commitment_end_at=utc(entry.get("CommitmentInfo", {}).get("CommitmentEndDate")),
        parent_id=_parent(entry, kind),
        unused_billing_account=entry.get("UnusedReservationBillingOwnerId", ""),
        tags=tags,
        raw=raw,
    )


def unfitting(entry: Wire) -> list[str]:
    """The optional members of an entry that are too long or too large to be kept."""
    long = [name for name, room in ROOM.items() if len(entry.get(name, "")) > room]
    large = [name for name in COUNTS if entry.get(name, 0) > LARGEST_COUNT]
    nested = {
        "InterruptionInfo.SourceCapacityReservationId": len(_source(entry)) > ID_ROOM,
        "CommitmentInfo.CommittedInstanceCount": (_committed(entry) or 0) > LARGEST_COUNT,
        "CapacityAllocations": (_allocated(entry) or 0) > LARGEST_COUNT,
    }
    return [*long, *large, *(name for name, odd in nested.items() if odd)]


def utc(at: datetime | None) -> datetime | None:
    """An instant in UTC; one the provider sent without a zone is UTC by its convention."""
    if at is None:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def usable_until(row: Listed, *, ultraserver: bool | None) -> datetime | None:
    """When instances begin to be taken away: a block's end − 30 min, − 60 for an UltraServer; else the end.

    None of a block of which nobody said whether it is an UltraServer, unless its shape does.
    """
    if row.end_at is None or not row.ends_terminate_instances:
        return row.end_at
    if ultraserver is None and not row.shape.startswith(ULTRASERVER_PREFIXES):
        return None
    return row.end_at - ends_early(row.shape, ultraserver=ultraserver)


def plain(value: Any) -> Any:
    """The same value in what JSON can hold; instants as ISO 8601 in UTC."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, datetime):
        at = utc(value)
        return at.isoformat() if at else None
    return str(value) if isinstance(value, date | Decimal) else value


def _kind(entry: Wire, tags: Mapping[str, str]) -> Kind:
    if entry.get("Interruptible") or "InterruptionInfo" in entry:
        return Kind.INTERRUPTIBLE
    said = entry.get("ReservationType") or tags.get(TYPE_TAG)
    if said == "capacity-block" or entry.get("CapacityBlockId"):
        return Kind.BLOCK
    # An ordinary reservation says nothing of its type; a future-dated one keeps its commitment once delivered.
    ahead = "CommitmentInfo" in entry or "DeliveryPreference" in entry or entry.get("State") in FUTURE_STATES
    return Kind.FUTURE if ahead else Kind.ON_DEMAND


def _planned(entry: Wire, tags: Mapping[str, str]) -> int | None:
    """The size before a reservation is active: the largest of the places it may stand in; None when in none."""
    tagged = tags.get(SIZE_TAG, "")
    said = [
        entry.get("TotalInstanceCount"),
        int(tagged) if tagged.isascii() and tagged.isdigit() and len(tagged) <= TAG_DIGITS else None,
        _committed(entry),
        _allocated(entry),
    ]
    return max((count for one in said if (count := _count(one)) is not None), default=None)


def _committed(entry: Wire) -> int | None:
    count: int | None = entry.get("CommitmentInfo", {}).get("CommittedInstanceCount")
    return count


def _allocated(entry: Wire) -> int | None:
    ahead = [one for one in entry.get("CapacityAllocations", ()) if one.get("AllocationType") == "future"]
    return sum(one.get("Count", 0) for one in ahead) if ahead else None


def _count(said: int | None) -> int | None:
    """A number of instances; one below zero or beyond all machines is no number we could count with."""
    return said if said is not None and 0 <= said <= LARGEST_COUNT else None


def _owner(arn: str, asked: str) -> str:
    """The account an ARN names where it names one, else the one that was asked."""
    parts = arn.split(":")
    return parts[4] if len(parts) > 5 and len(parts[4]) <= ROOM["OwnerId"] else asked


def _source(entry: Wire) -> str:
    return str(entry.get("InterruptionInfo", {}).get("SourceCapacityReservationId", ""))


def _parent(entry: Wire, kind: Kind) -> str:
    if kind is Kind.INTERRUPTIBLE:
        source = _source(entry)
        return source if len(source) <= ID_ROOM else ""
    return str(entry.get("CapacityBlockId", ""))
