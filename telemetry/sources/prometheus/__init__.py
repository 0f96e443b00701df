"""Prometheus and what speaks its query API: Thanos, Mimir, VictoriaMetrics, Amazon Managed Prometheus."""

from telemetry.sources.prometheus.names import OPTION_KEYS
from telemetry.sources.prometheus.usage import fetch, open_session

__all__ = ["OPTION_KEYS", "fetch", "open_session"]
