"""What pods held and what waited, hour by hour: as a replay reads it."""

from datetime import UTC, datetime

from django.db import connection

from reservations.domain.period import Period
from telemetry.domain.recorded import Recorded, RecordedHour, RecordedPod
from telemetry.models import PoolHour
from telemetry.selectors.demand_inputs import ledger_demand

# by the ledger hour's key, since that is what an hour's pods are found by; seconds, since instants are slow to read
_PODS = """
SELECT extract(epoch FROM h.hour)::bigint, who.namespace, who.name, who.uid, pod.cluster_queue,
       coalesce(queue.workload, ''), pod.allocated
FROM telemetry_poolhour h
JOIN telemetry_hourpod pod ON pod.pool_hour_id = h.id AND pod.allocated > 0
JOIN telemetry_heldpod who ON who.id = pod.pod_id
LEFT JOIN telemetry_poolhourqueue queue
  ON queue.pool_hour_id = h.id AND queue.cluster_queue = pod.cluster_queue
WHERE h.pool_id = %s AND h.hour >= %s AND h.hour < %s
ORDER BY h.hour, who.namespace, who.name, who.uid, pod.cluster_queue
"""


def recorded_during(*, pool_id: int, period: Period) -> Recorded:
    """The hours of one pool in a period with their pods, in a fixed number of queries."""
    queued = {told.hour: told.queued for told in ledger_demand(pool_id=pool_id, period=period)}
    rows = PoolHour.objects.filter(pool_id=pool_id, hour__gte=period.start, hour__lt=period.end).order_by("hour")
    hours = tuple(
        RecordedHour(hour.astimezone(UTC), allocated, expected, known, queued.get(hour.astimezone(UTC)))
        for hour, allocated, expected, known in rows.values_list("hour", "allocated", "expected", "known")
    )
    with connection.cursor() as cursor:
        cursor.execute(_PODS, [pool_id, period.start, period.end])
        pods = tuple(RecordedPod(datetime.fromtimestamp(second, UTC), *row) for second, *row in cursor.fetchall())
    return Recorded(hours, pods)
