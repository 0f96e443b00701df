"""Reservations whose end takes the machines away, and when."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q

from reservations.domain.reservation_state import Kind, State
from reservations.domain.usable_end import counted_end
from reservations.models import Reservation
from reservations.selectors.standing import standing, with_teams


@dataclass(frozen=True, slots=True)
class BlockHeld:
    """A reservation with an end; ``takes_machines``: what runs on it is terminated; ``teams`` may see it.

    ``usable_until`` None: nobody said.

    ``unpaid_end_at``: the end that its provider lists, where an extension to it is not paid and so does not count.
    """

    id: int
    external_id: str
    arn: str
    kind: Kind
    state: State
    shape: str
    region: str
    zone_id: str
    owner: str | None
    pool: str | None
    teams: frozenset[str]
    total_count: int | None
    start_at: datetime | None
    end_at: datetime
    usable_until: datetime | None
    takes_machines: bool
    unpaid_end_at: datetime | None


def blocks_ending(*, as_of: datetime, after: datetime, also: Collection[int] = ()) -> list[BlockHeld]:
    """Every block that ends after an instant, the next first, and of ``also`` those that have an end; in one query."""
    block = Q(kind=Kind.BLOCK.value) | Q(ends_terminate_instances=True)
    rows = standing(as_of, seen_by=None, priced_for=None).filter(block | Q(pk__in=also), end_at__gt=after)
    held = rows.exclude(state=State.FAILED.value).annotate(extensions=F("raw__CapacityBlockExtensions"))
    told = [_held(one) for one in with_teams(held)]
    return sorted((one for one in told if one.end_at > after), key=lambda one: (one.end_at, one.external_id, one.id))


def _held(one: Reservation) -> BlockHeld:
    end = counted_end(
        kind=one.kind, shape=one.shape, end_at=one.end_at, told=one.usable_until, extensions=one.extensions
    )
    return BlockHeld(
        id=one.pk,
        external_id=one.external_id,
        arn=one.arn,
        kind=Kind(one.kind),
        state=State(one.state_now),
        shape=one.shape,
        region=one.region,
        zone_id=one.zone_id,
        owner=one.owner_now,
        pool=one.pool_name,
        teams=frozenset(team for team in (one.own_owner, one.pool_owner, *one.pool_teams) if team is not None),
        total_count=one.count_now,
        start_at=one.start_at,
        end_at=end.end_at or one.end_at,
        usable_until=None if one.usable_until is None else end.usable_until,
        takes_machines=one.ends_terminate_instances or one.kind == Kind.BLOCK.value,
        unpaid_end_at=end.unpaid_end_at,
    )
