"""A pool, lawful ledger hours for it, and everything the ledger holds of it, for tests of its writers."""

from datetime import UTC, datetime, timedelta

from reservations.models import Owner, Pool, Queue
from telemetry.domain.ledger import AMOUNTS, LedgerHour, QueueHour
from telemetry.models import PoolHour, PoolHourQueue

H = 3_600_000
TEN = datetime(2026, 5, 4, 10, tzinfo=UTC)
NEXT_DAY = TEN + timedelta(days=1, hours=2)


def a_pool(name: str = "reserved-h100") -> Pool:
    owner, _ = Owner.objects.get_or_create(name="serving")
    borrower, _ = Owner.objects.get_or_create(name="research")
    pool = Pool.objects.create(name=name, owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)
    Queue.objects.create(pool=pool, cluster_queue="cq-a", owner=owner, workload="serving")
    Queue.objects.create(pool=pool, cluster_queue="cq-b", owner=borrower, workload="batch")
    return pool


def lawful(number: int = 0, *, busy: int = 6 * H, known: int = 8 * H, **said: object) -> LedgerHour:
    """Two nodes of 8 GPUs of which one was launched; every identity holds. ``number`` counts hours from ten."""
    owner = busy // 3
    queues = (
        QueueHour("", unattributed_busy=busy - 2 * owner, allocated=0),
        QueueHour("cq-a", owner_busy=owner, allocated=2 * H),
        QueueHour("cq-b", borrower_busy=owner, allocated=H),
    )
    fields: dict[str, object] = {
        "reserved": 16 * H,
        "paid": 16 * H,
        "ec2_unused": 8 * H,
        "expected": 8 * H,
        "not_joined": 0,
        "not_observed": 0,
        "known": known,
        "unknown": 8 * H - known,
        "busy": busy,
        "sm": busy // 2,
        "idle": known - busy,
        "idle_held": (known - busy) // 4,
        "idle_free": known - busy - (known - busy) // 4,
        "allocated": 3 * H,
        "owner_busy": owner,
        "borrower_busy": owner,
        "unmanaged_busy": 0,
        "unattributed_busy": busy - 2 * owner,
        "queues": queues,
        **said,
    }
    return LedgerHour(hour=TEN + timedelta(hours=number), **fields)  # type: ignore[arg-type]


def bare(number: int = 0, **said: object) -> LedgerHour:
    """An hour of a pool without telemetry: its reservations alone."""
    fields: dict[str, object] = {"reserved": 16 * H, "paid": 16 * H, "ec2_unused": 8 * H, "not_observed": 0, **said}
    return LedgerHour(hour=TEN + timedelta(hours=number), **fields)  # type: ignore[arg-type]


HOUR_COLUMNS = ("hour", "source", *AMOUNTS, "flags", "notes", "complete", "final", "read_at")
QUEUE_COLUMNS = (
    "pool_hour__hour",
    "cluster_queue",
    "team",
    "workload",
    "allocated",
    "owner_busy",
    "borrower_busy",
    "unmanaged_busy",
    "unattributed_busy",
)


def everything() -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    """All ledger rows and queue rows, by pool, hour and queue, without their keys."""
    hours = PoolHour.objects.order_by("pool__name", "hour").values_list("pool__name", *HOUR_COLUMNS)
    queues = PoolHourQueue.objects.values_list("pool_hour__pool__name", *QUEUE_COLUMNS)
    return list(hours), sorted(queues)
