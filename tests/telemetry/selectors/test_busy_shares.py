"""Two sums of many months are those of the whole totals, in any zone."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from reservations.domain.period import Period, month_period
from telemetry.models import PoolHour
from telemetry.selectors.busy_shares import Busy, busy_by_pool
from telemetry.selectors.totals import totals_by_pool
from telemetry.services.days import refresh_days
from tests.fixtures.cast import Cast

pytestmark = pytest.mark.django_db
MONTHS = (date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1), date(2026, 4, 1))


@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/New_York", "Pacific/Kiritimati"])
def test_busy_and_reserved_are_those_of_the_totals(zone: str, cast: Cast, collected: list[PoolHour]) -> None:
    again = datetime(2026, 1, 30, tzinfo=UTC)
    for place, row in enumerate(collected):
        row.pk, row.pool, row.hour = None, cast.other, again + timedelta(hours=place)
        row.busy = None if place % 7 == 0 else row.busy
    PoolHour.objects.bulk_create(collected)
    refresh_days(pool_id=cast.other.pk, hours=[row.hour for row in collected])
    periods = {month: month_period(month, ZoneInfo(zone)) for month in MONTHS}
    ids = [cast.pool.pk, cast.other.pk]
    told = busy_by_pool(pool_ids=ids, periods=periods)
    whole = totals_by_pool(pool_ids=ids, periods=periods)
    assert {key: (one.busy, one.reserved, one.share) for key, one in told.items()} == {
        key: (one.busy, one.busy_reserved, one.busy_share) for key, one in whole.items()
    }
    assert len(told) >= 3


def test_periods_with_a_gap_between_them_leave_the_gap_out(cast: Cast, collected: list[PoolHour]) -> None:
    first = datetime(2026, 3, 1, tzinfo=UTC)
    day = timedelta(days=1)
    periods = {"a": Period(first, first + day), "b": Period(first + 2 * day, first + 3 * day)}
    told = busy_by_pool(pool_ids=[cast.pool.pk], periods=periods)
    rows = PoolHour.objects.filter(pool=cast.pool)
    for key, period in periods.items():
        inside = rows.filter(hour__gte=period.start, hour__lt=period.end)
        assert told[cast.pool.pk, key].busy == sum(row.busy for row in inside)


def test_periods_within_a_day_are_read_hour_by_hour(cast: Cast, collected: list[PoolHour]) -> None:
    first = datetime(2026, 3, 1, 3, tzinfo=UTC)
    (one,) = busy_by_pool(pool_ids=[cast.pool.pk], periods={0: Period(first, first + timedelta(hours=2))}).values()
    rows = PoolHour.objects.filter(hour__gte=first, hour__lt=first + timedelta(hours=2))
    assert one == Busy(sum(row.busy for row in rows), sum(row.reserved for row in rows))
