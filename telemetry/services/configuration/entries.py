"""What a configuration file may say about where telemetry comes from (DESIGN §12)."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from reservations.services.configuration.entries import Endpoint, ShareOfOne
from reservations.services.configuration.texts import Entry, Name, Scale, Text, shaped
from telemetry.domain.sample import UnableToFetch
from telemetry.sources.prometheus.names import Access, Limits, SeriesNames, checked_options

MetricName = Annotated[
    str,
    Field(max_length=120),
    shaped(r"[a-zA-Z_:][a-zA-Z0-9_:]*", "is not a metric or label name: letters, digits, _ and : only"),
]


def _plain(options: object) -> object:
    """Decimals as the floats that JSON keeps; limits are the only numbers here."""
    if not isinstance(options, dict):
        return options
    return {name: float(value) if isinstance(value, Decimal) else value for name, value in options.items()}


Options = Annotated[dict[str, object], BeforeValidator(_plain)]


class MetricsSourceEntry(Entry):
    """A metrics engine; ``names`` are its further metric and label names, where they differ from the defaults."""

    name: Name
    kind: Literal["prometheus", "synthetic"] = "prometheus"
    url: Endpoint | None = None
    cluster: Annotated[Text, Field(max_length=80)] | None = None
    scrape_interval_seconds: Annotated[int, Field(ge=1, le=3600)] = 30
    busy_metric: MetricName = "DCGM_FI_PROF_SM_ACTIVE"
    busy_metric_scale: Scale = Field(default="1", validate_default=True)
    busy_threshold: ShareOfOne = Field(default="0.05", validate_default=True)
    node_label: MetricName = "Hostname"
    names: Options = Field(default_factory=dict)

    @model_validator(mode="after")
    def _names_are_read(self) -> "MetricsSourceEntry":
        if self.kind != "prometheus":
            return self
        if self.url is None:
            raise ValueError("a Prometheus needs its address: write “url”")
        try:
            options = checked_options(self.names)
            for kind in (SeriesNames, Limits, Access):
                kind.from_options(options)
        except UnableToFetch as unable:
            raise ValueError(f"names: {unable}") from unable
        return self


class NodeMatchEntry(Entry):
    """Which node label marks a pool's nodes, and with which values."""

    label: MetricName
    values: Annotated[list[Annotated[Text, Field(max_length=253)]], Field(min_length=1)]
