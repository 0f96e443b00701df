"""Who could approve: the active people of each role for a team, and what they were lent."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Max, Q

from reservations.domain.access import Role
from reservations.domain.procurement.delegation import Delegated
from reservations.domain.procurement.exception_type import ExceptionType
from reservations.models import Delegation, RoleGrant


@dataclass(frozen=True, slots=True)
class Holder:
    """One active person who holds a role."""

    user_id: int
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Lent:
    """A delegation with the names of both."""

    id: int
    delegator_name: str
    delegate_name: str
    reason: str
    made_at: datetime
    ended_at: datetime | None
    given: Delegated


def role_holders(team: str) -> Mapping[Role, list[Holder]]:
    """The active people who hold each role for a team or everywhere, by name; superusers only by what they hold."""
    rows = RoleGrant.objects.filter(Q(team__isnull=True) | Q(team__name=team), user__is_active=True)
    found: dict[Role, dict[int, Holder]] = {role: {} for role in Role}
    for role, pk, name, email in rows.order_by("user__username").values_list(
        "role", "user_id", "user__username", "user__email"
    ):
        found[Role(role)][pk] = Holder(pk, name, email)
    return {role: list(held.values()) for role, held in found.items()}


def role_granted_at(*, user_id: int, role: Role, team: str) -> datetime | None:
    """When somebody was last granted a role that counts for a team; None before this was kept."""
    grants = RoleGrant.objects.filter(Q(team__isnull=True) | Q(team__name=team), user_id=user_id, role=role.value)
    found: datetime | None = grants.aggregate(last=Max("granted_at"))["last"]
    return found


def delegations_of(user_id: int | None = None, *, at: datetime | None = None) -> list[Lent]:
    """Delegations to or from a person (None: everybody's), newest first; with ``at`` only those that hold then."""
    rows = Delegation.objects.select_related("delegator", "delegate")
    if user_id is not None:
        rows = rows.filter(Q(delegator_id=user_id) | Q(delegate_id=user_id))
    if at is not None:
        rows = rows.filter(period__contains=at)
    return [lent_of(row) for row in rows]


def lent_of(row: Delegation) -> Lent:
    """A delegation as the rules are asked about it; one that was ended before it began holds never."""
    start = row.period.lower or row.made_at
    given = Delegated(
        delegator=row.delegator_id,
        delegate=row.delegate_id,
        start=start,
        end=row.period.upper or start,
        up_to=Decimal(row.up_to),
        currency=row.currency,
        types=tuple(ExceptionType(kind) for kind in row.types),
    )
    return Lent(
        row.pk,
        row.delegator.get_username(),
        row.delegate.get_username(),
        row.reason,
        row.made_at,
        row.ended_at,
        given,
    )
