"""A file of reservations brought in whole or not at all; bringing it in again changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from django.db import transaction

from reservations.domain.change import Outcome
from reservations.domain.manual_entry import Entry, UnableToReadEntry, read_entry
from reservations.domain.reservation_file import Fault, Line, UnableToReadFile, file_lines
from reservations.domain.reservation_state import Kind
from reservations.models import Reservation
from reservations.services.manual_reservations import (
    UnableToStoreReservation,
    change_reservation,
    enter_reservation,
)


@dataclass(frozen=True, slots=True)
class Imported:
    """What one line comes to: ``fields`` are what it changes."""

    line: int
    provider: str
    external_id: str
    outcome: Outcome
    fields: tuple[str, ...] = ()


def import_reservations(
    *, data: bytes, zone: tzinfo, as_of: datetime, dry_run: bool = False, reason: str = "CSV import"
) -> tuple[Imported, ...]:
    """Enter or change what a file says, known by provider and id; nothing is stored if ``dry_run``.

    UnableToReadFile with every fault and its line, and then nothing is stored either.
    """
    entries = _entries(file_lines(data), zone)
    faults: list[Fault] = []
    done: list[Imported] = []
    with transaction.atomic():
        for number, entry in entries:
            try:
                done.append(_imported(number, entry, as_of, reason))
            except UnableToStoreReservation as unable:
                faults += [Fault(number, f"{field}: {sentence}") for field, sentence in unable.problems.items()]
        transaction.set_rollback(dry_run or bool(faults))
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


def _imported(number: int, entry: Entry, as_of: datetime, reason: str) -> Imported:
    stored = Reservation.objects.filter(
        provider=entry.provider, external_id=entry.external_id, kind=Kind.MANUAL.value
    ).values_list("pk", flat=True)
    pk = stored.first()
    if pk is None:
        enter_reservation(entry=entry, as_of=as_of, reason=reason)
        return Imported(number, entry.provider, entry.external_id, Outcome.CREATED)
    fields = change_reservation(pk=pk, entry=entry, as_of=as_of, reason=reason)
    return Imported(number, entry.provider, entry.external_id, Outcome.UPDATED if fields else Outcome.UNCHANGED, fields)
