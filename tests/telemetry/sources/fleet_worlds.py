"""The demo fleet as tests ask it: one world, loaded on a Monday in the middle of May."""

from datetime import UTC, datetime, timedelta

from reservations.domain.period import HOUR, Period
from telemetry.domain.sample import HourUsage, NodeUsage, UsageQuestion
from telemetry.sources.synthetic import fetch

URL = "synthetic://7/2026-05-18"
LOADED = datetime(2026, 5, 18, tzinfo=UTC)


def at(days: int, hours: float = 0) -> datetime:
    """So many days and hours after the day on which the world was loaded began."""
    return LOADED + timedelta(days=days, hours=hours)


def asked(hour: datetime, pool: str = "serving-h100", url: str = URL, **said: object) -> UsageQuestion:
    question = {
        "source": "demo",
        "url": url,
        "period": Period(hour, hour + HOUR),
        "pool": pool,
        "gpus_per_node": 8,
        "node_label": "",
        "node_values": (),
        "scrape_interval_seconds": 300,
        "busy_metric": "DCGM_FI_PROF_SM_ACTIVE",
        "busy_metric_scale": 1,
        "cluster": "demo-a",
        "hostname_label": "Hostname",
        **said,
    }
    return UsageQuestion(**question)


def usage(hour: datetime, pool: str = "serving-h100", **said: object) -> HourUsage:
    return fetch(asked(hour, pool, **said))


def nodes(hour: datetime, pool: str = "serving-h100") -> list[NodeUsage]:
    return list(usage(hour, pool).nodes)


def scraped(samples: tuple[tuple[int, float], ...], hour: datetime) -> list[datetime]:
    """When a series was scraped inside an hour, its end included and its start not."""
    times = [datetime.fromtimestamp(ms / 1000, UTC) for ms, _ in samples]
    return [time for time in times if hour < time <= hour + HOUR]
