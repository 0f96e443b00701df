"""Reservations with what their ends rest on: for renewals, calendars and whatever else looks ahead."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import F, Q

from reservations.domain.held_now import OVER
from reservations.domain.reservation_state import Kind, State
from reservations.domain.usable_end import counted_end
from reservations.selectors.standing import standing, with_teams

NEVER = datetime.max.replace(tzinfo=UTC)

# Nine hundred models take longer to make than the query to run.
_READ = (
    "pk",
    "arn",
    "external_id",
    "kind",
    "state_now",
    "shape",
    "zone_id",
    "count_now",
    "gpus_per_instance",
    "pool_gpus",
    "start_at",
    "end_at",
    "usable_until",
    "extensions",
    "commitment_end_at",
    "missing_since",
    "own_owner",
    "pool_owner",
    "owner_now",
    "pool_name",
    "pool_now",
    "pool_teams",
)


@dataclass(frozen=True, slots=True)
class ReservationEnd:
    """One reservation at an instant; ``owner`` blank: nobody answers for it, ``pool`` blank: it backs none.

    ``answering`` are the teams whose owners may decide about it, ``teams`` those that may see it. ``nodes`` is what it
    holds or will hold, None unknown. ``end_at`` counts only what is paid; ``extension_pending``: an extension of it
    waits for its payment.
    """

    id: int
    arn: str
    external_id: str
    kind: Kind
    state: State
    shape: str
    zone_id: str
    nodes: int | None
    gpus_each: Decimal | None
    start_at: datetime | None
    end_at: datetime | None
    usable_until: datetime | None
    commitment_end_at: datetime | None
    extension_pending: bool
    missing_since: datetime | None
    owner: str
    pool: str
    pool_id: int | None
    answering: frozenset[str]
    teams: frozenset[str]

    @property
    def gone(self) -> bool:
        """Whether it promises nothing any more, whatever its end says."""
        return self.state in OVER or self.missing_since is not None

    @property
    def term(self) -> timedelta | None:
        """How long it lasts from its start to its end; None while one of them is unknown."""
        return None if self.start_at is None or self.end_at is None else self.end_at - self.start_at


def reservation_ends(
    *, as_of: datetime, seen_by: frozenset[str] | None = None, also: Collection[int] = ()
) -> list[ReservationEnd]:
    """Every reservation of some teams (None: of all) that is not over, and those of ``also``, by end, in one query."""
    now = Q(missing_since__isnull=True) & ~Q(state_now__in=[state.value for state in OVER])
    found = standing(as_of, seen_by=seen_by, priced_for=frozenset()).filter(now | Q(pk__in=also))
    found = with_teams(found).annotate(extensions=F("raw__CapacityBlockExtensions"))
    return sorted((_end(one) for one in found.values_list(*_READ, named=True)), key=_by_end)


def _by_end(one: ReservationEnd) -> tuple[bool, datetime, str, int]:
    return one.end_at is None, one.end_at or NEVER, one.external_id, one.id


def _end(one: Any) -> ReservationEnd:
    answering = frozenset(team for team in (one.own_owner, one.pool_owner) if team)
    end = counted_end(
        kind=one.kind, shape=one.shape, end_at=one.end_at, told=one.usable_until, extensions=one.extensions
    )
    return ReservationEnd(
        id=one.pk,
        arn=one.arn,
        external_id=one.external_id,
        kind=Kind(one.kind),
        state=State(one.state_now),
        shape=one.shape,
        zone_id=one.zone_id,
        nodes=one.count_now,
        gpus_each=one.gpus_per_instance if one.pool_gpus is None else one.pool_gpus,
        start_at=one.start_at,
        end_at=end.end_at,
        usable_until=end.usable_until,
        commitment_end_at=one.commitment_end_at,
        extension_pending=end.extension_pending,
        missing_since=one.missing_since,
        owner=one.owner_now or "",
        pool=one.pool_name or "",
        pool_id=one.pool_now,
        answering=answering,
        teams=answering | frozenset(team for team in one.pool_teams if team),
    )
