"""Demand beside the ledger hours that it follows from: written with them, and made up where it is missing."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q

from reservations.domain.period import HOUR, Period
from reservations.selectors.pools import pool_rows
from reservations.selectors.shapes import pool_shapes, queue_owners
from telemetry.domain.demand_hours import DERIVED, DerivedDemand, derived_demand
from telemetry.models import DemandHour, HourQueued, PoolHour
from telemetry.selectors.demand_inputs import ledger_demand

DEMAND_LOCK = 0x64656D61
"""The class of advisory locks that serialise the writers of one pool's demand."""

HOURS_AT_ONCE = 24 * 31
"""Hours of one pool that one transaction makes up."""


def lock_demand(pool_id: int) -> None:
    """Keep everybody else from writing a pool's demand until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [DEMAND_LOCK, pool_id])


@transaction.atomic
def refresh_demand(*, pool_id: int, hours: Collection[datetime]) -> int:
    """Derive again the demand of some ledger hours of one pool, and say how many rows that wrote.

    An hour whose demand came in a file keeps it; one that no longer knows what was allocated has none.
    """
    if not hours:
        return 0
    lock_demand(pool_id)
    asked = {hour.astimezone(UTC) for hour in hours}
    span = Period(min(asked), max(asked) + HOUR)
    standing: defaultdict[datetime, list[DemandHour]] = defaultdict(list)
    for row in DemandHour.objects.filter(pool_id=pool_id, hour__gte=span.start, hour__lt=span.end):
        if (hour := row.hour.astimezone(UTC)) in asked:
            standing[hour].append(row)
    imported = {hour for hour, rows in standing.items() if any(row.source not in DERIVED for row in rows)}
    wanted = _derived(pool_id, span, asked - imported)
    return _replace(pool_id, [row for hour in standing.keys() - imported for row in standing[hour]], wanted)


def mend_demand(*, since: datetime) -> int:
    """Derive the demand of every ledger hour from an instant on that has none, and say of how many; safe to repeat.

    An hour in which nothing was held, nothing ran and no queue is known has none to derive.
    """
    there = DemandHour.objects.filter(pool=OuterRef("pool"), hour=OuterRef("hour"))
    queued = HourQueued.objects.filter(pool_hour=OuterRef("pk"), queued__isnull=False)
    telling = Q(reserved__gt=0) | Q(allocated__gt=0) | Exists(queued)
    without = PoolHour.objects.filter(~Exists(there), telling, hour__gte=since, allocated__isnull=False)
    mended = 0
    for pool in pool_rows():
        hours = list(without.filter(pool_id=pool.id).order_by("hour").values_list("hour", flat=True))
        for at in range(0, len(hours), HOURS_AT_ONCE):
            refresh_demand(pool_id=pool.id, hours=hours[at : at + HOURS_AT_ONCE])
        mended += len(hours)
    return mended


def _derived(pool_id: int, span: Period, hours: Collection[datetime]) -> list[DerivedDemand]:
    shape = pool_shapes(pool_ids=[pool_id])[pool_id]
    workloads = {owner.workload for owner in queue_owners(pool_id=pool_id).values()}
    return [
        row
        for told in ledger_demand(pool_id=pool_id, period=span)
        if told.hour in hours
        for row in derived_demand(told, gpus_per_node=shape.gpus_per_node, workloads=workloads)
    ]


def _replace(pool_id: int, standing: Iterable[DemandHour], wanted: Sequence[DerivedDemand]) -> int:
    """Write what is not there yet and delete what no longer follows; a row that stays the same is not touched."""
    keys = {
        DerivedDemand(row.hour.astimezone(UTC), row.workload, row.nodes, row.peak_nodes, row.source): row.pk
        for row in standing
    }
    new = [row for row in wanted if row not in keys]
    gone = keys.keys() - set(wanted)
    DemandHour.objects.filter(pk__in=[keys[row] for row in gone]).delete()
    DemandHour.objects.bulk_create(
        (
            DemandHour(
                pool_id=pool_id,
                hour=row.hour,
                workload=row.workload,
                nodes=row.nodes,
                peak_nodes=row.peak_nodes,
                source=row.source,
            )
            for row in new
        ),
        batch_size=2_000,
    )
    return len(new)
