"""What is held now, how much of it nothing was launched into, and since when."""

import json
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from django.db import connection

from reservations.domain.held import OBSERVATION_HOLDS
from reservations.domain.renewal import LeadTimes, lead_times
from reservations.domain.reservation_state import Kind, State
from reservations.domain.usable_end import BLOCK_ENDS_EARLY, ULTRASERVER_ENDS_EARLY, ULTRASERVER_PREFIXES, counted_end


@dataclass(frozen=True, slots=True)
class HeldNow:
    """One reservation that has not ended; ``pool_id`` None: it backs none, ``owner`` blank: no team of its own.

    ``start_at`` is when it was first seen where the provider names no start.

    ``free`` is what its last observation shows, None where that is older than it holds, or shows nothing of it; while
    it is above 0, ``free_since`` is the first observation of the unbroken run that shows free slots. ``lead`` is what
    the published procurement rule says of all of them.
    """

    id: int
    external_id: str
    kind: Kind
    state: State
    shape: str
    zone_id: str
    matching: str
    gpus_per_instance: Decimal | None
    total: int | None
    start_at: datetime
    end_at: datetime | None
    usable_until: datetime | None
    owner: str
    pool_id: int | None
    free: int | None
    free_since: datetime | None
    lead: LeadTimes | None = None


# Each LATERAL is one step into an index, however many observations there are: `observed_none_free` holds only those
# that end a run.
HELD = """
SELECT r.id, r.external_id, r.kind, r.state, r.shape, r.zone_id, r.matching, r.gpus_per_instance,
       coalesce(seen.total_count, r.total_count), coalesce(r.start_at, r.first_seen_at), r.end_at, usable.until,
       coalesce(o.name, ''), m.pool_id, seen.available_count, run.observed_at,
       rule.document->'procurement_lead_days', rule.document->'block_booking_lead_days',
       r.raw->'CapacityBlockExtensions', r.usable_until
FROM reservations_reservation r
LEFT JOIN reservations_owner o ON o.id = r.owner_id
LEFT JOIN LATERAL (
    SELECT pool_id FROM reservations_poolmembership WHERE reservation_id = r.id AND period @> %(as_of)s LIMIT 1
) m ON true
LEFT JOIN LATERAL (
    SELECT total_count, available_count, present AND state_raw = 'active' AS countable
    FROM reservations_reservationobservation
    WHERE reservation_id = r.id AND observed_at <= %(as_of)s AND observed_at > %(holds_since)s
    ORDER BY observed_at DESC LIMIT 1
) newest ON true
LEFT JOIN LATERAL (
    SELECT coalesce(r.usable_until, CASE
        WHEN r.kind = 'block' AND (r.shape = '' OR r.shape LIKE ANY (%(ultraservers)s))
            THEN r.end_at - %(ultraserver_ends_early)s
        WHEN r.kind = 'block' THEN r.end_at - %(block_ends_early)s
    END) AS until
) usable ON true
LEFT JOIN LATERAL (
    SELECT newest.total_count, newest.available_count
    WHERE newest.countable AND (usable.until IS NULL OR usable.until > %(as_of)s)
) seen ON true
LEFT JOIN LATERAL (
    SELECT coalesce(max(last.observed_at), '-infinity') AS observed_at FROM (
        SELECT observed_at FROM reservations_reservationobservation
        WHERE seen.available_count > 0 AND reservation_id = r.id AND observed_at <= %(as_of)s AND (
            NOT present OR NOT (state_raw = 'active') OR available_count IS NULL OR available_count = 0
        )
        ORDER BY observed_at DESC LIMIT 1
    ) last
) shut ON seen.available_count > 0
LEFT JOIN LATERAL (
    SELECT observed_at FROM reservations_reservationobservation
    WHERE reservation_id = r.id AND observed_at > shut.observed_at ORDER BY observed_at LIMIT 1
) run ON true
LEFT JOIN LATERAL (
    SELECT document FROM reservations_procurementrule
    WHERE status = 'published' AND coalesce(effective_from <= current_date, true)
        AND coalesce(effective_to > current_date, true)
    ORDER BY effective_from DESC NULLS LAST, version DESC LIMIT 1
) rule ON true
WHERE r.missing_since IS NULL AND r.state <> ALL(%(over)s) AND (r.end_at IS NULL OR r.end_at > %(as_of)s)
ORDER BY r.external_id, r.id
"""


def held_now(*, as_of: datetime) -> list[HeldNow]:
    """Every reservation that has not ended at an instant, by id, in one query that reads no old rows."""
    asked = {
        "as_of": as_of,
        "holds_since": as_of - OBSERVATION_HOLDS,
        "block_ends_early": BLOCK_ENDS_EARLY,
        "ultraserver_ends_early": ULTRASERVER_ENDS_EARLY,
        "ultraservers": [f"{prefix}%" for prefix in ULTRASERVER_PREFIXES],
        "over": [State.ENDED.value, State.FAILED.value],
    }
    with connection.cursor() as cursor:
        cursor.execute(HELD, asked)
        found = [_held(row, as_of) for row in cursor.fetchall()]
    return [one for one in found if one.end_at is None or one.end_at > as_of]


def _held(row: tuple, as_of: datetime) -> HeldNow:
    pk, external_id, kind, state, *same, procurement, booking, extensions, told = row
    one = HeldNow(pk, external_id, Kind(kind), State(state), *same, lead=_lead(procurement, booking))
    return one if extensions is None else _paid(one, told, json.loads(extensions), as_of)


def _paid(one: HeldNow, told: datetime | None, extensions: object, as_of: datetime) -> HeldNow:
    """The same by the end that is paid, which an extension that is not paid leaves where it was."""
    end = counted_end(kind=one.kind, shape=one.shape, end_at=one.end_at, told=told, extensions=extensions)
    if end.unpaid_end_at is None:
        return one
    until = end.usable_until
    over = until is not None and until <= as_of
    return replace(
        one,
        end_at=end.end_at,
        usable_until=until,
        free=None if over else one.free,
        free_since=None if over else one.free_since,
    )


@lru_cache(maxsize=8)
def _lead(procurement: str | None, booking: str | None) -> LeadTimes | None:
    told = {"procurement_lead_days": procurement, "block_booking_lead_days": booking}
    return lead_times({key: json.loads(value) for key, value in told.items() if value is not None})
