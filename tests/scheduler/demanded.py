"""A pool with a month of demand in the ledger: what sizing is asked of in tests that need a database."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from reservations.models import Pool
from telemetry.models import DemandHour
from tests.scheduler.domain.sizing.traces import worked_nodes

MARCH = datetime(2026, 3, 1, tzinfo=UTC)


def demand(pool: Pool, by_workload: Mapping[str, Sequence[float]], *, start: datetime = MARCH) -> None:
    """Hours one after another of each workload."""
    DemandHour.objects.bulk_create(
        DemandHour(
            pool=pool, hour=start + timedelta(hours=at), workload=name, nodes=Decimal(str(nodes)), source="trace:made"
        )
        for name, hours in by_workload.items()
        for at, nodes in enumerate(hours)
    )


def worked_month(pool: Pool) -> None:
    """730 hours of March 2026 that need 10 nodes at night, 22 at the peak and 14 on average, six of them batch."""
    nodes = worked_nodes()
    demand(pool, {"serving": [need - 6 for need in nodes], "batch": [6] * len(nodes)})
