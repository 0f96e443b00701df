"""The latest tries to compute ledger hours."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, Sum

from reservations.domain.period import HOUR, Period
from reservations.selectors.any_of import any_of
from telemetry.models import CollectionRun


@dataclass(frozen=True, slots=True)
class RunRow:
    """The hours of one pool that one run ended in the same way: when it began, which they are and, in a sentence, why.

    ``period`` reaches from the first of the ``hours`` to the last; ``took_ms`` is what all took together.
    """

    read_at: datetime
    pool: str
    period: Period
    hours: int
    source: str
    status: str
    message: str
    took_ms: int


def recent_runs(*, pool_ids: Collection[int], since: datetime, limit: int, offset: int = 0) -> list[RunRow]:
    """What runs made of some pools since an instant, the newest first, at most ``limit`` rows, in one query."""
    alike = ("read_at", "pool__name", "source", "status", "message")
    rows = (
        CollectionRun.objects.filter(pool_id__in=any_of(pool_ids), read_at__gte=since)
        .values(*alike)
        .annotate(first=Min("hour"), last=Max("hour"), hours=Count("pk"), took_ms=Sum("took_ms"))
        .order_by("-read_at", "pool__name", "-last", "status", "message")[offset : offset + limit]
    )
    return [
        RunRow(
            read_at=row["read_at"],
            pool=row["pool__name"],
            period=Period(row["first"], row["last"] + HOUR),
            hours=row["hours"],
            source=row["source"],
            status=row["status"],
            message=row["message"],
            took_ms=row["took_ms"],
        )
        for row in rows
    ]
