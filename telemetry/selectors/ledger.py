"""The ledger as it stands, as domain rows."""

from collections import defaultdict
from datetime import UTC

from reservations.domain.period import Period
from telemetry.domain.ledger import AMOUNTS, QUEUE_AMOUNTS, LedgerHour, QueueHour
from telemetry.models import PoolHour, PoolHourQueue


def ledger_hours(*, pool_id: int, period: Period, with_queues: bool = True) -> list[LedgerHour]:
    """One pool's hours that start in a period, in order, with their queues, in two queries; without them in one."""
    inside = PoolHour.objects.filter(pool_id=pool_id, hour__gte=period.start, hour__lt=period.end)
    queues = _queues(pool_id, period) if with_queues else {}
    rows = inside.order_by("hour").values_list("pk", "hour", *AMOUNTS, "flags", "notes", "complete", "final")
    return [
        LedgerHour(
            hour.astimezone(UTC),
            *amounts,
            queues=tuple(queues.get(key, ())),
            flags=tuple(flags),
            notes=tuple(sorted(notes.items())),
            complete=complete,
            final=final,
        )
        for key, hour, *amounts, flags, notes, complete, final in rows
    ]


def _queues(pool_id: int, period: Period) -> defaultdict[int, list[QueueHour]]:
    rows = (
        PoolHourQueue.objects.filter(
            pool_hour__pool_id=pool_id, pool_hour__hour__gte=period.start, pool_hour__hour__lt=period.end
        )
        .order_by("pool_hour_id", "cluster_queue")
        .values_list("pool_hour_id", "cluster_queue", *QUEUE_AMOUNTS)
    )
    queues: defaultdict[int, list[QueueHour]] = defaultdict(list)
    for pool_hour_id, *amounts in rows:
        queues[pool_hour_id].append(QueueHour(*amounts))
    return queues
