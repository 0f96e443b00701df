from datetime import UTC, datetime, timedelta

import pytest

from reservations.domain.period import Period
from scheduler.services.demo.slices import cut

BEGAN = datetime(2025, 4, 1, tzinfo=UTC)


@pytest.mark.parametrize("sampled_after", [-5, 0, 7, 100 * 24, 100 * 24 + 5, 500 * 24])
@pytest.mark.parametrize("hours", [1, 5, 73, 200 * 24])
def test_slices_cover_every_hour_once_and_keep_told_and_sampled_apart(hours: int, sampled_after: int) -> None:
    whole, sampled_from = Period(BEGAN, BEGAN + timedelta(hours=hours)), BEGAN + timedelta(hours=sampled_after)
    slices = list(cut(whole, sampled_from))
    assert [hour for period, _ in slices for hour in period.hours()] == list(whole.hours())
    assert all(sampled == (hour >= sampled_from) for period, sampled in slices for hour in period.hours())
