"""The calendar against an oracle that shares no code with it: walk every UTC hour and ask the zone for its date."""

from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reservations.domain.period import (
    Period,
    UnableToReadTime,
    ceil_hour,
    day_period,
    days_of,
    epoch_ms,
    floor_hour,
    from_epoch_ms,
    month_period,
    months_of,
    read_instant,
    read_month,
    zone,
)

ZONES = (
    "UTC",
    "America/New_York",
    "America/Sao_Paulo",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Europe/Berlin",
    "Pacific/Apia",
    "Pacific/Kiritimati",
)
FIRST, LAST = datetime(1994, 1, 1, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)


def hours_by_local_day(name: str, start: datetime, end: datetime) -> dict[date, list[datetime]]:
    local, days = ZoneInfo(name), defaultdict(list)
    at = start
    while at < end:
        days[at.astimezone(local).date()].append(at)
        at += timedelta(hours=1)
    return days


@pytest.mark.parametrize("name", ZONES)
def test_every_hour_from_1994_to_2030_lies_in_the_day_and_the_month_it_starts_in(name: str) -> None:
    expected_days = hours_by_local_day(name, FIRST, LAST)
    expected_months: dict[tuple[int, int], list[datetime]] = defaultdict(list)
    for day, hours in expected_days.items():
        expected_months[day.year, day.month] += hours
    whole, local = Period(FIRST, LAST), zone(name)

    days = {day: (part.start, part.end) for day, part in days_of(whole, local)}
    months = {(month.year, month.month): (part.start, part.end) for month, part in months_of(whole, local)}

    hour = timedelta(hours=1)
    assert days == {day: (hours[0], hours[-1] + hour) for day, hours in expected_days.items()}
    assert months == {month: (hours[0], hours[-1] + hour) for month, hours in expected_months.items()}
    assert all((end - start) // hour == len(expected_days[day]) for day, (start, end) in days.items())
    assert all((end - start) // hour == len(expected_months[month]) for month, (start, end) in months.items())


@given(name=st.sampled_from(ZONES), month=st.dates(date(1995, 2, 1), date(2030, 12, 31)))
@example(name="America/New_York", month=date(2024, 2, 29))
@example(name="Pacific/Apia", month=date(2011, 12, 30))
@example(name="America/Sao_Paulo", month=date(2018, 11, 4))
@example(name="Africa/Casablanca", month=date(2026, 3, 22))
def test_the_days_of_a_month_are_its_hours_without_gap_or_overlap(name: str, month: date) -> None:
    local = zone(name)
    whole = month_period(month, local)
    parts = days_of(whole, local)
    assert [part.start for _, part in parts] == [whole.start, *(part.end for _, part in parts[:-1])]
    assert parts[-1][1].end == whole.end
    assert all(part == day_period(day, local) for day, part in parts)
    assert sum(len(list(part.hours())) for _, part in parts) == len(list(whole.hours()))


@pytest.mark.parametrize(
    ("name", "day", "hours"),
    [
        ("America/New_York", date(2026, 3, 8), 23),
        ("America/New_York", date(2026, 11, 1), 25),
        (
            "Australia/Lord_Howe",
            date(2026, 4, 5),
            25,
        ),  # 24½ hours long
        ("Australia/Lord_Howe", date(2026, 10, 4), 23),
        ("America/Sao_Paulo", date(2018, 11, 4), 23),
        ("Asia/Kolkata", date(2024, 2, 29), 24),
    ],
)
def test_a_local_day_has_the_hours_its_clock_gives_it(name: str, day: date, hours: int) -> None:
    around = datetime(day.year, day.month, day.day, tzinfo=UTC) - timedelta(days=2)
    walked = hours_by_local_day(name, around, around + timedelta(days=5))[day]
    assert len(list(day_period(day, zone(name)).hours())) == len(walked) == hours


def test_the_day_samoa_skipped_has_no_hours() -> None:
    december = month_period(date(2011, 12, 1), zone("Pacific/Apia"))
    assert date(2011, 12, 30) not in {day for day, _ in days_of(december, zone("Pacific/Apia"))}
    with pytest.raises(ValueError, match="must end after it starts"):
        day_period(date(2011, 12, 30), zone("Pacific/Apia"))


def test_a_period_that_begins_in_the_middle_of_a_day_is_clipped_at_both_ends() -> None:
    period = Period(datetime(2026, 5, 1, 10, tzinfo=UTC), datetime(2026, 5, 2, 3, tzinfo=UTC))
    assert days_of(period, UTC) == [
        (date(2026, 5, 1), Period(period.start, datetime(2026, 5, 2, tzinfo=UTC))),
        (date(2026, 5, 2), Period(datetime(2026, 5, 2, tzinfo=UTC), period.end)),
    ]
    assert months_of(period, UTC) == [(date(2026, 5, 1), period)]


@given(
    st.integers(0, 130 * 366 * 86_400_000_000).map(
        lambda us: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=us)
    )
)
def test_milliseconds_since_1970_lose_nothing_but_microseconds(at: datetime) -> None:
    cut = at.replace(microsecond=at.microsecond // 1000 * 1000)
    assert from_epoch_ms(epoch_ms(at)) == cut
    assert floor_hour(at) <= at <= ceil_hour(at)
    assert ceil_hour(at) - floor_hour(at) in {timedelta(0), timedelta(hours=1)}


@pytest.mark.parametrize(
    "text",
    ["2026-13", "2026-5", "2026", "may", "2026-05-01", "", "٢٠٢٦-٠٥", "0000-01", "1969-12", "2200-01", "9999-12"],
)
def test_what_is_not_a_month_is_refused_in_words(text: str) -> None:
    with pytest.raises(UnableToReadTime, match="is not a month"):
        read_month(text)


@pytest.mark.parametrize("text", ["2026-05-01T10:00", "2026-05-01"])
def test_a_naive_instant_is_refused_in_words(text: str) -> None:
    with pytest.raises(UnableToReadTime, match="has no offset"):
        read_instant(text)


@pytest.mark.parametrize(
    "text", ["yesterday", "", "2026-02-30T00:00Z", "0001-01-01T00:00+02:00", "9999-12-31T23:59-12:00"]
)
def test_what_is_not_an_instant_is_refused_in_words(text: str) -> None:
    with pytest.raises(UnableToReadTime, match="is not an instant"):
        read_instant(text)


@pytest.mark.parametrize("name", ["Europe/Berln", "", "../etc/passwd", "a" * 400, "\0"])
def test_an_unknown_zone_is_refused_in_words(name: str) -> None:
    with pytest.raises(UnableToReadTime, match="unknown time zone"):
        zone(name)


def test_a_period_is_aware_and_goes_forward() -> None:
    at = datetime(2026, 5, 1, tzinfo=UTC)
    with pytest.raises(ValueError, match="must end after"):
        Period(at, at)
    with pytest.raises(ValueError, match="instants with a zone"):
        Period(at.replace(tzinfo=None), at + timedelta(days=1))
    with pytest.raises(ValueError, match="not whole hours"):
        list(Period(at, at + timedelta(minutes=90)).hours())
