"""How fresh every source is: what /health/data/ and "data as of" show."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min, Q

from reservations.domain.period import HOUR, floor_hour
from reservations.selectors.syncs import RegionSync, region_syncs
from telemetry.domain.rollup import due_until
from telemetry.models import CollectionRun, MetricsSource, PoolHour, PoolSource

FINAL_AFTER = timedelta(hours=25)
"""The last of an hour's three computations comes a day after it ended; an hour of margin."""

LOOK_BACK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class SourceState:
    """One metrics source, or one account's region.

    ``data_until`` is the end of what it gave us, ``lag`` as_of − data_until, both None when it never gave
    anything. ``failing``: the last try failed (of any of its pools). ``last_error`` is one sentence and stays
    until a newer error. ``hours_missing``: due within seven days and never collected; ``hours_not_final``:
    still not final more than 25 h after they ended; both None for inventory, which has no hours.
    """

    name: str
    kind: str
    pool_ids: tuple[int, ...]
    pools: tuple[str, ...]
    last_success_at: datetime | None
    data_until: datetime | None
    lag: timedelta | None
    failing: bool
    last_error_at: datetime | None
    last_error: str
    hours_missing: int | None
    hours_not_final: int | None
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _PoolState:
    pool_id: int
    name: str
    data_until: datetime | None
    hours_missing: int
    hours_not_final: int


def source_names() -> frozenset[str]:
    """The names of all metrics sources."""
    return frozenset(MetricsSource.objects.values_list("name", flat=True))


def source_freshness(*, as_of: datetime) -> list[SourceState]:
    """Every metrics source, then every account × region, by name, in eight queries."""
    return [*_metrics_states(as_of), *(_inventory_state(region, as_of) for region in region_syncs())]


def _metrics_states(as_of: datetime) -> list[SourceState]:
    pools = _pool_states(as_of)
    succeeded = _last_success(as_of)
    failed = _last_runs(as_of, ["source"], status=CollectionRun.Status.FAILED)
    newest = _last_runs(as_of, ["source", "pool_id"])
    return [
        _metrics_state(
            source,
            pools[source.pk],
            succeeded.get(source.name),
            next((run for run in failed if run.source == source.name), None),
            [run for run in newest if run.source == source.name],
            as_of,
        )
        for source in MetricsSource.objects.order_by("name")
    ]


def _metrics_state(
    source: MetricsSource,
    pools: list[_PoolState],
    succeeded_at: datetime | None,
    failed: CollectionRun | None,
    newest: Iterable[CollectionRun],
    as_of: datetime,
) -> SourceState:
    data_until = max((pool.data_until for pool in pools if pool.data_until), default=None)
    reached = {pool.pool_id for pool in pools}
    return SourceState(
        name=source.name,
        kind=source.kind,
        pool_ids=tuple(pool.pool_id for pool in pools),
        pools=tuple(pool.name for pool in pools),
        last_success_at=succeeded_at,
        data_until=data_until,
        lag=as_of - data_until if data_until else None,
        failing=any(run.status == CollectionRun.Status.FAILED for run in newest if run.pool_id in reached),
        last_error_at=failed.read_at if failed else None,
        last_error=failed.message if failed else "",
        hours_missing=sum(pool.hours_missing for pool in pools),
        hours_not_final=sum(pool.hours_not_final for pool in pools),
    )


def _inventory_state(region: RegionSync, as_of: datetime) -> SourceState:
    complete_at, error_at = region.last_complete_at, region.last_error_at
    return SourceState(
        name=f"{region.account} {region.region}",
        kind=region.provider,
        pool_ids=(),
        pools=(),
        last_success_at=complete_at,
        data_until=complete_at,
        lag=as_of - complete_at if complete_at else None,
        failing=error_at is not None and (complete_at is None or error_at > complete_at),
        last_error_at=error_at,
        last_error=region.last_error,
        hours_missing=None,
        hours_not_final=None,
        degraded=region.degraded,
    )


def _pool_states(as_of: datetime) -> defaultdict[int | None, list[_PoolState]]:
    until, since = due_until(as_of), floor_hour(as_of - LOOK_BACK)
    counted = {
        row["pool"]: row
        for row in PoolHour.objects.filter(hour__lt=until)
        .values("pool")
        .annotate(
            first=Min("hour"),
            last=Max("hour"),
            present=Count("pk", filter=Q(hour__gte=since)),
            open=Count("pk", filter=Q(final=False, hour__lt=as_of - FINAL_AFTER - HOUR)),
        )
    }
    states: defaultdict[int | None, list[_PoolState]] = defaultdict(list)
    for pool_id, name, source_id in PoolSource.objects.order_by("pool__name").values_list(
        "pool_id", "pool__name", "source_id"
    ):
        row = counted.get(pool_id)
        first = max(row["first"], since) if row else since
        missing = (until - first) // HOUR - (row["present"] if row else 0)
        states[source_id].append(
            _PoolState(pool_id, name, row["last"] + HOUR if row else None, missing, row["open"] if row else 0)
        )
    return states


def _last_success(as_of: datetime) -> dict[str, datetime]:
    good = [CollectionRun.Status.STORED, CollectionRun.Status.UNCHANGED]
    runs = CollectionRun.objects.filter(status__in=good, read_at__lte=as_of)
    return dict(runs.values_list("source").annotate(Max("read_at")))


def _last_runs(as_of: datetime, keys: list[str], **filters: str) -> list[CollectionRun]:
    runs = CollectionRun.objects.filter(read_at__lte=as_of, **filters)
    return list(runs.order_by(*keys, "-read_at").distinct(*keys))
