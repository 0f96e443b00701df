"""A file of reservations brought in whole or not at all; bringing it in again changes nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from django.db import transaction

from reservations.domain.change import Outcome
from reservations.domain.manual_entry import Entry, UnableToReadEntry, read_entry
from reservations.domain.reservation_file import Fault, Line, UnableToReadFile, file_lines
from reservations.domain.reservation_state import Kind
from reservations.models import Reservation
from reservations.services.inventory_lock import lock_inventory
from reservations.services.manual_reservations import (
    UnableToStoreReservation,
    change_reservation,
    enter_reservation,
    stored_values,
)


@dataclass(frozen=True, slots=True)
class Imported:
    """What one line comes to: ``fields`` are what it changes, and ``before`` what stood in them."""

    line: int
    provider: str
    external_id: str
    outcome: Outcome
    fields: tuple[str, ...] = ()
    before: tuple[str, ...] = ()


def import_reservations(
    *,
    data: bytes,
    zone: tzinfo,
    as_of: datetime,
    reason: str = "CSV import",
    stores: Callable[[tuple[Imported, ...]], bool] = lambda _: True,
) -> tuple[Imported, ...]:
    """Enter or change what a file says, known by provider and id; kept if ``stores`` says so of what it comes to.

    UnableToReadFile with every fault and its line, and then nothing is stored either.
    """
    entries = _entries(file_lines(data), zone)
    faults: list[Fault] = []
    done: list[Imported] = []
    with transaction.atomic():
        lock_inventory()
        by_hand = Reservation.objects.filter(kind=Kind.MANUAL.value)
        stored = {(provider, name): pk for provider, name, pk in by_hand.values_list("provider", "external_id", "pk")}
        for number, entry in entries:
            pk = stored.get((entry.provider, entry.external_id))
            try:
                done.append(_imported(number, entry, pk, as_of, reason))
            except UnableToStoreReservation as unable:
                faults += [Fault(number, f"{field}: {sentence}") for field, sentence in unable.problems.items()]
        transaction.set_rollback(bool(faults) or not stores(tuple(done)))
    if faults:
        raise UnableToReadFile(faults)
    return tuple(done)


def _entries(lines: Sequence[Line], zone: tzinfo) -> list[tuple[int, Entry]]:
    faults: list[Fault] = []
    entries: list[tuple[int, Entry]] = []
    first: dict[tuple[str, str], int] = {}
    for line in lines:
        try:
            entry = read_entry(line.texts, zone=zone)
        except UnableToReadEntry as unable:
            faults += [Fault(line.number, f"{field}: {sentence}") for field, sentence in unable.problems.items()]
            continue
        key = (entry.provider, entry.external_id)
        if key in first:
            faults.append(Fault(line.number, f"id: {entry.external_id} stands in line {first[key]} already."))
        first.setdefault(key, line.number)
        entries.append((line.number, entry))
    if faults:
        raise UnableToReadFile(faults)
    return entries


def _imported(number: int, entry: Entry, pk: int | None, as_of: datetime, reason: str) -> Imported:
    if pk is None:
        enter_reservation(entry=entry, as_of=as_of, reason=reason)
        return Imported(number, entry.provider, entry.external_id, Outcome.CREATED)
    stood = stored_values(Reservation.objects.select_related("owner").get(pk=pk), as_of=as_of)
    fields = change_reservation(pk=pk, entry=entry, as_of=as_of, reason=reason)
    outcome = Outcome.UPDATED if fields else Outcome.UNCHANGED
    before = tuple(str(stood[name]) for name in fields)
    return Imported(number, entry.provider, entry.external_id, outcome, fields, before)
