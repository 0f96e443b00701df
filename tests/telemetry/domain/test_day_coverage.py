from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from telemetry.domain.day_coverage import DayState, coverage_day, days_until
from telemetry.domain.totals import Totals

NOON = datetime(2026, 5, 9, 12, 10, tzinfo=UTC)
NINTH = date(2026, 5, 9)
EIGHTH = date(2026, 5, 8)


def known(share: str, hours: int = 24) -> Totals:
    return Totals(hours=hours, expected=1000, known=1, covered_known=int(Decimal(share) * 1000), covered_expected=1000)


@pytest.mark.parametrize(
    ("share", "state"),
    [("1", "whole"), ("0.9", "whole"), ("0.899", "low"), ("0.5", "low"), ("0.499", "thin"), ("0", "thin")],
)
def test_a_day_is_as_good_as_the_share_that_is_known(share: str, state: str) -> None:
    assert coverage_day(EIGHTH, known(share), as_of=NOON).state == DayState(state)


def test_a_day_that_is_nearly_whole_is_never_called_whole() -> None:
    assert coverage_day(EIGHTH, known("0.999"), as_of=NOON).share_text == "99"


def test_a_day_without_hours_is_not_collected_once_it_was_due() -> None:
    assert coverage_day(EIGHTH, None, as_of=NOON).state == DayState.NOT_COLLECTED
    assert coverage_day(date(2026, 5, 10), None, as_of=NOON).state == DayState.NOT_DUE


def test_today_misses_only_hours_that_were_due() -> None:
    today = coverage_day(NINTH, known("1", hours=10), as_of=NOON)
    assert (today.due, today.missing) == (12, 2)
    assert today.words.endswith("2 hours missing")


def test_no_devices_expected_is_not_the_same_as_devices_unknown() -> None:
    assert coverage_day(EIGHTH, Totals(hours=24, expected=0, known=0), as_of=NOON).state == DayState.NO_DEVICES
    assert coverage_day(EIGHTH, Totals(hours=24), as_of=NOON).state == DayState.UNKNOWN


def test_days_end_with_today() -> None:
    assert days_until(NOON, 3) == [date(2026, 5, 7), EIGHTH, NINTH]
