"""How fresh every source is: what /health/data/ and "data as of" show."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from django.db.models import Count, Max, Min, Q

from reservations.domain.period import HOUR, floor_hour
from reservations.selectors.syncs import RegionSync, region_syncs
from telemetry.domain.rollup import due_until
from telemetry.models import CollectionRun, MetricsSource, PoolHour

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


_FAILED = CollectionRun.Status.FAILED
_GOOD = (CollectionRun.Status.STORED, CollectionRun.Status.UNCHANGED)


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
    """Every metrics source, then every account × region, by name, in five queries."""
    return [*_metrics_states(as_of), *(_inventory_state(region, as_of) for region in region_syncs())]


def _metrics_states(as_of: datetime) -> list[SourceState]:
    hours = _hours_by_pool(as_of)
    runs = _last_runs(as_of)
    linked = MetricsSource.objects.order_by("name", "pools__pool__name").values_list(
        "name", "kind", "pools__pool", "pools__pool__name"
    )
    return [
        _metrics_state(
            *source,
            [_pool_state(pool_id, pool, hours.get(pool_id), as_of) for *_, pool_id, pool in rows if pool_id],
            [run for run in runs if run.source == source[0]],
            as_of,
        )
        for source, rows in groupby(linked, key=lambda row: row[:2])
    ]


def _metrics_state(
    name: str, kind: str, pools: list[_PoolState], runs: list[CollectionRun], as_of: datetime
) -> SourceState:
    data_until = max((pool.data_until for pool in pools if pool.data_until), default=None)
    newest = {run.pool_id: run for run in sorted(runs, key=lambda run: run.read_at)}
    failed = max((run for run in runs if run.status == _FAILED), key=lambda run: run.read_at, default=None)
    return SourceState(
        name=name,
        kind=kind,
        pool_ids=tuple(pool.pool_id for pool in pools),
        pools=tuple(pool.name for pool in pools),
        last_success_at=max((run.read_at for run in runs if run.status in _GOOD), default=None),
        data_until=data_until,
        lag=as_of - data_until if data_until else None,
        failing=any(newest[pool.pool_id].status == _FAILED for pool in pools if pool.pool_id in newest),
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


def _hours_by_pool(as_of: datetime) -> dict[int, dict[str, Any]]:
    counted = (
        PoolHour.objects.filter(hour__lt=due_until(as_of))
        .values("pool")
        .annotate(
            first=Min("hour"),
            last=Max("hour"),
            present=Count("pk", filter=Q(hour__gte=floor_hour(as_of - LOOK_BACK))),
            open=Count("pk", filter=Q(final=False, hour__lt=as_of - FINAL_AFTER - HOUR)),
        )
    )
    return {row["pool"]: row for row in counted}


def _pool_state(pool_id: int, name: str, hours: dict[str, Any] | None, as_of: datetime) -> _PoolState:
    until, since = due_until(as_of), floor_hour(as_of - LOOK_BACK)
    if hours is None:
        return _PoolState(pool_id, name, None, (until - since) // HOUR, 0)
    missing = (until - max(hours["first"], since)) // HOUR - hours["present"]
    return _PoolState(pool_id, name, hours["last"] + HOUR, missing, hours["open"])


def _last_runs(as_of: datetime) -> list[CollectionRun]:
    """The newest run of every source, pool and status."""
    keys = ("source", "pool_id", "status")
    runs = CollectionRun.objects.filter(read_at__lte=as_of)
    return list(runs.order_by(*keys, "-read_at").distinct(*keys))
