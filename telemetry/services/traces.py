"""Importing hourly usage and demand from a file: all of it or nothing, the same file again changes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import groupby
from pathlib import Path

from django.db import transaction

from reservations.domain.period import HOUR, Period, hour_period
from reservations.selectors.held import held_during
from reservations.selectors.pools import PoolRow
from reservations.services.audit import AuditAct, record_event
from telemetry.domain.demand_hours import DERIVED
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.replacement import is_final
from telemetry.domain.reserved import reserved_hour
from telemetry.domain.trace import DemandRow, Trace, TraceKind, TraceQuestion, UnableToReadTrace, UsageRow, ledger_row
from telemetry.models import DemandHour
from telemetry.services.demand import lock_demand
from telemetry.services.ledger import store_hours
from telemetry.sources import trace as trace_file

HOUR_FORM = "%Y-%m-%dT%H:%MZ"


class UnableToImport(Exception):
    """A trace can't be imported; the message is one sentence, or one for each line to mend."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a trace, in rows, and the hours in its middle that it does not tell."""

    kind: TraceKind
    source: str
    hours: int
    stored: int
    unchanged: int
    missing: tuple[datetime, ...]


def import_trace(
    *,
    path: Path,
    pool: PoolRow,
    as_of: datetime,
    kind: TraceKind | None = None,
    gpus_per_node: Decimal | None = None,
    force: bool = False,
) -> Imported:
    """Store a file's hours for a pool under the source ``trace:NAME``; UnableToImport, and nothing is stored.

    GPUs become nodes by the pool's own GPUs per node unless told otherwise. Hours that stand from another
    source are refused without ``force``, and so are hours that have not ended.
    """
    question = TraceQuestion(path, kind, gpus_per_node or pool.gpus_per_node)
    try:
        trace = trace_file.fetch(question)
    except UnableToReadTrace as unable:
        raise UnableToImport(str(unable)) from unable
    source = f"trace:{path.name}"[:80]
    if trace.kind is TraceKind.DEMAND:
        stored, unchanged = _store_demand(trace, pool, source, force=force)
    else:
        stored, unchanged = _store_usage(trace, pool, source, as_of, force=force)
    return Imported(trace.kind, source, len(trace.hours), stored, unchanged, trace.missing)


def _store_usage(trace: Trace, pool: PoolRow, source: str, as_of: datetime, *, force: bool) -> tuple[int, int]:
    if late := [hour for hour in trace.hours if hour + HOUR > as_of]:
        raise UnableToImport(f"the hour {late[0]:{HOUR_FORM}} has not ended yet: what was used is not known before")
    rows = [row for _, told in groupby(trace.usage, _day) for row in _ledger_rows(list(told), pool, as_of)]
    with transaction.atomic():
        report = store_hours(pool_id=pool.id, source=source, hours=rows, read_at=as_of, force=force)
        if not report.refused:
            _record(trace, pool, source, stored=len(report.stored), force=force)
        transaction.set_rollback(bool(report.refused))
    if report.refused:
        # Offered once more alone, so that the hours that stand say a second source came, and nothing else is stored.
        refused = [row for row in rows if row.hour in report.refused]
        store_hours(pool_id=pool.id, source=source, hours=refused, read_at=as_of)
        hour, why = min(report.refused.items())
        more = f" (and {len(report.refused) - 1} more hours)" if len(report.refused) > 1 else ""
        raise UnableToImport(f"{hour:{HOUR_FORM}}: {why}{more}")
    return len(report.stored), len(report.unchanged)


def _record(trace: Trace, pool: PoolRow, source: str, *, stored: int, force: bool) -> None:
    if stored:
        told = {"pool": pool.name, "kind": trace.kind, "stored": stored, "force": force}
        span = {"first": trace.hours[0], "last": trace.hours[-1]}
        record_event(what=AuditAct.TRACE_IMPORTED, about="pool", ident=str(pool.id), after=told | span, why=source)


def _day(row: UsageRow) -> date:
    return row.hour.date()


def _ledger_rows(told: Sequence[UsageRow], pool: PoolRow, as_of: datetime) -> Iterator[LedgerHour]:
    """The rows of one day, over what the inventory says of it."""
    held = held_during(pool_id=pool.id, period=Period(told[0].hour, told[-1].hour + HOUR))
    for row in told:
        if not held and row.amounts.get("reserved") is None:
            raise UnableToImport(
                f"no reservation of “{pool.name}” is known at {row.hour:{HOUR_FORM}}:"
                " tell “reserved_gpu_hours” in the file, or sync the reservations first"
            )
        promised = reserved_hour(held, hour_period(row.hour), pool.gpus_per_node)
        filled = ledger_row(row, reserved=promised.reserved, paid=promised.paid, ec2_unused=promised.ec2_unused)
        final = is_final(hour=row.hour, read_at=as_of, complete=True)
        yield replace(filled, final=final)


@transaction.atomic
def _store_demand(trace: Trace, pool: PoolRow, source: str, *, force: bool) -> tuple[int, int]:
    lock_demand(pool.id)
    hours, rows = set(trace.hours), trace.demand
    span = DemandHour.objects.filter(pool_id=pool.id, hour__gte=trace.hours[0], hour__lte=trace.hours[-1])
    standing = {(row.hour.astimezone(UTC), row.workload): row for row in span if row.hour in hours}
    others = sorted((row.hour, row.source) for row in standing.values() if row.source not in (source, *DERIVED))
    if others and not force:
        hour, other = others[0]
        raise UnableToImport(
            f"{hour:{HOUR_FORM}}: the demand stands from source “{other}”;"
            f" “{source}” may not replace it without --force"
        )
    wanted = set(rows)
    same = {key for key, row in standing.items() if row.source == source and DemandRow(*key, row.nodes) in wanted}
    DemandHour.objects.filter(pk__in=[row.pk for key, row in standing.items() if key not in same]).delete()
    new = [row for row in rows if (row.hour, row.workload) not in same]
    DemandHour.objects.bulk_create(
        DemandHour(pool_id=pool.id, hour=row.hour, workload=row.workload, nodes=row.nodes, source=source) for row in new
    )
    _record(trace, pool, source, stored=len(new), force=force)
    return len(new), len(same)
