"""Writing what a ledger hour's work waited for, with the hour and in its transaction."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

from reservations.selectors.shapes import QueueOwner
from telemetry.domain.demand import UNIT
from telemetry.domain.details import HourDetails
from telemetry.domain.kept_name import LONGEST, kept_name
from telemetry.domain.queued import AskedHour
from telemetry.models import HourAsked, HourQueued, PoolHour

NOBODY = QueueOwner("", "")
BATCH = 2_000


def write_asked(
    *, hours: Sequence[PoolHour], details: Mapping[datetime, HourDetails], owners: Mapping[str, QueueOwner]
) -> None:
    """Write what waited in some hours of one pool, in place of what was written of them before."""
    told = [(hour, asked) for hour in hours if hour.hour in details and (asked := details[hour.hour].asked)]
    forget_asked(hour_ids=[hour.pk for hour in hours if hour.hour in details])
    HourAsked.objects.bulk_create(
        (HourAsked(pool_hour=hour, peak_gpus=_kept(asked.peak_gpus)) for hour, asked in told), batch_size=BATCH
    )
    HourQueued.objects.bulk_create(
        (row for hour, asked in told for row in _rows(hour, asked, owners)), batch_size=BATCH
    )


def forget_asked(*, hour_ids: Collection[int]) -> None:
    """Delete what is written of some hours."""
    HourAsked.objects.filter(pool_hour_id__in=hour_ids).delete()
    HourQueued.objects.filter(pool_hour_id__in=hour_ids).delete()


def _rows(hour: PoolHour, asked: AskedHour, owners: Mapping[str, QueueOwner]) -> list[HourQueued]:
    return [
        HourQueued(
            pool_hour=hour,
            cluster_queue=kept_name(one.cluster_queue, LONGEST),
            team=owners.get(one.cluster_queue, NOBODY).team,
            workload=owners.get(one.cluster_queue, NOBODY).workload,
            queued=one.queued,
        )
        for one in asked.queued
    ]


def _kept(gpus: Fraction | None) -> Decimal | None:
    """To four decimals, rounded up: a peak is never told lower than it was."""
    return None if gpus is None else (Decimal(gpus.numerator) / gpus.denominator).quantize(UNIT, ROUND_CEILING)
