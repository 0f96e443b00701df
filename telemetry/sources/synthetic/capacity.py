"""The demo fleet as EC2 would list it: in botocore's shape for the endpoint, as sweeps for the back-fill."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import lru_cache

from reservations.domain.listing import Listed, Sweep
from reservations.domain.period import Period, epoch_ms
from reservations.domain.reservation_state import Kind, ec2_state
from telemetry.sources.synthetic.instances import running_at
from telemetry.sources.synthetic.nodes import reservation_id, stock
from telemetry.sources.synthetic.noise import hex_name
from telemetry.sources.synthetic.story import (
    ACCOUNT_ID,
    DAY_MS,
    GPUS_PER_NODE,
    GRID_MS,
    REGION,
    Promise,
    World,
    instant,
)

EVERY = timedelta(minutes=5)
BOUGHT_BEFORE_MS = 14 * DAY_MS
LISTED_AFTER_MS = 2 * DAY_MS
PLANNED_TAG = "aws:ec2capacityreservation:incrementalRequestedQuantity"
PLATFORM = "Linux/UNIX"


@dataclass(frozen=True, slots=True)
class _Count:
    """What changes about a promise while it is listed; a block that has not begun shows no size yet."""

    state: str
    total: int
    available: int


def _count(world: World, promise: Promise, at_ms: int) -> _Count | None:
    """How EC2 counts a promise at an instant; None before it was bought and some time after it ended."""
    bought = promise.start_ms - (BOUGHT_BEFORE_MS if promise.block else 0)
    if at_ms < bought or (promise.end_ms is not None and at_ms >= promise.end_ms + LISTED_AFTER_MS):
        return None
    if at_ms < promise.start_ms:
        return _Count("scheduled", 0, 0)
    if promise.end_ms is not None and at_ms >= promise.end_ms:
        return _Count("expired", promise.sizes[-1][1], 0)
    there = stock(world, promise.pool, at_ms)
    total = promise.size_at(at_ms)
    return _Count("active", total, total - len(there.machines) if there.promise is promise else 0)


def _block_id(world: World, promise: Promise) -> str:
    return f"cb-0{hex_name(16, world.seed, 'block', promise.key)}"


def arn(world: World, promise: Promise) -> str:
    """The provider's own name of a promise, unique between accounts."""
    return f"arn:aws:ec2:{REGION}:{ACCOUNT_ID}:capacity-reservation/{reservation_id(world, promise)}"


def _tags(promise: Promise) -> dict[str, str]:
    tags = {"Name": promise.pool.name, "pool": promise.pool.name}
    return tags | {PLANNED_TAG: str(promise.sizes[-1][1])} if promise.block else tags


def _as_ec2(world: World, promise: Promise, count: _Count) -> dict[str, object]:
    used = count.total - count.available if count.state == "active" else 0
    shown: dict[str, object] = {
        "CapacityReservationId": reservation_id(world, promise),
        "CapacityReservationArn": arn(world, promise),
        "OwnerId": ACCOUNT_ID,
        "AvailabilityZone": promise.pool.zone_name,
        "AvailabilityZoneId": promise.pool.zone_id,
        "InstanceType": promise.pool.instance_type,
        "InstancePlatform": PLATFORM,
        "Tenancy": "default",
        "TotalInstanceCount": count.total,
        "AvailableInstanceCount": count.available,
        "EbsOptimized": True,
        "EphemeralStorage": False,
        "State": count.state,
        "StartDate": instant(promise.start_ms),
        "CreateDate": instant(promise.start_ms - (BOUGHT_BEFORE_MS if promise.block else 0)),
        "EndDateType": "unlimited" if promise.end_ms is None else "limited",
        "InstanceMatchCriteria": promise.pool.matching,
        "Tags": [{"Key": key, "Value": value} for key, value in _tags(promise).items()],
        "CapacityAllocations": [{"AllocationType": "used", "Count": used}] if used else [],
    }
    if promise.end_ms is not None:
        shown["EndDate"] = instant(promise.end_ms)
    if promise.block:
        shown |= {"ReservationType": "capacity-block", "CapacityBlockId": _block_id(world, promise)}
    return shown


def reservations_at(world: World, at: datetime) -> list[dict[str, object]]:
    """What DescribeCapacityReservations lists at an instant, in botocore's output shape."""
    at_ms = _on_grid(at)
    counted = ((promise, _count(world, promise, at_ms)) for promise in world.promises)
    return [_as_ec2(world, promise, count) for promise, count in counted if count is not None]


def blocks_at(world: World, at: datetime) -> list[dict[str, object]]:
    """What DescribeCapacityBlocks lists at an instant, in botocore's output shape."""
    at_ms = _on_grid(at)
    counted = ((promise, _count(world, promise, at_ms)) for promise in world.promises if promise.block)
    return [_block_as_ec2(world, promise, count) for promise, count in counted if count is not None]


def _block_as_ec2(world: World, promise: Promise, count: _Count) -> dict[str, object]:
    assert promise.end_ms is not None  # nosec B101
    return {
        "CapacityBlockId": _block_id(world, promise),
        "AvailabilityZone": promise.pool.zone_name,
        "AvailabilityZoneId": promise.pool.zone_id,
        "CapacityReservationIds": [reservation_id(world, promise)],
        "StartDate": instant(promise.start_ms),
        "EndDate": instant(promise.end_ms),
        "CreateDate": instant(promise.start_ms - BOUGHT_BEFORE_MS),
        "State": count.state,
        "Tags": [{"Key": "Name", "Value": promise.pool.name}],
    }


def _on_grid(at: datetime) -> int:
    return epoch_ms(at) // GRID_MS * GRID_MS


@lru_cache(maxsize=4_096)
def _listed(world: World, promise: Promise, count: _Count) -> Listed:
    """One object for as long as nothing about a promise changes: sixty days of sweeps share a few hundred."""
    usable, active = promise.usable_until_ms or promise.end_ms, count.state == "active"
    return Listed(
        arn=arn(world, promise),
        external_id=reservation_id(world, promise),
        kind=Kind.BLOCK if promise.block else Kind.ON_DEMAND,
        state_raw=count.state,
        state=ec2_state(count.state),
        owner_account=ACCOUNT_ID,
        region=REGION,
        zone_id=promise.pool.zone_id,
        zone_name=promise.pool.zone_name,
        shape=promise.pool.instance_type,
        platform=PLATFORM,
        tenancy="default",
        gpus_per_instance=Decimal(GPUS_PER_NODE),
        total_count=count.total,
        planned_count=None if active else promise.sizes[-1][1],
        available_count=count.available if active else None,
        start_at=instant(promise.start_ms),
        end_at=None if promise.end_ms is None else instant(promise.end_ms),
        usable_until=None if usable is None else instant(usable),
        ends_terminate_instances=promise.block,
        matching=promise.pool.matching,
        parent_id=_block_id(world, promise) if promise.block else "",
        tags=_tags(promise),
    )


def sweep(world: World, account: str, at: datetime) -> Sweep:
    """One complete list of the demo account's region, as a sweep at that instant would have found it."""
    at_ms = _on_grid(at)
    counted = ((promise, _count(world, promise, at_ms)) for promise in world.promises)
    listed = tuple(_listed(world, promise, count) for promise, count in counted if count is not None)
    shapes = tuple(sorted({row.shape for row in listed}))
    running = tuple(one for one in running_at(world, at) if one.shape in shapes)
    return Sweep(
        account, ACCOUNT_ID, REGION, at, complete=True, listed=listed, instances=running, instance_shapes=shapes
    )


def sweeps(world: World, account: str, period: Period, *, every: timedelta = EVERY) -> Iterator[Sweep]:
    """A sweep at the period's start and then one after each ``every``, as long as it lasts."""
    at = period.start
    while at < period.end:
        yield sweep(world, account, at)
        at += every
