"""Which pool a reservation backs when, set by people; at most one at a time (docs/inventory.md#memberships)."""

from datetime import datetime

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from reservations.domain.membership_spans import Backing, mended
from reservations.domain.reservation_state import Kind
from reservations.models import Pool, PoolMembership, Reservation
from reservations.services.audit import AuditAct, record_event
from reservations.services.inventory_lock import lock_inventory


class UnableToMend(Exception):
    """The pool does not fit, or its rules would undo the change; the message is one sentence."""


def back_pool_from(row: Reservation, pool: Pool | None, as_of: datetime) -> None:
    """Let a reservation back a pool, or none: its first pool from ever on, another one from ``as_of`` on."""
    spans = backings(row.pk)
    current = next((span.pool_id for span in spans if span.end is None), None)
    if current == (pool.pk if pool else None):
        return
    write_backings(row, mended(spans, pool_id=pool.pk if pool else None, start=as_of if spans else None, end=None))


@transaction.atomic
def mend_membership(
    *, pk: int, pool: str | None, start: datetime | None, end: datetime | None, as_of: datetime
) -> bool:
    """Say which pool one reservation backed in ``[start, end)``, None: open; whether that changed anything.

    Hours that were collected before keep their figures until they are collected again. UnableToMend where the pool
    does not fit, or where it reaches past ``as_of`` and the pools' rules say otherwise.
    """
    lock_inventory()
    row = Reservation.objects.get(pk=pk)
    if start and end and end <= start:
        raise UnableToMend("It must end after it starts.")
    given = _pool(row, pool) if pool else None
    spans = backings(pk)
    wanted = mended(spans, pool_id=given.pk if given else None, start=start, end=end)
    if row.kind != Kind.MANUAL.value and _following(spans, as_of) != _following(wanted, as_of):
        raise UnableToMend(
            f"From now on the pools' rules say what {row.external_id} backs: change them in the configuration, "
            "and mend only what lies before."
        )
    if wanted == spans:
        return False
    write_backings(row, wanted)
    record_event(
        what=AuditAct.INVENTORY_CHANGED,
        about="reservation",
        ident=str(pk),
        before={"id": row.external_id, "backs": _told(spans)},
        after={"id": row.external_id, "backs": _told(wanted)},
    )
    return True


def backings(pk: int) -> tuple[Backing, ...]:
    """Which pool a reservation backed when, in time order."""
    rows = PoolMembership.objects.filter(reservation_id=pk).order_by("period")
    return tuple(Backing(row.pool_id, row.period.lower, row.period.upper) for row in rows)


def write_backings(row: Reservation, wanted: tuple[Backing, ...]) -> None:
    """Bring the memberships to these; what agrees already stays."""
    missing = set(wanted)
    for stored in PoolMembership.objects.filter(reservation=row):
        said = Backing(stored.pool_id, stored.period.lower, stored.period.upper)
        if said in missing:
            missing.remove(said)
        else:
            stored.delete()
    for span in sorted(missing, key=wanted.index):
        PoolMembership.objects.create(
            pool_id=span.pool_id, reservation=row, period=DateTimeTZRange(span.start, span.end)
        )


def _told(spans: tuple[Backing, ...]) -> list[dict[str, object]]:
    names = dict(Pool.objects.filter(pk__in=[span.pool_id for span in spans]).values_list("pk", "name"))
    return [{"pool": names[span.pool_id], "from": span.start, "to": span.end} for span in spans]


def _pool(row: Reservation, name: str) -> Pool:
    pool = Pool.objects.filter(name=name).first()
    if pool is None:
        raise UnableToMend(f"There is no pool “{name}”.")
    if row.shape and row.shape != pool.instance_type:
        raise UnableToMend(f"The pool {name} is of {pool.instance_type}, and {row.external_id} holds {row.shape}.")
    return pool


def _following(spans: tuple[Backing, ...], as_of: datetime) -> list[Backing]:
    """What holds from an instant on, whenever it began."""
    return [
        Backing(span.pool_id, max(span.start or as_of, as_of), span.end)
        for span in spans
        if span.end is None or span.end > as_of
    ]
