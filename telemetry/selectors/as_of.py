"""From when to when one pool's numbers reach: what "data as of" says on its pages."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Max, Min

from reservations.domain.period import HOUR
from reservations.selectors.inventory_as_of import inventory_as_of
from telemetry.models import PoolHour, PoolSource


@dataclass(frozen=True, slots=True)
class DataAsOf:
    """The start of a pool's first ledger hour, the end of its last, and the instant the inventory is known at."""

    first_hour: datetime | None
    ledger_until: datetime | None
    inventory_at: datetime | None


def data_as_of(*, pool_id: int) -> DataAsOf:
    """How far one pool's data reach, in two queries; None where there are none."""
    span = PoolHour.objects.filter(pool_id=pool_id).aggregate(first=Min("hour"), last=Max("hour"))
    first, last = span["first"], span["last"]
    return DataAsOf(
        first_hour=first.astimezone(UTC) if first else None,
        ledger_until=last.astimezone(UTC) + HOUR if last else None,
        inventory_at=inventory_as_of(),
    )


def metrics_source_of(*, pool_id: int) -> str:
    """The name of the source a pool is measured by; blank when it has none."""
    return PoolSource.objects.filter(pool_id=pool_id).values_list("source__name", flat=True).first() or ""
