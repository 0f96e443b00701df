"""q and L of a pool or a shape from a day on, entered or estimated from launches that were reported."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.backends.postgresql.psycopg_any import DateRange
from django.db.models import Q, Sum

from reservations.domain.break_even import Shortage
from reservations.domain.change import Change
from reservations.domain.shortage import LaunchCount, fail_share, launches_that_count
from reservations.models import LaunchReport, Pool, ShortageRecord
from reservations.services.audit import record_changes
from reservations.services.effective_dating import Book, put_dated, subject_of

_BOOK = Book(
    ShortageRecord,
    "shortage",
    ("fail_probability", "shortage_cost", "currency", "convention", "source", "attempts", "failures", "counted"),
    ("recorded_on",),
)


@dataclass(frozen=True, slots=True)
class ShortageTold:
    """What is recorded: ``fail_probability`` None is to be estimated from the launches of ``count_days`` days."""

    start: date
    end: date | None
    shortage_cost: Decimal
    currency: str
    convention: Shortage
    source: str
    fail_probability: Decimal | None = None
    count_days: int | None = None


@transaction.atomic
def record_shortage(
    *, pool: str | None, shape: str | None, told: ShortageTold, recorded_on: date, entered_by: str
) -> list[Change]:
    """Store q and L from a day on, other records being cut to the days before; launches counted are kept with it.

    The launches are those of the days before ``recorded_on``. UnableToEstimate where there is none of them.
    """
    found = None if pool is None else Pool.objects.get(name=pool)
    values: dict[str, object] = {
        "fail_probability": told.fail_probability,
        "shortage_cost": told.shortage_cost,
        "currency": told.currency,
        "convention": told.convention.value,
        "source": told.source,
        "attempts": None,
        "failures": None,
        "counted": None,
        "recorded_on": recorded_on,
    }
    if told.fail_probability is None:
        days = (recorded_on - timedelta(days=told.count_days or 0), recorded_on)
        counted = _counted(found, shape, days)
        values |= {
            "fail_probability": fail_share(attempts=counted.attempts, failures=counted.failures),
            "attempts": counted.attempts,
            "failures": counted.failures,
            "counted": DateRange(*days),
        }
    changes = put_dated(
        _BOOK,
        subject=subject_of(pool_id=found.pk if found else None, shape=shape),
        label=f"pool {pool}" if found else f"shape {shape}",
        wanted={(told.start, told.end): values},
        entered_by=entered_by,
        reason="record_shortage",
    )
    record_changes(changes=changes, by=entered_by, why="record_shortage")
    return changes


def _counted(pool: Pool | None, shape: str | None, days: tuple[date, date]) -> LaunchCount:
    subject = Q(subject__shape=shape) if pool is None else Q(subject__pool=pool) | Q(subject__shape=pool.instance_type)
    sums = (
        LaunchReport.objects.filter(subject, day__gte=days[0], day__lt=days[1])
        .values_list("subject__pool_id", "zone_id")
        .annotate(Sum("attempts"), Sum("failures"))
    )
    counts = [LaunchCount(attempts, failures, zone, of is not None) for of, zone, attempts, failures in sums]
    return launches_that_count(counts, zone_id=pool.data_zone_id if pool else "")
