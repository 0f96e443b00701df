"""Reservations that people enter, since no provider we ask lists them (docs/inventory.md#entered-by-hand)."""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from reservations.domain.manual_entry import Entry
from reservations.domain.reservation_state import Kind, State
from reservations.domain.size_history import DatedBy
from reservations.models import Owner, Pool, Reservation, ReservationSize
from reservations.services.audit import AuditAct, record_event
from reservations.services.backing import back_pool_from
from reservations.services.inventory_lock import lock_inventory

VOID = "void"


class UnableToStoreReservation(Exception):
    """What was written does not fit what there is; ``problems`` has one sentence for each field at fault.

    ``taken_by`` is the key of the reservation that has the id already, which not everybody may hear of.
    """

    def __init__(self, problems: dict[str, str], taken_by: int | None = None) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = problems
        self.taken_by = taken_by


def manual_arn(provider: str, external_id: str) -> str:
    """The name under which one entered by hand is known: unique by provider and id."""
    return f"manual:{provider}:{external_id}"


@transaction.atomic
def enter_reservation(*, entry: Entry, as_of: datetime, reason: str = "") -> int:
    """Store a new one, and give its key; entering the same one again changes nothing.

    UnableToStoreReservation where the id is taken, or names a team or pool that there is not or does not fit.
    """
    lock_inventory()
    found = Reservation.objects.filter(provider=entry.provider, external_id=entry.external_id).first()
    if found is not None:
        if found.kind == Kind.MANUAL.value and stored_differences(found, entry, as_of=as_of) == ():
            return found.pk
        raise UnableToStoreReservation({"id": _taken(found)}, taken_by=found.pk)
    row = Reservation(
        arn=manual_arn(entry.provider, entry.external_id),
        provider=entry.provider,
        external_id=entry.external_id,
        kind=Kind.MANUAL.value,
        first_seen_at=as_of,
        last_seen_at=as_of,
    )
    pk = _store(row, entry, as_of, reason).pk
    _record(row, None, as_of, reason)
    return pk


@transaction.atomic
def change_reservation(*, pk: int, entry: Entry, as_of: datetime, reason: str = "") -> tuple[str, ...]:
    """Bring one that was entered by hand to what is written now; the names of what changed.

    Provider and id stay as they are. A void one holds again. UnableToStoreReservation as for a new one.
    """
    lock_inventory()
    row = _by_hand(pk)
    differing = stored_differences(row, entry, as_of=as_of)
    if differing:
        before = stored_values(row, as_of=as_of)
        _store(row, entry, as_of, reason)
        _record(row, before, as_of, reason)
    return differing


@transaction.atomic
def end_reservation(*, pk: int, end_at: datetime, as_of: datetime) -> None:
    """End one that was entered by hand at an instant; UnableToStoreReservation where it had not begun by then."""
    lock_inventory()
    row = _by_hand(pk)
    if row.start_at is None or end_at <= row.start_at:
        raise UnableToStoreReservation({"end": "It must end after it starts: declare it void if it never was."})
    before = stored_values(row, as_of=as_of)
    row.end_at = end_at
    row.usable_until = min(row.usable_until, end_at) if row.usable_until else None
    row.entered_sizes = [said for said in row.entered_sizes if datetime.fromisoformat(said[0]) < end_at]
    _write(row, as_of)
    _record(row, before, as_of, "ended")


@transaction.atomic
def void_reservation(*, pk: int) -> None:
    """Declare that one entered by hand never was: it stays to be seen and counts nowhere."""
    lock_inventory()
    row = _by_hand(pk)
    if row.state == State.FAILED.value:
        return
    row.state, row.state_raw = State.FAILED.value, VOID
    row.save()
    ReservationSize.objects.filter(reservation=row).delete()
    record_event(
        what=AuditAct.INVENTORY_CHANGED,
        about="reservation",
        ident=str(row.pk),
        before={"id": row.external_id, "state": State.ACTIVE.value},
        after={"id": row.external_id, "state": row.state},
        why="declared void",
    )


def stored_differences(row: Reservation, entry: Entry, *, as_of: datetime) -> tuple[str, ...]:
    """The names of the fields in which a stored one is not as written, in the order of the form."""
    written = {
        "instance_type": entry.shape,
        "instances": _said(entry.sizes)[:1],
        "gpus_per_instance": entry.gpus_per_instance,
        "zone": entry.zone_id,
        "start": entry.start_at,
        "end": entry.end_at,
        "usable_until": entry.usable_until,
        "upfront_fee": entry.upfront_fee,
        "currency": entry.currency,
        "owner": entry.owner,
        "pool": entry.pool,
        "resizes": _said(entry.sizes)[1:],
        "state": State.ACTIVE.value,
    }
    stored = stored_values(row, as_of=as_of)
    return tuple(name for name, value in written.items() if stored[name] != value)


def stored_values(row: Reservation, *, as_of: datetime) -> dict[str, object]:
    """What stands in the fields of the form, and the state."""
    return {
        "instance_type": row.shape,
        "instances": row.entered_sizes[:1],
        "gpus_per_instance": row.gpus_per_instance,
        "zone": row.zone_id,
        "start": row.start_at,
        "end": row.end_at,
        "usable_until": row.usable_until,
        "upfront_fee": row.upfront_fee,
        "currency": row.upfront_fee_currency,
        "owner": row.owner.name if row.owner else None,
        "pool": row.memberships.filter(period__contains=as_of).values_list("pool__name", flat=True).first(),
        "resizes": row.entered_sizes[1:],
        "state": row.state,
    }


def _record(row: Reservation, before: dict[str, object] | None, as_of: datetime, why: str) -> None:
    after = {"id": row.external_id, "provider": row.provider, **stored_values(row, as_of=as_of)}
    record_event(
        what=AuditAct.INVENTORY_CHANGED, about="reservation", ident=str(row.pk), before=before, after=after, why=why
    )


def _store(row: Reservation, entry: Entry, as_of: datetime, reason: str) -> Reservation:
    owner, pool = _owner(entry), _pool(entry)
    row.owner = owner
    row.shape, row.zone_id = entry.shape, entry.zone_id
    row.gpus_per_instance = entry.gpus_per_instance
    row.start_at, row.end_at, row.usable_until = entry.start_at, entry.end_at, entry.usable_until
    row.upfront_fee, row.upfront_fee_currency = entry.upfront_fee, entry.currency
    row.state, row.state_raw = State.ACTIVE.value, ""
    row.entered_sizes = _said(entry.sizes)
    row._change_reason = reason or None
    _write(row, as_of)
    back_pool_from(row, pool, as_of)
    return row


def _write(row: Reservation, as_of: datetime) -> None:
    """The row, and the sizes that follow from what was entered."""
    sizes = [(datetime.fromisoformat(since), instances) for since, instances in row.entered_sizes]
    row.total_count = next((many for since, many in reversed(sizes) if since <= as_of), sizes[0][1])
    was_stored = row.pk is not None
    row.save()
    if was_stored:
        ReservationSize.objects.filter(reservation=row).delete()
    ends: list[datetime | None] = [until for (_, _), (until, _) in pairwise(sizes)] + [row.end_at]
    ReservationSize.objects.bulk_create(
        ReservationSize(
            reservation=row,
            period=DateTimeTZRange(since, until),
            instances=instances,
            dated_by=DatedBy.MANUAL.value,
        )
        for (since, instances), until in zip(sizes, ends, strict=True)
    )


def _by_hand(pk: int) -> Reservation:
    row = Reservation.objects.get(pk=pk)
    if row.kind != Kind.MANUAL.value:
        raise UnableToStoreReservation({"id": f"{row.external_id} is listed by its provider, who alone can change it."})
    return row


def _owner(entry: Entry) -> Owner | None:
    if entry.owner is None:
        return None
    owner = Owner.objects.filter(name=entry.owner).first()
    if owner is None:
        raise UnableToStoreReservation({"owner": f"There is no team “{entry.owner}”."})
    return owner


def _pool(entry: Entry) -> Pool | None:
    if entry.pool is None:
        return None
    pool = Pool.objects.filter(name=entry.pool).first()
    if pool is None:
        raise UnableToStoreReservation({"pool": f"There is no pool “{entry.pool}”."})
    if pool.instance_type != entry.shape:
        sentence = f"The pool {pool.name} is of {pool.instance_type}, and this reservation holds {entry.shape}."
        raise UnableToStoreReservation({"pool": sentence})
    return pool


def _taken(found: Reservation) -> str:
    if found.kind == Kind.MANUAL.value:
        return f"{found.external_id} was entered already: change it on its own page."
    return f"{found.external_id} is listed by its provider: it needs not be entered."


def _said(sizes: Sequence[tuple[datetime, int]]) -> list[list[object]]:
    return [[since.isoformat(), instances] for since, instances in sizes]
