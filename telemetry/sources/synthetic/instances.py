"""The demo fleet's instances as EC2 would list them: those in the reservations, and some that run beside them."""

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

from reservations.domain.instance_history import Lifecycle, RunningInstance
from reservations.domain.period import epoch_ms
from telemetry.sources.synthetic.nodes import Machine, Stock, stock
from telemetry.sources.synthetic.noise import hex_name
from telemetry.sources.synthetic.story import (
    DAY_MS,
    GRID_MS,
    HOUR_MS,
    NOTEBOOKS,
    POOLS,
    TRAINING,
    PoolStory,
    Promise,
    World,
    instant,
)

PLATFORM, TENANCY = "Linux/UNIX", "default"

OPTED_OUT_SINCE_DAY, ELSEWHERE_SINCE_DAY = -40, -21
OPTED_OUT, OFFICE_HOURS = 2, range(8, 18)
"""For weeks a node pool has launched notebooks with the preference “none”, while most of their reservation is free."""


def running_at(world: World, at: datetime) -> tuple[RunningInstance, ...]:
    """Every running instance of the fleet's shapes at an instant."""
    at_ms = epoch_ms(at) // GRID_MS * GRID_MS
    inside = (one for pool in POOLS for one in _inside(world, pool, stock(world, pool, at_ms)))
    return (*inside, *_beside(world, at_ms))


def instances_at(world: World, at: datetime) -> list[dict[str, Any]]:
    """The same as DescribeInstances lists them, in botocore's output shape."""
    names = {pool.zone_id: pool.zone_name for pool in POOLS}
    return [_as_ec2(one, names[one.zone_id]) for one in running_at(world, at)]


@lru_cache(maxsize=4_096)
def _inside(world: World, pool: PoolStory, there: Stock) -> tuple[RunningInstance, ...]:
    if there.promise is None:
        return ()
    return tuple(_machine(world, pool, there.promise, machine) for machine in there.machines)


def _machine(world: World, pool: PoolStory, promise: Promise, machine: Machine) -> RunningInstance:
    targeted = pool.matching == "targeted"
    return RunningInstance(
        instance_id=f"i-0{hex_name(16, world.seed, 'instance', pool.name, machine.name)}",
        shape=pool.instance_type,
        zone_id=pool.zone_id,
        platform=PLATFORM,
        tenancy=TENANCY,
        lifecycle=Lifecycle.CAPACITY_BLOCK if promise.block else Lifecycle.ON_DEMAND,
        reservation_id=machine.reservation,
        preference="" if targeted else "open",
        target=machine.reservation if targeted else "",
        launched_at=instant(promise.start_ms),
    )


def _beside(world: World, at_ms: int) -> Iterator[RunningInstance]:
    """Notebooks that opted out, by day in their reservation's zone; one more ran on in another zone."""
    day, hour = at_ms // DAY_MS, at_ms % DAY_MS // HOUR_MS
    weekday = (day + 3) % 7
    if at_ms >= world.day_ms(OPTED_OUT_SINCE_DAY) and weekday < 5 and hour in OFFICE_HOURS:
        launched = day * DAY_MS + OFFICE_HOURS.start * HOUR_MS
        for seat in range(OPTED_OUT):
            yield _notebook(world, NOTEBOOKS.zone_id, "none", launched, (seat, day))
    if at_ms >= (since := world.day_ms(ELSEWHERE_SINCE_DAY, 9)):
        yield _notebook(world, TRAINING.zone_id, "open", since, ("elsewhere",))


@lru_cache(maxsize=1_024)
def _notebook(
    world: World, zone_id: str, preference: str, launched: int, words: tuple[str | int, ...]
) -> RunningInstance:
    return RunningInstance(
        instance_id=f"i-0{hex_name(16, world.seed, 'beside', *words)}",
        shape=NOTEBOOKS.instance_type,
        zone_id=zone_id,
        platform=PLATFORM,
        tenancy=TENANCY,
        preference=preference,
        launched_at=instant(launched),
    )


def _as_ec2(one: RunningInstance, zone_name: str) -> dict[str, Any]:
    wanted: dict[str, Any] = {}
    if one.preference:
        wanted["CapacityReservationPreference"] = one.preference
    if one.target:
        wanted["CapacityReservationTarget"] = {"CapacityReservationId": one.target}
    shown: dict[str, Any] = {
        "InstanceId": one.instance_id,
        "InstanceType": one.shape,
        "State": {"Code": 16, "Name": "running"},
        "Placement": {"AvailabilityZone": zone_name, "AvailabilityZoneId": one.zone_id, "Tenancy": one.tenancy},
        "PlatformDetails": one.platform,
        "LaunchTime": one.launched_at,
        "CapacityReservationSpecification": wanted,
    }
    if one.reservation_id:
        shown["CapacityReservationId"] = one.reservation_id
    if one.lifecycle is Lifecycle.CAPACITY_BLOCK:
        shown["InstanceLifecycle"] = "capacity-block"
    return shown
