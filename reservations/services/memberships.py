"""Pools' rules become dated memberships: which reservation backs which, since when (docs/inventory.md#memberships)."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from reservations.domain.assignment import (
    AssignmentReport,
    Claim,
    UnableToAssign,
    by_hand_remarks,
    checked_shape,
    claimed_pool,
    gpus_remark,
    unbacking_remark,
    unseen_remarks,
)
from reservations.domain.reservation_state import Kind, State
from reservations.domain.tags import told_tags
from reservations.models import Pool, PoolMembership, PoolReservationRule, Reservation, SyncRun
from reservations.services.inventory_lock import lock_inventory

READ = ("external_id", "arn", "kind", "tags", "shape", "gpus_per_instance", "state", "missing_since")
OVER = frozenset({State.ENDED, State.FAILED})


@transaction.atomic
def assign_reservations(*, as_of: datetime) -> AssignmentReport:
    """Bring memberships in line with the rules as of an instant; what can't be assigned stays where it is.

    The first assignment reaches back without limit; a move ends one membership and begins the next at ``as_of``.
    One that began later than ``as_of`` is never touched, and what people entered backs what they say it does.
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
    changed, refused, remarks, idle = [], [], [], []
    every = list(Reservation.objects.only(*READ).order_by("external_id", "arn"))
    by_hand = [row for row in every if row.kind == Kind.MANUAL.value]
    reservations = [row for row in every if row.kind != Kind.MANUAL.value]
    for reservation in reservations:
        try:
            pool = _claiming(reservation, claims, pools)
        except UnableToAssign as unable:
            refused.append(str(unable))
            continue
        if moved := _move(reservation, pool, latest.get(reservation.pk), as_of):
            changed.append(moved)
        if remark := _remark(reservation, pool):
            remarks.append(remark)
        if pool is None and reservation.missing_since is None and reservation.state not in OVER:
            idle.append(reservation.external_id)
    remarks += [*_unseen(claims, every), *filter(None, [unbacking_remark(idle)])]
    shown = {row.external_id for row in reservations}
    remarks += by_hand_remarks(claims, by_hand=[row.external_id for row in by_hand], shown=shown)
    return AssignmentReport(tuple(changed), tuple(refused), tuple(remarks))


def _unseen(claims: Sequence[Claim], reservations: Sequence[Reservation]) -> list[str]:
    """Nothing before a list was read: until then no id can have been shown."""
    if not SyncRun.objects.filter(complete=True).exists():
        return []
    return unseen_remarks(claims, shown={name for row in reservations for name in (row.external_id, row.arn)})


def _claiming(reservation: Reservation, claims: Sequence[Claim], pools: Mapping[str, Pool]) -> Pool | None:
    """The pool a reservation is to back, None when no rule names it; UnableToAssign when it may not."""
    external_id = reservation.external_id
    name = claimed_pool(claims, external_id=external_id, arn=reservation.arn, tags=told_tags(reservation.tags))
    if name is None:
        return None
    checked_shape(reservation.shape, external_id=external_id, pool=name, instance_type=pools[name].instance_type)
    return pools[name]


def _remark(reservation: Reservation, pool: Pool | None) -> str:
    if pool is None:
        return ""
    return gpus_remark(
        reservation.gpus_per_instance,
        external_id=reservation.external_id,
        pool=pool.name,
        gpus_per_node=pool.gpus_per_node,
    )


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
