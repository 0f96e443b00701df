"""Launches that were reported, brought in whole or not at all; bringing them in again changes nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction

from reservations.domain.change import Outcome
from reservations.domain.csv_file import Fault, UnableToReadFile
from reservations.domain.launch_file import LaunchDay, launch_days
from reservations.domain.suggestion import nearest
from reservations.models import LaunchReport, Pool, PriceSubject
from reservations.services.audit import AuditAct, record_event
from reservations.services.effective_dating import subject_of

_COUNTS = ("attempts", "failures", "source")
A_BATCH = 1000


@dataclass(frozen=True, slots=True)
class ImportedDay:
    """What became of one line."""

    line: int
    subject: str
    zone_id: str
    day: date
    outcome: Outcome


@transaction.atomic
def import_launches(*, data: bytes, today: date, dry_run: bool = False) -> tuple[ImportedDay, ...]:
    """Store a file's launches by subject, zone and day, where a later file wins; a dry run stores none.

    UnableToReadFile with every fault and its line, and then nothing is stored either.
    """
    days = launch_days(data, today=today)
    subjects = _subjects(days)
    stored = _stored(days, subjects)
    done: list[ImportedDay] = []
    changed: list[LaunchReport] = []
    for one in days:
        key = (subjects[one.subject].pk, one.day, one.zone_id)
        told = (one.attempts, one.failures, one.source)
        outcome = (
            Outcome.CREATED if key not in stored else Outcome.UNCHANGED if stored[key] == told else Outcome.UPDATED
        )
        done.append(ImportedDay(one.line, one.subject, one.zone_id, one.day, outcome))
        if outcome is not Outcome.UNCHANGED:
            place = {"subject_id": key[0], "day": one.day, "zone_id": one.zone_id}
            changed.append(LaunchReport(**place, **dict(zip(_COUNTS, told, strict=True))))
    LaunchReport.objects.bulk_create(
        changed,
        batch_size=A_BATCH,
        update_conflicts=True,
        unique_fields=["subject", "day", "zone_id"],
        update_fields=list(_COUNTS),
    )
    if changed and not dry_run:
        told = {"lines": len(done), "written": len(changed), "first": days[0].day, "last": days[-1].day}
        record_event(what=AuditAct.LAUNCHES_IMPORTED, about="launches", ident="", after=told)
    transaction.set_rollback(dry_run)
    return tuple(done)


def _subjects(days: Sequence[LaunchDay]) -> dict[str, PriceSubject]:
    """The subjects by what they are called; UnableToReadFile where a pool is not known."""
    pools = dict(Pool.objects.values_list("name", "pk"))
    faults = [
        Fault(one.line, f"pool: There is no pool “{one.pool}”{nearest(one.pool, pools)}")
        for one in days
        if one.pool and one.pool not in pools
    ]
    if faults:
        raise UnableToReadFile(faults)
    named = {one.subject: one for one in days}
    return {
        name: subject_of(pool_id=pools[one.pool] if one.pool else None, shape=one.shape) for name, one in named.items()
    }


def _stored(
    days: Sequence[LaunchDay], subjects: dict[str, PriceSubject]
) -> dict[tuple[int, date, str], tuple[int, int, str]]:
    reports = LaunchReport.objects.filter(
        subject__in=list(subjects.values()),
        day__gte=min(one.day for one in days),
        day__lte=max(one.day for one in days),
    )
    return {(row.subject_id, row.day, row.zone_id): (row.attempts, row.failures, row.source) for row in reports}
