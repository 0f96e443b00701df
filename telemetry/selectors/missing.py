"""Which hours of a pool the ledger has no row for."""

from datetime import UTC

from reservations.domain.period import HOUR, Period
from telemetry.models import PoolHour


def missing_hours(*, pool_id: int, period: Period) -> list[Period]:
    """The stretches of a period of whole hours without a row, in order, in one query."""
    inside = PoolHour.objects.filter(pool_id=pool_id, hour__gte=period.start, hour__lt=period.end)
    present = {hour.astimezone(UTC) for hour in inside.values_list("hour", flat=True)}
    stretches: list[Period] = []
    for hour in period.hours():
        if hour in present:
            continue
        if stretches and stretches[-1].end == hour:
            stretches[-1] = Period(stretches[-1].start, hour + HOUR)
        else:
            stretches.append(Period(hour, hour + HOUR))
    return stretches
