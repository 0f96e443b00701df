"""What watching a reservation needs beside what it holds: its traits, its last observations, and failed launches."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection
from django.db.models import F, Max, OuterRef, Subquery, Sum, Value
from django.db.models.functions import Coalesce, NullIf

from reservations.domain.block_extension import extension_waits
from reservations.domain.reservation_state import Kind, State
from reservations.models import LaunchReport, Reservation

_TRAITS = ("planned_count", "arn", "region", "platform", "tenancy", "commitment_end_at")


@dataclass(frozen=True, slots=True)
class Traits:
    """What an instance must have to run in a reservation, and what its end does; blank is unknown.

    ``planned`` is what it will hold, as far as the provider says.
    """

    arn: str
    region: str
    platform: str
    tenancy: str
    commitment_end_at: datetime | None
    takes_machines: bool
    extension_pending: bool
    planned: int | None = None


@dataclass(frozen=True, slots=True)
class SlotsSeen:
    """One observation; ``free`` None: its state gave that count no meaning."""

    at: datetime
    free: int | None
    total: int | None


@dataclass(frozen=True, slots=True)
class FailedLaunches:
    """Launches of a shape in a zone (blank: not said) on the newest day that was reported."""

    day: date
    attempts: int
    failures: int


# One step into the index for each reservation, however many observations there are.
SEEN = """
SELECT r.id, o.observed_at,
       CASE WHEN o.present AND o.state_raw = 'active' THEN o.available_count END, o.total_count
FROM reservations_reservation r
CROSS JOIN LATERAL (
    SELECT observed_at, present, state_raw, available_count, total_count FROM reservations_reservationobservation
    WHERE reservation_id = r.id AND observed_at > %(after)s AND observed_at <= %(until)s
) o
WHERE r.missing_since IS NULL AND r.state <> ALL(%(over)s) ORDER BY r.id, o.observed_at
"""


def slots_seen(*, after: datetime, until: datetime) -> dict[int, list[SlotsSeen]]:
    """The observations in ``(after, until]`` of every reservation that is not over, in time order and one query."""
    found: dict[int, list[SlotsSeen]] = defaultdict(list)
    asked = {"after": after, "until": until, "over": [State.ENDED.value, State.FAILED.value]}
    with connection.cursor() as cursor:
        cursor.execute(SEEN, asked)
        for pk, at, free, total in cursor.fetchall():
            found[pk].append(SlotsSeen(at, free, total))
    return found


def traits_of(reservation_ids: Collection[int]) -> dict[int, Traits]:
    """The traits of some reservations, in one query."""
    rows = Reservation.objects.filter(pk__in=reservation_ids).annotate(extensions=F("raw__CapacityBlockExtensions"))
    told = rows.only(*_TRAITS, "kind", "ends_terminate_instances")
    return {
        one.pk: Traits(
            arn=one.arn,
            region=one.region,
            platform=one.platform,
            tenancy=one.tenancy,
            commitment_end_at=one.commitment_end_at,
            takes_machines=one.ends_terminate_instances or one.kind == Kind.BLOCK.value,
            extension_pending=extension_waits(one.extensions),
            planned=one.planned_count,
        )
        for one in told
    }


def failed_launches(*, since: date, until: date) -> dict[tuple[str, str], FailedLaunches]:
    """Launches by shape and zone id on the newest day of ``[since, until]`` reported for each, in one query.

    What was reported of a pool counts for its shape.
    """
    shape = Coalesce(NullIf("subject__shape", Value("")), "subject__pool__instance_type")
    within = LaunchReport.objects.annotate(shape=shape).filter(day__gte=since, day__lte=until)
    newest = within.filter(shape=OuterRef("shape"), zone_id=OuterRef("zone_id")).order_by()
    newest = newest.values("shape").annotate(day_last=Max("day")).values("day_last")
    rows = (
        within.filter(day=Subquery(newest))
        .order_by()
        .values_list("shape", "zone_id", "day")
        .annotate(tried=Sum("attempts"), failed=Sum("failures"))
    )
    return {(shape, zone): FailedLaunches(day, tried, failed) for shape, zone, day, tried, failed in rows}
