"""What demand is derived from: the ledger's hours by workload, with what waited (docs/demand.md#what-waited)."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC
from decimal import Decimal

from reservations.domain.period import Period
from reservations.selectors.shapes import queues_of_several_pools
from telemetry.domain.demand_hours import LedgerDemand
from telemetry.models import HourAsked, HourQueued, PoolHour, PoolHourQueue

Sums = defaultdict[int, defaultdict[str, int]]


def ledger_demand(*, pool_id: int, period: Period) -> Iterator[LedgerDemand]:
    """The hours of one pool in a period in which it is known what was allocated, in order.

    What waits in a queue that several pools name waits for none of them in particular: there it is unknown.
    """
    inside = {"pool_hour__pool_id": pool_id, "pool_hour__hour__gte": period.start, "pool_hour__hour__lt": period.end}
    bound: Sums = defaultdict(lambda: defaultdict(int))
    for key, workload, allocated in PoolHourQueue.objects.filter(**inside).values_list(
        "pool_hour_id", "workload", "allocated"
    ):
        bound[key][workload] += allocated or 0
    queued = _queued(inside)
    peaks: dict[int, Decimal | None] = dict(HourAsked.objects.filter(**inside).values_list("pool_hour_id", "peak_gpus"))
    hours = PoolHour.objects.filter(
        pool_id=pool_id, hour__gte=period.start, hour__lt=period.end, allocated__isnull=False
    )
    for key, hour, allocated, reserved in hours.order_by("hour").values_list("pk", "hour", "allocated", "reserved"):
        told = bound[key]
        if rest := allocated - sum(told.values()):
            told[""] += rest
        yield LedgerDemand(hour.astimezone(UTC), told, queued.get(key), peaks.get(key), held=reserved > 0)


def _queued(inside: dict[str, object]) -> dict[int, dict[str, int]]:
    """By hour and workload; an hour with a queue that is unknown is not in it."""
    shared = queues_of_several_pools()
    sums: Sums = defaultdict(lambda: defaultdict(int))
    unknown: set[int] = set()
    rows = HourQueued.objects.filter(**inside).values_list("pool_hour_id", "cluster_queue", "workload", "queued")
    for key, queue, workload, queued in rows:
        if queued is None or queue in shared:
            unknown.add(key)
        else:
            sums[key][workload] += queued
    return {key: dict(told) for key, told in sums.items() if key not in unknown}
