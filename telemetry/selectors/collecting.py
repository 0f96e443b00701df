"""What the collector must know of each pool: where its telemetry is and how its nodes are told."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from reservations.domain.held import PoolShape
from reservations.domain.period import Period, floor_hour
from reservations.selectors.shapes import pool_shapes
from telemetry.domain.replacement import FINAL_AFTER, MADE_UP_WITHIN, SECOND_SOURCE_REFUSED, is_due
from telemetry.models import MetricsSource, PoolHour, PoolSource


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """One metrics source as configured; ``options`` are its further metric and label names."""

    name: str
    kind: str
    url: str
    cluster: str
    scrape_interval_seconds: int
    busy_metric: str
    busy_metric_scale: Decimal
    busy_threshold: Decimal
    hostname_label: str
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Target:
    """One pool to collect; ``source`` None: it has no telemetry, only reservations."""

    pool_id: int
    shape: PoolShape
    source: SourceSettings | None
    node_label: str = ""
    node_values: tuple[str, ...] = ()

    @property
    def source_name(self) -> str:
        """What the ledger calls the source of this pool's hours."""
        return self.source.name if self.source else ""


def targets(*, pool_ids: Collection[int]) -> list[Target]:
    """The pools to collect, in the order of their names, in three queries."""
    shapes = pool_shapes(pool_ids=pool_ids)
    links = {link.pool_id: link for link in PoolSource.objects.select_related("source").filter(pool_id__in=shapes)}
    found = [_target(pool_id, shape, links.get(pool_id)) for pool_id, shape in shapes.items()]
    return sorted(found, key=lambda target: target.shape.name)


def _target(pool_id: int, shape: PoolShape, link: PoolSource | None) -> Target:
    if link is None or link.source is None:
        return Target(pool_id, shape, None)
    return Target(pool_id, shape, _settings(link.source), link.node_label, tuple(link.node_values))


def _settings(source: MetricsSource) -> SourceSettings:
    return SourceSettings(
        name=source.name,
        kind=source.kind,
        url=source.url,
        cluster=source.cluster,
        scrape_interval_seconds=source.scrape_interval_seconds,
        busy_metric=source.busy_metric,
        busy_metric_scale=source.busy_metric_scale,
        busy_threshold=source.busy_threshold,
        hostname_label=source.node_label,
        options=source.names,
    )


def due_hours(*, pool_id: int, source: str, as_of: datetime) -> list[datetime]:
    """The hours of a pool that want computing at an instant, in one query, newest first.

    Hours a day old that were never read come last, so that what can't be read keeps nothing waiting. An hour
    that stands from another source, and that this one can't better or was refused already, is left alone.
    """
    first = floor_hour(as_of - MADE_UP_WITHIN)
    rows = PoolHour.objects.filter(pool_id=pool_id, hour__gte=first, hour__lte=as_of)
    standing = {
        hour.astimezone(UTC): (read_at, final or _settled(of, source, flags))
        for hour, of, read_at, final, flags in rows.values_list("hour", "source", "read_at", "final", "flags")
    }
    hours = list(Period(first, floor_hour(as_of)).hours())
    due = [
        hour
        for hour in reversed(hours)
        for read_at, settled in [standing.get(hour, (None, False))]
        if is_due(hour=hour, as_of=as_of, read_at=read_at, final=settled)
    ]
    return sorted(due, key=lambda hour: hour not in standing and hour < as_of - FINAL_AFTER)


def _settled(standing: str, source: str, flags: Collection[str]) -> bool:
    return standing not in ("", source) and (not source or SECOND_SOURCE_REFUSED in flags)
