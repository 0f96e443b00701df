"""What a configuration file says about telemetry, written to the tables of this floor."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import ErrorDetails

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


def source_faults(*, values: Mapping[str, object]) -> list[tuple[str | None, str]]:
    """What a file would be refused for with these values of a metrics source: the field, None for several, and why.

    A blank text counts as left out.
    """
    try:
        MetricsSourceEntry.model_validate({name: value for name, value in values.items() if value != ""})
    except ValidationError as refused:
        return [_fault(error) for error in refused.errors(include_url=False)]
    return []


def _fault(error: ErrorDetails) -> tuple[str | None, str]:
    said = str(error.get("ctx", {}).get("error", error["msg"]))
    if error["loc"]:
        return str(error["loc"][0]), said
    field, colon, rest = said.partition(": ")
    return (field, rest) if colon and field in MetricsSourceEntry.model_fields else (None, said)


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
