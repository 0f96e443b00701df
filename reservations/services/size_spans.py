"""Size histories as rows: written whole from what was seen, so that they never depend on the order it came in."""

from collections.abc import Collection, Iterator
from itertools import groupby

from django.db import connection
from django.db.backends.postgresql.psycopg_any import DateTimeTZRange

from reservations.domain.reservation_state import Kind
from reservations.domain.size_history import DatedSpan, Seen, size_history
from reservations.models import Reservation, ReservationSize

# The first and the last of every run of equal observations: all that a size history needs of them.
TURNING_POINTS = """
SELECT reservation_id, observed_at, present, state_raw, total_count
FROM (
    SELECT *, lag(said) OVER sightings AS said_before, lead(said) OVER sightings AS said_after
    FROM (
        SELECT *, concat_ws('|', present, state_raw, total_count) AS said
        FROM reservations_reservationobservation WHERE reservation_id = ANY (%s)
    ) one
    WINDOW sightings AS (PARTITION BY reservation_id ORDER BY observed_at)
) run
WHERE said_before IS DISTINCT FROM said OR said_after IS DISTINCT FROM said
ORDER BY reservation_id, observed_at
"""


def rebuild_sizes(*, reservation_ids: Collection[int]) -> None:
    """Bring these reservations' sizes in line with their observations; rows that already agree stay.

    What people entered has no observations and is left alone.
    """
    stored: dict[int, list[ReservationSize]] = {}
    for size in ReservationSize.objects.filter(reservation_id__in=reservation_ids).order_by("period"):
        stored.setdefault(size.reservation_id, []).append(size)
    seen = dict(_turning_points(reservation_ids))
    stale: list[int] = []
    fresh: list[ReservationSize] = []
    listable = Reservation.objects.exclude(kind=Kind.MANUAL.value)
    for row in listable.filter(pk__in=reservation_ids).only("start_at", "end_at"):
        spans = size_history(seen=seen.get(row.pk, ()), start_at=row.start_at, end_at=row.end_at)
        rows = [_as_row(row.pk, span) for span in spans]
        if [_said(size) for size in rows] != [_said(size) for size in stored.get(row.pk, ())]:
            stale.append(row.pk)
            fresh += rows
    ReservationSize.objects.filter(reservation_id__in=stale).delete()
    ReservationSize.objects.bulk_create(fresh)


def _turning_points(reservation_ids: Collection[int]) -> Iterator[tuple[int, list[Seen]]]:
    with connection.cursor() as cursor:
        cursor.execute(TURNING_POINTS, [list(reservation_ids)])
        for reservation_id, rows in groupby(cursor.fetchall(), key=lambda row: row[0]):
            yield reservation_id, [Seen(*row[1:]) for row in rows]


def _as_row(reservation_id: int, span: DatedSpan) -> ReservationSize:
    period = DateTimeTZRange(span.start, span.end)
    return ReservationSize(
        reservation_id=reservation_id,
        period=period,
        instances=span.instances,
        usable=span.usable,
        dated_by=span.dated_by.value,
    )


def _said(size: ReservationSize) -> tuple[object, ...]:
    return size.period.lower, size.period.upper, size.instances, size.usable, size.dated_by
