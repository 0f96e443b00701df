"""A pool with a month of pods in the ledger, and a reservation of some nodes, for tests of replays."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from reservations.models import Pool
from telemetry.models import HeldPod, HourPod, PoolHour, PoolHourQueue

MS = 3_600_000
JANUARY = datetime(2026, 1, 1, tzinfo=UTC)
AS_OF = datetime(2026, 3, 8, 12, tzinfo=UTC)
HOURS = 744

Stay = tuple[str, str, range, int]
"""Name, cluster queue, hours of the month, GPUs."""


def recorded_month(pool: Pool, stays: Iterable[Stay], *, hours: int = HOURS, forgotten: int = 0) -> None:
    """``hours`` of January 2026 with these pods behind them; of the first ``forgotten`` no pod is kept."""
    stays = list(stays)
    workloads = dict(pool.queues.values_list("cluster_queue", "workload"))
    pods = {name: HeldPod.objects.create(pool=pool, namespace="team", name=name, uid=name) for name, *_ in stays}
    rows = PoolHour.objects.bulk_create(_hour(pool, number, stays) for number in range(hours))
    queues = {(row.pk, queue) for row in rows for _, queue, *_ in stays}
    PoolHourQueue.objects.bulk_create(
        PoolHourQueue(pool_hour_id=key, cluster_queue=queue, workload=workloads[queue], allocated=0)
        for key, queue in queues
    )
    HourPod.objects.bulk_create(
        HourPod(
            pool_hour=rows[number], pod=pods[name], pool=pool, hour=rows[number].hour, cluster_queue=queue,
            allocated=gpus * MS,
        )
        for name, queue, during, gpus in stays
        for number in during
        if forgotten <= number < hours
    )  # fmt: skip


def _hour(pool: Pool, number: int, stays: Iterable[Stay]) -> PoolHour:
    held = sum(gpus for _, _, during, gpus in stays if number in during) * MS
    expected = 64 * MS
    return PoolHour(
        pool=pool,
        hour=JANUARY + timedelta(hours=number),
        source="prod-a",
        reserved=expected,
        paid=expected,
        expected=expected,
        known=expected,
        unknown=0,
        busy=held,
        idle=expected - held,
        allocated=held,
        read_at=JANUARY + timedelta(days=40),
    )
