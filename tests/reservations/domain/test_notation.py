from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain import notation

HOUR = 3_600_000


@pytest.mark.parametrize(
    ("gpu_ms", "written"),
    [
        (0, "0"),
        (HOUR * 11_904, "11\u202f904"),
        (HOUR * 100, "100"),
        (HOUR * 413 // 10, "41.3"),
        (HOUR * 5 // 4, "1.25"),
        (-HOUR * 200, "−200"),
        (1, "0.00"),
    ],
)
def test_gpu_hours_are_whole_from_a_hundred_on(gpu_ms: int, written: str) -> None:
    assert notation.gpu_hours(gpu_ms) == written


@pytest.mark.parametrize(
    ("share", "written"),
    [
        ("0.75", "75.0 %"),
        ("0.0041", "0.41 %"),
        ("0", "0 %"),
        ("1", "100 %"),
        ("0.99999", "100.0 %"),
        ("-0.02", "−2.0 %"),
    ],
)
def test_a_share_tells_all_from_nearly_all(share: str, written: str) -> None:
    assert notation.percent(Decimal(share)).replace("\u202f", " ") == written


def test_money_carries_its_currency() -> None:
    assert notation.amount(Decimal("412000.4"), "USD").replace("\u202f", " ") == "412 000 USD"
    assert notation.amount(Decimal("3.456"), "EUR").replace("\u202f", " ") == "3.46 EUR"


def test_days_months_and_hours_are_written_out() -> None:
    at = datetime(2026, 5, 9, 13, tzinfo=UTC)
    assert notation.day(date(2026, 5, 9)) == "9 May 2026"
    assert notation.month(date(2026, 5, 1)) == "May 2026"
    assert notation.instant(at) == "9 May 2026, 13:00 UTC"
    assert notation.instant(at, ZoneInfo("Asia/Kolkata")) == "9 May 2026, 18:30 Asia/Kolkata"
    assert notation.hour(at) == "13:00–14:00"


def test_the_hour_a_clock_skips_ends_where_it_ends() -> None:
    at = datetime(2026, 3, 29, 0, tzinfo=UTC)
    assert notation.hour(at, ZoneInfo("Europe/Berlin")) == "01:00–03:00"


@pytest.mark.parametrize(
    ("length", "written"),
    [
        (timedelta(seconds=59), "0 min"),
        (timedelta(minutes=125), "2 h 5 min"),
        (timedelta(hours=2), "2 h"),
        (timedelta(days=3, hours=4, minutes=59), "3 d 4 h"),
        (timedelta(seconds=-5), "0 min"),
    ],
)
def test_a_duration_has_two_units_at_most(length: timedelta, written: str) -> None:
    assert notation.duration(length) == written


@given(st.lists(st.none() | st.integers(-(10**12), 10**12), max_size=14), st.sampled_from([HOUR, HOUR // 10, 7]))
def test_rounded_parts_add_up_and_none_is_off_by_a_unit(parts: list[int | None], unit: int) -> None:
    written = notation.whole_parts(parts, unit)
    known = [part for part in parts if part is not None]
    assert [part is None for part in written] == [part is None for part in parts]
    assert sum(part for part in written if part is not None) == round(Decimal(sum(known)) / unit)
    assert all(abs(whole * unit - part) <= unit for whole, part in zip(written, parts, strict=True) if part is not None)
