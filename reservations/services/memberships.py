"""The pools' rules become dated memberships: which reservation backs which pool, and since when (DESIGN §3)."""

from datetime import datetime

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from reservations.domain.assignment import AssignmentReport, Claim, UnableToAssign, claimed_pool
from reservations.models import Pool, PoolMembership, PoolReservationRule, Reservation
from reservations.services.inventory_lock import lock_inventory


@transaction.atomic
def assign_reservations(*, as_of: datetime) -> AssignmentReport:
    """Bring memberships in line with the rules as of an instant; what two pools claim stays where it is.

    The first assignment reaches back without limit; a move ends one membership and begins the next at ``as_of``.
    One that began later than ``as_of`` is never touched.
    """
    lock_inventory()
    claims = [
        Claim(pool, value, tag_key)
        for pool, value, tag_key in PoolReservationRule.objects.values_list("pool__name", "value", "tag_key")
    ]
    pools = {pool.name: pool for pool in Pool.objects.all()}
    latest = {
        membership.reservation_id: membership
        for membership in PoolMembership.objects.select_related("pool").order_by("period")
    }
    changed, refused = [], []
    for reservation in Reservation.objects.only("external_id", "arn", "tags").order_by("external_id", "arn"):
        try:
            name = claimed_pool(claims, external_id=reservation.external_id, arn=reservation.arn, tags=reservation.tags)
        except UnableToAssign as unable:
            refused.append(str(unable))
            continue
        pool = pools[name] if name else None
        if moved := _move(reservation, pool, latest.get(reservation.pk), as_of):
            changed.append(moved)
    return AssignmentReport(tuple(changed), tuple(refused))


def _move(reservation: Reservation, pool: Pool | None, latest: PoolMembership | None, as_of: datetime) -> str:
    """Give one reservation to one pool, or to none; a sentence when that changed anything."""
    if latest is None:
        if pool is None:
            return ""
        PoolMembership.objects.create(pool=pool, reservation=reservation, period=DateTimeTZRange(None, None))
        return f"{reservation.external_id} backs {pool.name}"
    began, ended = latest.period.lower, latest.period.upper
    current = latest.pool if ended is None else None
    if current == pool or max(began or as_of, ended or as_of) > as_of:
        return ""
    if current is not None:
        _end(latest, as_of)
    if pool is None:
        return f"{reservation.external_id} no longer backs {latest.pool.name}"
    PoolMembership.objects.create(pool=pool, reservation=reservation, period=DateTimeTZRange(as_of, None))
    return f"{reservation.external_id} backs {pool.name} from {as_of:%Y-%m-%d %H:%M} UTC"


def _end(membership: PoolMembership, as_of: datetime) -> None:
    if membership.period.lower == as_of:
        membership.delete()  # it would be empty
        return
    membership.period = DateTimeTZRange(membership.period.lower, as_of)
    membership.save(update_fields=["period"])
