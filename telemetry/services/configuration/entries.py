"""What a configuration file may say about where telemetry comes from (docs/configuration.md)."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from reservations.services.configuration.entries import ShareOfOne
from reservations.services.configuration.texts import Entry, Name, Scale, Text, shaped
from telemetry.domain.sample import UnableToFetch
from telemetry.sources.prometheus.names import Access, Limits, SeriesNames, checked_options
from telemetry.sources.synthetic.story import world_at

MetricName = Annotated[
    str,
    Field(max_length=120),
    shaped(r"[a-zA-Z_:][a-zA-Z0-9_:]*", "is not a metric or label name: letters, digits, _ and : only"),
]


Address = Annotated[
    str,
    Field(max_length=256),
    shaped(
        r"(https?|synthetic)://[^\s/]+\S*",
        "is not an address: begin it with http:// or https://, or synthetic:// for the demo fleet",
    ),
]


def _plain(options: object) -> object:
    """Decimals as the floats that JSON keeps; limits are the only numbers here."""
    if not isinstance(options, dict):
        raise ValueError("must be a table of keys")
    return {name: float(value) if isinstance(value, Decimal) else value for name, value in options.items()}


Options = Annotated[dict[str, object], BeforeValidator(_plain)]


class MetricsSourceEntry(Entry):
    """A metrics engine; ``names`` are its further metric and label names, where they differ from the defaults."""

    name: Name
    kind: Literal["prometheus", "synthetic"] = "prometheus"
    url: Address | None = None
    cluster: Annotated[Text, Field(max_length=80)] | None = None
    scrape_interval_seconds: Annotated[int, Field(ge=1, le=3600)] = 30
    busy_metric: MetricName = "DCGM_FI_PROF_SM_ACTIVE"
    busy_metric_scale: Scale = Field(default="1", validate_default=True)
    busy_threshold: ShareOfOne = Field(default="0.05", validate_default=True)
    node_label: MetricName = "Hostname"
    names: Options = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_are_read(self) -> "MetricsSourceEntry":
        if self.kind == "synthetic":
            return self._is_a_world()
        if self.url is None or self.url.startswith("synthetic:"):
            raise ValueError("a Prometheus needs its address: write “url”")
        try:
            options = checked_options(self.names)
            for kind in (SeriesNames, Limits, Access):
                kind.from_options(options)
        except UnableToFetch as unable:
            raise ValueError(f"names: {unable}") from unable
        return self

    def _is_a_world(self) -> "MetricsSourceEntry":
        try:
            world_at(self.url or "")
        except UnableToFetch as unable:
            raise ValueError(f"url: {unable}") from unable
        return self


class NodeMatchEntry(Entry):
    """Which node label marks a pool's nodes, and with which values."""

    label: MetricName
    values: Annotated[list[Annotated[Text, Field(max_length=253)]], Field(min_length=1)]
