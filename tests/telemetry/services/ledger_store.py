"""A pool, and everything the ledger holds of it, for tests of its writers."""

from datetime import timedelta

from reservations.models import Owner, Pool, Queue
from telemetry.domain.ledger import AMOUNTS
from telemetry.models import PoolHour, PoolHourQueue
from tests.telemetry.domain.lawful_rows import TEN

NEXT_DAY = TEN + timedelta(days=1, hours=2)


def a_pool(name: str = "reserved-h100") -> Pool:
    owner, _ = Owner.objects.get_or_create(name="serving")
    borrower, _ = Owner.objects.get_or_create(name="research")
    pool = Pool.objects.create(name=name, owner=owner, instance_type="p5.48xlarge", gpus_per_node=8)
    Queue.objects.create(pool=pool, cluster_queue="cq-a", owner=owner, workload="serving")
    Queue.objects.create(pool=pool, cluster_queue="cq-b", owner=borrower, workload="batch")
    return pool


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
