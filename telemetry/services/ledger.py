"""Writing ledger hours: whole rows, never half of one, the same from any worker in any order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.db import connection, transaction

from reservations.domain.period import HOUR, Period
from reservations.selectors.shapes import QueueOwner, queue_owners
from telemetry.domain.ledger import AMOUNTS, LedgerHour
from telemetry.domain.replacement import Standing, Verdict, verdict
from telemetry.models import PoolHour, PoolHourQueue
from telemetry.selectors.ledger import ledger_hours

LEDGER_LOCK = 0x6C656467
"""The class of advisory locks that serialise the writers of one pool's hours."""

_QUEUE_AMOUNTS = ("allocated", "owner_busy", "borrower_busy", "unmanaged_busy", "unattributed_busy")


@dataclass(slots=True)
class StoreReport:
    """Which hours became rows, which said the same again, and why the others were refused."""

    stored: list[datetime] = field(default_factory=list)
    unchanged: list[datetime] = field(default_factory=list)
    refused: dict[datetime, str] = field(default_factory=dict)


def store_hours(
    *, pool_id: int, source: str, hours: Sequence[LedgerHour], read_at: datetime, force: bool = False
) -> StoreReport:
    """Replace ledger hours of one pool whole, all in one transaction; ``read_at``: when their inputs were read.

    A second source for an hour and a final hour's loss of coverage are refused, unless ``force``; an older
    reading never replaces a newer one.
    """
    report = StoreReport()
    if not hours:
        return report
    with transaction.atomic():
        _lock(pool_id)
        standing = _standing(pool_id, hours)
        wanted: list[LedgerHour] = []
        for row in hours:
            before = standing.get(row.hour)
            decision = verdict(before, source=source, read_at=read_at, row=row, force=force)
            if decision is not Verdict.STORE:
                report.refused[row.hour] = _refusal(decision, before, source)
            elif before is not None and before.source == source and before.row == row:
                report.unchanged.append(row.hour)
            else:
                wanted.append(row)
                report.stored.append(row.hour)
        _flag_second_source(pool_id, [h for h, why in report.refused.items() if standing[h].source != source], source)
        PoolHour.objects.filter(pool_id=pool_id, hour__in=report.unchanged).update(read_at=read_at)
        _replace(pool_id, source, wanted, read_at)
    return report


def _lock(pool_id: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LEDGER_LOCK, pool_id])


def _standing(pool_id: int, hours: Sequence[LedgerHour]) -> dict[datetime, Standing]:
    period = Period(min(row.hour for row in hours), max(row.hour for row in hours) + HOUR)
    inside = PoolHour.objects.filter(pool_id=pool_id, hour__gte=period.start, hour__lt=period.end)
    read = {hour.astimezone(UTC): (source, at) for hour, source, at in inside.values_list("hour", "source", "read_at")}
    rows = ledger_hours(pool_id=pool_id, period=period) if read else []
    return {row.hour: Standing(*read[row.hour], row) for row in rows}


def _refusal(decision: Verdict, before: Standing | None, source: str) -> str:
    other = before.source if before else ""
    return {
        Verdict.SECOND_SOURCE: f"the hour stands from source “{other}”; “{source}” may not replace it without --force",
        Verdict.OLDER: "a newer reading of the hour stands already",
        Verdict.LOWER_COVERAGE: "the hour is final and this reading knows less of it; use --force to replace it",
    }[decision]


def _flag_second_source(pool_id: int, hours: Sequence[datetime], source: str) -> None:
    for row in PoolHour.objects.filter(pool_id=pool_id, hour__in=hours):
        row.flags = sorted({*row.flags, "second_source_refused"})
        row.notes = {**row.notes, "second_source_refused": f"source “{source}” also offered this hour and was refused"}
        row.save(update_fields=["flags", "notes"])


def _replace(pool_id: int, source: str, rows: Sequence[LedgerHour], read_at: datetime) -> None:
    PoolHour.objects.filter(pool_id=pool_id, hour__in=[row.hour for row in rows]).delete()
    stored = PoolHour.objects.bulk_create(
        PoolHour(
            pool_id=pool_id,
            hour=row.hour,
            source=source,
            read_at=read_at,
            flags=list(row.flags),
            notes=dict(row.notes),
            complete=row.complete,
            final=row.final,
            **{name: getattr(row, name) for name in AMOUNTS},
        )
        for row in rows
    )
    PoolHourQueue.objects.bulk_create(_queue_rows(stored, rows, queue_owners(pool_id=pool_id)))


def _queue_rows(
    stored: Sequence[PoolHour], rows: Sequence[LedgerHour], owners: Mapping[str, QueueOwner]
) -> Iterable[PoolHourQueue]:
    nobody = QueueOwner("", "")
    for pool_hour, row in zip(stored, rows, strict=True):
        for queue in row.queues:
            owner = owners.get(queue.cluster_queue, nobody)
            yield PoolHourQueue(
                pool_hour=pool_hour,
                cluster_queue=queue.cluster_queue,
                team=owner.team,
                workload=owner.workload,
                **{name: getattr(queue, name) for name in _QUEUE_AMOUNTS},
            )
