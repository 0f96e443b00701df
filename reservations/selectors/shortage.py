"""Recorded q and L as domain spans."""

from collections.abc import Iterator
from datetime import date

from django.db.models import F, Q, QuerySet

from reservations.domain.break_even import Shortage
from reservations.domain.shortage import ShortageSpan
from reservations.models import Pool, ShortageRecord


def shortage_on(*, pool_id: int, day: date) -> ShortageSpan | None:
    """q and L that hold for a pool on a UTC day, its own before its shape's, in one query; None where none is known."""
    shape = Pool.objects.filter(pk=pool_id).values("instance_type")[:1]
    records = ShortageRecord.objects.filter(
        Q(subject__pool_id=pool_id) | Q(subject__shape__in=shape), period__contains=day
    ).order_by(F("subject__pool_id").asc(nulls_last=True))
    return next((span for _, _, span in shortage_spans(records)), None)


def shortage_spans(records: QuerySet[ShortageRecord]) -> Iterator[tuple[int | None, str, ShortageSpan]]:
    """Stored records as spans, each with its pool, or with None and its shape."""
    for record in records.select_related("subject"):
        yield (
            record.subject.pool_id,
            record.subject.shape or "",
            ShortageSpan(
                start=record.period.lower,
                end=record.period.upper,
                fail_probability=record.fail_probability,
                shortage_cost=record.shortage_cost,
                currency=record.currency,
                convention=Shortage(record.convention),
                source=record.source,
                recorded_on=record.recorded_on,
                attempts=record.attempts,
                failures=record.failures,
                of_pool=record.subject.pool_id is not None,
            ),
        )
