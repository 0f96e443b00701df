"""Until when an alert is put off, by the clock of whoever says so."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.alert.put_off import UnableToPutOff, Until, put_off_until

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("chosen", "until"),
    [
        (Until.HOUR, datetime(2026, 12, 1, 13, tzinfo=UTC)),
        (Until.TODAY, datetime(2026, 12, 1, 23, tzinfo=UTC)),
        (Until.TOMORROW, datetime(2026, 12, 2, 8, tzinfo=UTC)),
        (Until.WEEK, datetime(2026, 12, 8, 12, tzinfo=UTC)),
    ],
)
def test_choices_are_those_of_the_readers_clock(chosen: Until, until: datetime) -> None:
    assert put_off_until(chosen, as_of=NOON, zone=BERLIN) == until


def test_tomorrow_is_nine_by_the_clock_also_where_the_clocks_change_in_the_night() -> None:
    before = datetime(2026, 3, 28, 12, tzinfo=UTC)
    assert put_off_until(Until.TOMORROW, as_of=before, zone=BERLIN) == datetime(2026, 3, 29, 7, tzinfo=UTC)


def test_an_evening_elsewhere_may_be_another_day_already() -> None:
    kolkata = ZoneInfo("Asia/Kolkata")
    late = datetime(2026, 12, 1, 20, tzinfo=UTC)  # half past one on the second, there
    assert put_off_until(Until.TODAY, as_of=late, zone=kolkata) == datetime(2026, 12, 2, 18, 30, tzinfo=UTC)


def test_a_time_of_ones_own_is_by_ones_clock_unless_it_says_its_offset() -> None:
    asked = {"as_of": NOON, "zone": BERLIN}
    assert put_off_until("at", at="2026-12-03T09:00", **asked) == datetime(2026, 12, 3, 8, tzinfo=UTC)
    assert put_off_until("at", at=" 2026-12-03T09:00Z ", **asked) == datetime(2026, 12, 3, 9, tzinfo=UTC)


def said_of(text: str) -> str:
    """The sentence that refuses what was written; blank where it is a time."""
    try:
        return "" if put_off_until("at", as_of=NOON, zone=BERLIN, at=text).tzinfo else "no zone"
    except UnableToPutOff as unable:
        return str(unable)


@given(st.text(max_size=60))
def test_whatever_is_written_gives_an_instant_or_one_sentence(text: str) -> None:
    said = said_of(text)
    assert said == "" or (said.startswith(("“", "Say")) and said.endswith("."))


@given(st.integers(-400_000, 400_000))
def test_every_choice_lies_ahead_and_within_two_weeks(minutes: int) -> None:
    as_of = NOON + timedelta(minutes=minutes)
    for chosen in set(Until) - {Until.AT}:
        assert as_of < put_off_until(chosen, as_of=as_of, zone=BERLIN) <= as_of + timedelta(days=14)


def test_no_choice_is_told_so() -> None:
    with pytest.raises(UnableToPutOff, match="Say until when"):
        put_off_until("", as_of=NOON, zone=BERLIN)
