"""The demo's second account, told once and never again: reservations at their edges, and a region that never answers.

What its lists would have said goes through ``record_sweeps`` as anybody's does.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from reservations.domain.listing import Listed, Sweep
from reservations.domain.reservation_state import Kind, ec2_state
from reservations.domain.usable_end import BLOCK_ENDS_EARLY
from reservations.selectors.free_slots import held_now
from reservations.services.reservation_notes import set_owner
from reservations.services.sweeps import record_sweeps

ACCOUNT, ACCOUNT_ID = "demo-lab", "444455556666"
REGION, DARK_REGION = "us-west-2", "eu-west-1"
OWNER = "research"
EVERY, WATCHED = timedelta(minutes=5), timedelta(minutes=90)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class _Edge:
    """One reservation: when it began and ends, from the load on, and how many of its nodes are launched."""

    name: str
    kind: Kind
    began: timedelta
    ends: timedelta
    total: int
    used: int


EDGES = (
    _Edge("cr-0demo1ab0begun", Kind.BLOCK, timedelta(minutes=-40), 3 * DAY, 2, 0),
    _Edge("cr-0demo1ab0extend", Kind.BLOCK, -6 * DAY, timedelta(hours=20), 2, 2),
    _Edge("cr-0demo1ab0limited", Kind.ON_DEMAND, -30 * DAY, 2 * DAY, 4, 3),
)
"""A block that began empty, one that can be extended for some hours yet, and one whose nodes go on on demand."""


def load_lab(*, as_of: datetime) -> bool:
    """Have the lab's reservations, and say whether they had to be made: while one of them is held, they stand."""
    names = {edge.name for edge in EDGES}
    if any(one.external_id.split("-at-")[0] in names for one in held_now(as_of=as_of)):
        return False
    times = [as_of - place * EVERY for place in range(WATCHED // EVERY, -1, -1)]
    record_sweeps(sweeps=[*(_sweep(at, as_of) for at in times), _unanswered(as_of)])
    for one in held_now(as_of=as_of):
        if one.external_id.split("-at-")[0] in names:
            set_owner(pk=one.id, owner=OWNER)
    return True


def _sweep(at: datetime, as_of: datetime) -> Sweep:
    listed = tuple(_listed(edge, at, as_of) for edge in EDGES if as_of + edge.began - HOUR <= at)
    return Sweep(ACCOUNT, ACCOUNT_ID, REGION, at, complete=True, listed=listed)


def _unanswered(as_of: datetime) -> Sweep:
    error = "Could not connect to the endpoint of eu-west-1."
    return Sweep(ACCOUNT, ACCOUNT_ID, DARK_REGION, as_of, complete=False, error_code="Unreachable", error=error)


def _listed(edge: _Edge, at: datetime, as_of: datetime) -> Listed:
    start, end, block = as_of + edge.began, as_of + edge.ends, edge.kind is Kind.BLOCK
    name, begun = f"{edge.name}-at-{as_of:%Y%m%d%H%M}", start <= at
    state = "active" if begun else "scheduled"
    return Listed(
        arn=f"arn:aws:ec2:{REGION}:{ACCOUNT_ID}:capacity-reservation/{name}",
        external_id=name,
        kind=edge.kind,
        state_raw=state,
        state=ec2_state(state),
        owner_account=ACCOUNT_ID,
        region=REGION,
        zone_id="usw2-az1",
        zone_name="us-west-2a",
        shape="p5.48xlarge",
        platform="Linux/UNIX",
        tenancy="default",
        gpus_per_instance=Decimal(8),
        total_count=edge.total if begun else 0,
        planned_count=edge.total,
        available_count=edge.total - edge.used if begun else None,
        start_at=start,
        end_at=end,
        usable_until=end - BLOCK_ENDS_EARLY if block else end,
        ends_terminate_instances=block,
        matching="targeted" if block else "open",
    )
