"""When a reservation stopped being listed, which only complete lists can show (docs/inventory.md#absences)."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import connection

# Derived from what is stored, never from the order it came in: in every gap between two sightings, the first
# instant at which whoever could see the reservation read the whole list. Its owner's list decides where there
# is one for that instant; otherwise every account that had listed it by then must have read its own.
# Only gaps that touch the recorded instants are looked at, and a reservation that was already missing is left alone.
ABSENCES = """
WITH affected AS MATERIALIZED (
    SELECT r.id, r.region,
        (SELECT a.id FROM reservations_account a
          WHERE a.provider = r.provider AND a.account_id = r.owner_account) AS owner_id,
        ARRAY(SELECT a.id FROM reservations_account a
               WHERE a.provider = r.provider AND a.account_id = ANY (r.seen_by) ORDER BY a.id) AS watcher_ids,
        ARRAY(SELECT (r.first_listed_by ->> a.account_id)::timestamptz FROM reservations_account a
               WHERE a.provider = r.provider AND a.account_id = ANY (r.seen_by) ORDER BY a.id) AS watching_since,
        CASE WHEN r.id = ANY (%(whole)s) THEN NULL ELSE
            (SELECT max(o.observed_at) FROM reservations_reservationobservation o
              WHERE o.reservation_id = r.id AND o.present AND o.observed_at < %(first)s) END AS low,
        CASE WHEN r.id = ANY (%(whole)s) THEN NULL ELSE
            (SELECT min(o.observed_at) FROM reservations_reservationobservation o
              WHERE o.reservation_id = r.id AND o.present AND o.observed_at > %(last)s) END AS high
    FROM reservations_reservation r
    WHERE r.id = ANY (%(ids)s)
), gaps AS (
    SELECT f.*, o.observed_at AS seen_at,
        lead(o.observed_at) OVER (PARTITION BY o.reservation_id ORDER BY o.observed_at) AS seen_again_at
    FROM affected f
    JOIN reservations_reservationobservation o ON o.reservation_id = f.id AND o.present
     AND o.observed_at >= coalesce(f.low, '-infinity') AND o.observed_at <= coalesce(f.high, 'infinity')
), absent AS (
    SELECT g.id AS reservation_id, found.as_of AS observed_at
    FROM gaps g
    CROSS JOIN LATERAL (
        SELECT s.as_of FROM reservations_syncrun s
        WHERE s.account_id = ANY (g.watcher_ids || g.owner_id) AND s.region = g.region AND s.complete
          AND s.as_of > g.seen_at AND s.as_of < coalesce(g.seen_again_at, 'infinity')
          AND (s.account_id = g.owner_id OR NOT EXISTS (
                SELECT 1 FROM reservations_syncrun theirs
                WHERE theirs.account_id = g.owner_id AND theirs.region = g.region AND theirs.as_of = s.as_of
              ) AND NOT EXISTS (
                SELECT 1 FROM unnest(g.watcher_ids, g.watching_since) AS watcher (id, since)
                WHERE watcher.since <= s.as_of AND NOT EXISTS (
                    SELECT 1 FROM reservations_syncrun theirs
                    WHERE theirs.account_id = watcher.id AND theirs.region = g.region
                      AND theirs.as_of = s.as_of AND theirs.complete)))
        ORDER BY s.as_of LIMIT 1
    ) found
    WHERE g.seen_at < coalesce(g.high, 'infinity')
), withdrawn AS (
    DELETE FROM reservations_reservationobservation o USING affected f
    WHERE o.reservation_id = f.id AND NOT o.present
      AND o.observed_at > coalesce(f.low, '-infinity') AND o.observed_at < coalesce(f.high, 'infinity')
      AND NOT EXISTS (SELECT 1 FROM absent a
                       WHERE a.reservation_id = o.reservation_id AND a.observed_at = o.observed_at)
    RETURNING o.reservation_id
), noted AS (
    INSERT INTO reservations_reservationobservation (reservation_id, observed_at, present, state_raw)
    SELECT reservation_id, observed_at, FALSE, '' FROM absent
    ON CONFLICT (reservation_id, observed_at) DO NOTHING
    RETURNING reservation_id
)
SELECT reservation_id FROM withdrawn UNION SELECT reservation_id FROM noted
"""

MISSING_SINCE = """
UPDATE reservations_reservation r SET missing_since = newest.absent_at
FROM (
    SELECT r.id, (SELECT min(o.observed_at) FROM reservations_reservationobservation o
                   WHERE o.reservation_id = r.id AND NOT o.present AND o.observed_at > r.last_seen_at) AS absent_at
    FROM reservations_reservation r WHERE r.id = ANY (%(ids)s)
) newest
WHERE r.id = newest.id AND r.missing_since IS DISTINCT FROM newest.absent_at
"""


def rebuild_absences(*, ids: Collection[int], instants: Sequence[datetime], whole: Collection[int]) -> set[int]:
    """Note where these reservations were missing around these instants; gives those whose absences changed.

    ``whole``: reservations whose every gap is looked at again, as it changed who was listing them when.
    """
    if not ids or not instants:
        return set()
    given = {"ids": list(ids), "whole": list(whole), "first": min(instants), "last": max(instants)}
    with connection.cursor() as cursor:
        cursor.execute(ABSENCES, given)
        changed = {row[0] for row in cursor.fetchall()}
        cursor.execute(MISSING_SINCE, given)
    return changed
