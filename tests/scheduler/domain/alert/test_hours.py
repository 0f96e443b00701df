"""Digests and quiet hours by clocks that jump, held to a walk minute by minute."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.alert.hours import digest_after, digest_day, digest_instant, quiet_end

ZONES = [
    ZoneInfo(name) for name in ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe")
]
instants = st.integers(0, 2 * 365 * 1440).map(
    lambda passed: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=passed)
)


@given(instants, st.integers(0, 23), st.sampled_from(ZONES))
def test_there_is_one_digest_a_day_and_the_next_is_the_first_after_now(
    now: datetime, hour: int, zone: ZoneInfo
) -> None:
    after = digest_after(now, hour, zone)
    assert now < after <= now + timedelta(hours=26)
    day = digest_day(now, hour, zone)
    assert digest_instant(day, hour, zone) <= now < digest_instant(day + timedelta(days=1), hour, zone)
    assert digest_instant(day + timedelta(days=1), hour, zone) == after


@pytest.mark.parametrize(
    ("day", "hour", "at"),
    [
        (date(2026, 3, 29), 2, datetime(2026, 3, 29, 1, tzinfo=UTC)),  # 02:00 is skipped
        (date(2026, 10, 25), 2, datetime(2026, 10, 25, 0, tzinfo=UTC)),  # 02:00 comes twice
        (date(2026, 7, 1), 8, datetime(2026, 7, 1, 6, tzinfo=UTC)),
    ],
)
def test_an_hour_that_is_skipped_or_comes_twice_has_one_digest(day: date, hour: int, at: datetime) -> None:
    assert digest_instant(day, hour, ZoneInfo("Europe/Berlin")) == at


def is_quiet_by_the_wall(at: datetime, start: time, end: time, zone: ZoneInfo) -> bool:
    wall = at.astimezone(zone)
    minute, first, last = (60 * one.hour + one.minute for one in (wall, start, end))
    return (minute - first) % 1440 < (last - first) % 1440


minutes = st.builds(time, st.integers(0, 23), st.integers(0, 59))


@given(instants, minutes, minutes, st.sampled_from(ZONES))
def test_quiet_hours_end_at_the_first_minute_that_is_not_quiet(
    now: datetime, start: time, end: time, zone: ZoneInfo
) -> None:
    now = now.replace(second=0, microsecond=0)
    if start == end:
        return
    found = quiet_end(now, start, end, zone)
    walked = now
    while is_quiet_by_the_wall(walked, start, end, zone):
        walked += timedelta(minutes=1)
    assert not is_quiet_by_the_wall(found, start, end, zone)
    assert walked <= found <= walked + timedelta(hours=1)
    skipped = found.astimezone(zone).time().replace(fold=0) != end
    assert found == walked or skipped


def test_without_quiet_hours_nothing_waits() -> None:
    now = datetime(2026, 5, 4, 3, tzinfo=UTC)
    assert quiet_end(now, None, None, None) == now
