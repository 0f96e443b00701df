"""How fresh every source is: what /health/data/ and "data as of" show."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from reservations.domain.period import HOUR, floor_hour
from reservations.selectors.syncs import RegionSync, region_syncs
from telemetry.domain.replacement import FINAL_AFTER
from telemetry.domain.rollup import due_until
from telemetry.models import CollectionRun, MetricsSource, PoolHour, PoolSource

LATE_AFTER = FINAL_AFTER + HOUR
"""An hour that is not final by then is late: its last computation has had an hour to be done in."""

LOOK_BACK = timedelta(days=7)

REMEMBERED = timedelta(days=30)
"""How long a run counts as a source's last success or last error."""


@dataclass(frozen=True, slots=True)
class SourceState:
    """One metrics source, or one account's region.

    ``data_until`` is the end of what it gave us, ``lag`` as_of − data_until, both None when it never gave
    anything. ``failing``: the last try failed (of any of its pools). ``last_error`` is one sentence and stays
    until a newer error. ``hours_missing``: due within seven days and never collected; ``hours_not_final``:
    of seven days, still not final more than 25 h after they ended; both None for inventory, which has no hours.
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


def source_names() -> frozenset[str]:
    """The names of all metrics sources."""
    return frozenset(MetricsSource.objects.values_list("name", flat=True))


def source_freshness(*, as_of: datetime) -> list[SourceState]:
    """Every metrics source, then every account × region, by name, in five queries that read no old rows."""
    return [*_metrics_states(as_of), *(_inventory_state(region, as_of) for region in region_syncs())]


def _metrics_states(as_of: datetime) -> list[SourceState]:
    pools = defaultdict(list)
    for link in _links(as_of):
        pools[link.source_id].append(link)
    counts = _counts_by_pool(as_of)
    return [_metrics_state(source, pools[source.pk], counts, as_of) for source in _sources(as_of)]


def _metrics_state(
    source: MetricsSource, links: list[PoolSource], counts: Mapping[int, tuple[int, int]], as_of: datetime
) -> SourceState:
    data_until = max((link.last + HOUR for link in links if link.last), default=None)
    counted = [counts.get(link.pool_id, (0, 0)) for link in links]
    return SourceState(
        name=source.name,
        kind=source.kind,
        pool_ids=tuple(link.pool_id for link in links),
        pools=tuple(link.pool.name for link in links),
        last_success_at=source.last_success_at,
        data_until=data_until,
        lag=as_of - data_until if data_until else None,
        failing=any(link.newest == _FAILED for link in links),
        last_error_at=source.last_error_at,
        last_error=source.last_error or "",
        hours_missing=sum(_due_hours(link, as_of) for link in links) - sum(present for present, _ in counted),
        hours_not_final=sum(still_open for _, still_open in counted),
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


def _sources(as_of: datetime) -> QuerySet[MetricsSource]:
    """Metrics sources with the ends of their runs."""
    remembered = {"source": OuterRef("name"), "read_at__gt": as_of - REMEMBERED, "read_at__lte": as_of}
    runs = CollectionRun.objects.filter(**remembered).order_by("-read_at")
    good, failed = runs.filter(status__in=_GOOD), runs.filter(status=_FAILED)
    return MetricsSource.objects.order_by("name").annotate(
        last_success_at=Subquery(good.values("read_at")[:1]),
        last_error_at=Subquery(failed.values("read_at")[:1]),
        last_error=Subquery(failed.values("message")[:1]),
    )


def _links(as_of: datetime) -> QuerySet[PoolSource]:
    """Pools with their source, the status of their newest run, and the first and last hour they have."""
    runs = CollectionRun.objects.filter(pool=OuterRef("pool"), source=OuterRef("source__name"), read_at__lte=as_of)
    hours = PoolHour.objects.filter(pool=OuterRef("pool"), hour__lt=due_until(as_of))
    links = PoolSource.objects.filter(source__isnull=False).select_related("pool").order_by("pool__name")
    return links.annotate(
        newest=Subquery(runs.order_by("-read_at").values("status")[:1]),
        first=Subquery(hours.order_by("hour").values("hour")[:1]),
        last=Subquery(hours.order_by("-hour").values("hour")[:1]),
    )


def _counts_by_pool(as_of: datetime) -> dict[int, tuple[int, int]]:
    """(hours there are, hours not final though they should be) of seven days, by pool."""
    recent = PoolHour.objects.filter(hour__gte=floor_hour(as_of - LOOK_BACK), hour__lt=due_until(as_of))
    late = Q(final=False, hour__lte=as_of - LATE_AFTER - HOUR)
    counted = recent.values("pool").annotate(present=Count("pk"), still_open=Count("pk", filter=late))
    return {row["pool"]: (row["present"], row["still_open"]) for row in counted}


def _due_hours(link: PoolSource, as_of: datetime) -> int:
    """How many hours of seven days were due, from the first a pool has."""
    since = floor_hour(as_of - LOOK_BACK)
    return (due_until(as_of) - max(link.first or since, since)) // HOUR
