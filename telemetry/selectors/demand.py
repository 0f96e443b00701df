"""What a pool needed, hour by hour, as sizing, replay and the curve read it."""

from collections import defaultdict
from datetime import UTC, datetime
from decimal import Decimal

from django.db import connection

from reservations.domain.period import Period
from telemetry.domain.demand import DemandTrace
from telemetry.domain.demand_hours import BOUND_ALONE

# seconds, since a year has thousands of hours and instants are slow to read
_DEMAND = """
SELECT extract(epoch FROM hour)::bigint, workload, nodes, peak_nodes, source
FROM telemetry_demandhour
WHERE pool_id = %s AND hour >= %s AND hour < %s
ORDER BY hour, workload
"""


def demand_trace(*, pool_id: int, period: Period) -> DemandTrace:
    """The demand of one pool in the hours of a period that somebody tells, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(_DEMAND, [pool_id, period.start, period.end])
        rows = cursor.fetchall()
    places = {second: at for at, second in enumerate(dict.fromkeys(row[0] for row in rows))}
    hours = tuple(datetime.fromtimestamp(second, UTC) for second in places)
    by_workload: defaultdict[str, list[Decimal]] = defaultdict(lambda: [Decimal(0)] * len(hours))
    peak: list[Decimal | None] = [None] * len(hours)
    sources = [""] * len(hours)
    for second, workload, nodes, most, source in rows:
        at = places[second]
        by_workload[workload][at], peak[at], sources[at] = nodes, most, source
    return DemandTrace(
        hours=hours,
        by_workload={name: tuple(by_workload[name]) for name in sorted(by_workload)},
        peak=tuple(peak),
        sources=tuple(sources),
        bound_only=frozenset(hour for hour, source in zip(hours, sources, strict=True) if source == BOUND_ALONE),
    )
