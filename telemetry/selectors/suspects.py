"""Devices whose values are not to be believed, over all the hours of a period that say so."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from reservations.domain.period import HOUR, Period


@dataclass(frozen=True, slots=True)
class SuspectDevice:
    """One device with one doubt: from its first hour in doubt to the end of the last, and the newest sentence."""

    pool_id: int
    node: str
    uuid: str
    what: str
    since: datetime
    until: datetime
    hours: int
    why: str


DEVICES = """
SELECT h.pool_id, s.node, s.uuid, s.what, min(h.hour), max(h.hour), count(*),
       (array_agg(s.why ORDER BY h.hour DESC))[1], count(*) OVER ()
FROM telemetry_hoursuspect s JOIN telemetry_poolhour h ON h.id = s.pool_hour_id
WHERE h.pool_id = ANY(%s) AND h.hour >= %s AND h.hour < %s
GROUP BY h.pool_id, s.node, s.uuid, s.what
ORDER BY max(h.hour) DESC, h.pool_id, s.node, s.uuid, s.what LIMIT %s OFFSET %s
"""


def suspect_devices(
    *, pool_ids: Collection[int], period: Period, limit: int, offset: int = 0
) -> tuple[list[SuspectDevice], int]:
    """Some of the devices in doubt in a period, the newest doubt first, and how many there are, in one query."""
    with connection.cursor() as cursor:
        cursor.execute(DEVICES, [list(pool_ids), period.start, period.end, limit, offset])
        rows = cursor.fetchall()
    devices = [
        SuspectDevice(pool_id, node, uuid, what, since, last + HOUR, hours, why)
        for pool_id, node, uuid, what, since, last, hours, why, _ in rows
    ]
    return devices, rows[0][8] if rows else 0
