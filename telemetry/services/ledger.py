"""Writing ledger hours: whole rows, never half of one, the same from any worker in any order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal

from django.db import connection, transaction

from reservations.domain.period import HOUR, Period, floor_hour
from reservations.selectors.shapes import QueueOwner, queue_owners
from telemetry.domain.details import HourDetails
from telemetry.domain.identities import checked
from telemetry.domain.ledger import AMOUNTS, QUEUE_AMOUNTS, LedgerHour
from telemetry.domain.replacement import (
    OVERTAKEN,
    SECOND_SOURCE_REFUSED,
    Standing,
    Verdict,
    canonical_row,
    verdict,
    with_refused_source,
)
from telemetry.models import PoolHour, PoolHourQueue
from telemetry.selectors.ledger import ledger_hours
from telemetry.services.asked import write_asked
from telemetry.services.days import refresh_days
from telemetry.services.demand import refresh_demand
from telemetry.services.details import forget_details, write_details

LEDGER_LOCK = 0x6C656467
"""The class of advisory locks that serialise the writers of one pool's hours."""


@dataclass(slots=True)
class StoreReport:
    """Which hours became rows, which said the same again, and why the others were refused."""

    stored: list[datetime] = field(default_factory=list)
    unchanged: list[datetime] = field(default_factory=list)
    refused: dict[datetime, str] = field(default_factory=dict)


def store_hours(
    *,
    pool_id: int,
    source: str,
    hours: Sequence[LedgerHour],
    read_at: datetime,
    force: bool = False,
    threshold_share: Decimal = Decimal("0.05"),
    details: Mapping[datetime, HourDetails] | None = None,
) -> StoreReport:
    """Replace ledger hours of one pool whole, all in one transaction; ``read_at``: when their inputs were read.

    ``source`` is blank for a pool without telemetry, which is no second source of an hour that has one.
    Every row is checked against the identities, with the source's θ, and flagged where it breaks one. A second
    source for an hour, and less of a final hour than is known already, are refused, unless ``force``; an older
    reading never replaces a newer one. ``details`` say what stands behind an hour, as far as anybody told.
    ValueError when an hour is given twice or is not a whole one.
    """
    rows = [canonical_row(checked(row, threshold_share)) for row in hours]
    if len({row.hour for row in rows}) < len(rows) or any(row.hour != floor_hour(row.hour) for row in rows):
        raise ValueError("every hour is given once and starts on a whole hour")
    report = StoreReport()
    if not rows:
        return report
    with transaction.atomic():
        lock_hours(pool_id)
        standing = _standing(pool_id, rows)
        wanted: list[LedgerHour] = []
        twice: list[datetime] = []
        for row in rows:
            before = standing.get(row.hour)
            decision = verdict(before, source=source, read_at=read_at, row=row, force=force)
            if decision is not Verdict.STORE:
                report.refused[row.hour] = _refusal(decision, before, source)
                twice += [row.hour] if source and decision is Verdict.SECOND_SOURCE else []
                continue
            row = row if force else _still_flagged(row, before)
            if before is not None and before.source == source and before.row == row:
                report.unchanged.append(row.hour)
            else:
                report.stored.append(row.hour)
                wanted.append(row)
        _flag_second_source(pool_id, twice, source)
        PoolHour.objects.filter(pool_id=pool_id, hour__in=report.unchanged).update(read_at=read_at)
        _replace(pool_id, source, wanted, read_at)
        _write_details(pool_id, report, details or {})
        refresh_days(pool_id=pool_id, hours=[*report.stored, *twice])
        refresh_demand(pool_id=pool_id, hours=[*report.stored, *report.unchanged])
    return report


def _still_flagged(row: LedgerHour, before: Standing | None) -> LedgerHour:
    """A refused second source stays on record until somebody settles it by force."""
    note = dict(before.row.notes).get(SECOND_SOURCE_REFUSED) if before else None
    return row if note is None else with_refused_source(row, note)


def lock_hours(pool_id: int) -> None:
    """Keep everybody else from writing a pool's hours until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [LEDGER_LOCK, pool_id])


def _standing(pool_id: int, hours: Sequence[LedgerHour]) -> dict[datetime, Standing]:
    period = Period(min(row.hour for row in hours), max(row.hour for row in hours) + HOUR)
    inside = PoolHour.objects.filter(pool_id=pool_id, hour__gte=period.start, hour__lt=period.end)
    read = {hour.astimezone(UTC): (source, at) for hour, source, at in inside.values_list("hour", "source", "read_at")}
    rows = ledger_hours(pool_id=pool_id, period=period) if read else []
    return {row.hour: Standing(*read[row.hour], canonical_row(row)) for row in rows}


def _refusal(decision: Verdict, before: Standing | None, source: str) -> str:
    standing = _called(before.source if before else "")
    return {
        Verdict.SECOND_SOURCE: f"the hour stands from {standing}; {_called(source)} may not replace it without --force",
        Verdict.OLDER: OVERTAKEN,
        Verdict.LOWER_COVERAGE: "the hour is final and this reading knows less of it; use --force to replace it",
        Verdict.PARTIAL: "the hour is final and this answer was partial; use --force to replace it",
    }[decision]


def _called(source: str) -> str:
    return f"source “{source}”" if source else "the reservations alone"


def _flag_second_source(pool_id: int, hours: Sequence[datetime], source: str) -> None:
    for row in PoolHour.objects.filter(pool_id=pool_id, hour__in=hours):
        row.flags = sorted({*row.flags, SECOND_SOURCE_REFUSED})
        row.notes = {**row.notes, SECOND_SOURCE_REFUSED: f"{_called(source)} offered this hour too and was refused"}
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


def _write_details(pool_id: int, report: StoreReport, details: Mapping[datetime, HourDetails]) -> None:
    """What stands behind the hours that were taken; an hour may be the same again over other nodes and pods."""
    if not details:
        return
    taken = list(PoolHour.objects.filter(pool_id=pool_id, hour__in=[*report.stored, *report.unchanged]))
    forget_details(hour_ids=[row.pk for row in taken if row.hour in report.unchanged and row.hour in details])
    owners = queue_owners(pool_id=pool_id)
    write_details(hours=taken, details=details, owners=owners)
    write_asked(hours=taken, details=details, owners=owners)


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
                **{name: getattr(queue, name) for name in QUEUE_AMOUNTS},
            )
