"""One hour of one pool as the ledger has it: the row, where it comes from, and which queues used it."""

from dataclasses import dataclass
from datetime import UTC, datetime

from reservations.domain.period import hour_period
from telemetry.domain.ledger import LedgerHour
from telemetry.models import PoolHour, PoolHourQueue
from telemetry.selectors.ledger import ledger_hours


@dataclass(frozen=True, slots=True)
class QueueTold:
    """One cluster queue in an hour (blank: outside any) with the team and workload it had then; GPU-milliseconds."""

    cluster_queue: str
    team: str
    workload: str
    allocated: int | None
    owner_busy: int | None
    borrower_busy: int | None
    unmanaged_busy: int | None
    unattributed_busy: int | None


@dataclass(frozen=True, slots=True)
class OneHour:
    """The ledger's row of an hour, the source it was computed from (blank: none) and when its inputs were read."""

    ledger: LedgerHour
    source: str
    read_at: datetime
    queues: tuple[QueueTold, ...]


def one_hour(*, pool_id: int, hour: datetime) -> OneHour | None:
    """An hour with its queues by name, in three queries; None where it was never collected."""
    rows = ledger_hours(pool_id=pool_id, period=hour_period(hour), with_queues=False)
    told = PoolHour.objects.filter(pool_id=pool_id, hour=hour).values_list("source", "read_at").first()
    if not rows or told is None:
        return None
    source, read_at = told
    queues = PoolHourQueue.objects.filter(pool_hour__pool_id=pool_id, pool_hour__hour=hour).order_by("cluster_queue")
    columns = (
        "cluster_queue", "team", "workload", "allocated",
        "owner_busy", "borrower_busy", "unmanaged_busy", "unattributed_busy",
    )  # fmt: skip
    return OneHour(
        rows[0], source, read_at.astimezone(UTC), tuple(QueueTold(*row) for row in queues.values_list(*columns))
    )
