"""The demo fleet behind EC2's own interface, so that the demo reads it the way it would read AWS."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from telemetry.sources.synthetic.capacity import blocks_at, reservations_at
from telemetry.sources.synthetic.endpoint import Endpoint, RegionWorld, serving
from telemetry.sources.synthetic.instances import instances_at
from telemetry.sources.synthetic.store import stored
from telemetry.sources.synthetic.story import ACCOUNT_ID, REGION, world_at


@contextmanager
def serving_demo_ec2(*, url: str, clock: Callable[[], datetime], port: int = 0) -> Iterator[str]:
    """Serve the fleet behind a ``synthetic://`` address as it stands at each call's instant; gives the address."""
    fleet = world_at(url)

    def world(region: str, account_id: str) -> RegionWorld:
        if (region, account_id) != (REGION, ACCOUNT_ID):
            return RegionWorld()
        at = clock()
        reservations = reservations_at(fleet, at)
        used = {str(one["CapacityReservationId"]): {ACCOUNT_ID: _used(one)} for one in reservations}
        running = instances_at(fleet, at)
        return RegionWorld(reservations=reservations, blocks=blocks_at(fleet, at), instances=running, used=used)

    with serving(Endpoint(world, stored=stored), port=port) as address:
        yield address


def _used(reservation: Mapping[str, Any]) -> int:
    """Instances that run in it: all of them are the one account's own."""
    return int(reservation["TotalInstanceCount"]) - int(reservation["AvailableInstanceCount"])
