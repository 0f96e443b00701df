"""How fresh the inventory is: the last tries of every configured account and region."""

import json
from dataclasses import dataclass
from datetime import datetime

from django.db import connection


@dataclass(frozen=True, slots=True)
class RegionSync:
    """One account's region: the last complete sweep, the last failure and what was degraded in the last sweep."""

    account: str
    provider: str
    region: str
    last_complete_at: datetime | None
    last_error_at: datetime | None
    last_error: str
    degraded: tuple[str, ...]
    reservations_seen: int | None


# From what is configured to what was tried: each end is one step into the index, however long the past is.
LATEST = """
SELECT account.name, account.provider, asked.region,
       swept.as_of, failed.as_of, coalesce(failed.error, ''), coalesce(swept.degraded, '{}'), swept.reservations_seen
FROM reservations_account account
CROSS JOIN unnest(account.regions) WITH ORDINALITY asked (region, place)
LEFT JOIN LATERAL (
    SELECT * FROM reservations_syncrun
    WHERE account_id = account.id AND region = asked.region AND complete ORDER BY as_of DESC LIMIT 1
) swept ON true
LEFT JOIN LATERAL (
    SELECT * FROM reservations_syncrun
    WHERE account_id = account.id AND region = asked.region AND NOT complete ORDER BY as_of DESC LIMIT 1
) failed ON true
ORDER BY account.name, asked.place
"""


def region_syncs() -> list[RegionSync]:
    """Every configured account × region, by name, in one query; one never tried has no instants."""
    with connection.cursor() as cursor:
        cursor.execute(LATEST)
        return [
            RegionSync(*told, degraded=tuple(json.loads(degraded).values()), reservations_seen=seen)
            for *told, degraded, seen in cursor.fetchall()
        ]
