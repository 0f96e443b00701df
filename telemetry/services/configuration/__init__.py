"""What a configuration file says about telemetry, written to the tables of this floor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reservations.domain.change import Change
from reservations.selectors.pools import pool_rows
from reservations.services.configuration.putting import put, put_named
from telemetry.models import MetricsSource, PoolSource
from telemetry.services.configuration.entries import MetricsSourceEntry, NodeMatchEntry

_FIELDS = tuple(name for name in MetricsSourceEntry.model_fields if name != "name")


@dataclass(frozen=True, slots=True)
class PoolTelemetry:
    """What a file says of one pool's telemetry; ``written`` holds the keys that stand in it."""

    pool: str
    written: frozenset[str]
    metrics_source: str | None = None
    node_match: NodeMatchEntry | None = None


def configure_sources(*, entries: Sequence[MetricsSourceEntry]) -> list[Change]:
    """Write metrics sources."""
    return put_named(MetricsSource, kind="metrics source", entries=entries, fields=_FIELDS)


def configure_pool_sources(*, entries: Sequence[PoolTelemetry]) -> list[Change]:
    """Write where each pool's telemetry comes from, for pools whose entry says anything about it."""
    pools = {pool.name: pool.id for pool in pool_rows()}
    sources = {source.name: source for source in MetricsSource.objects.all()}
    return [
        put(
            PoolSource,
            kind="pool source",
            name=entry.pool,
            lookup={"pool_id": pools[entry.pool]},
            values=_values(entry, sources),
        )[1]
        for entry in entries
        if entry.written
    ]


def _values(entry: PoolTelemetry, sources: Mapping[str, MetricsSource]) -> dict[str, object]:
    values: dict[str, object] = {}
    if "metrics_source" in entry.written:
        values["source"] = sources[entry.metrics_source] if entry.metrics_source else None
    if "node_match" in entry.written:
        values["node_label"] = entry.node_match.label if entry.node_match else ""
        values["node_values"] = entry.node_match.values if entry.node_match else []
    return values
