from datetime import UTC, date, datetime, timedelta, tzinfo
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reservations.domain.period import Period, month_period, zone
from telemetry.domain.ledger import AMOUNTS, LedgerHour
from telemetry.domain.rollup import LedgerSum, by_day, by_hour, by_month, due_until, roll_up
from tests.telemetry.domain.ledger_rows import hours_in

ZONES = (
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Lord_Howe",
    "Pacific/Kiritimati",
    "Africa/Casablanca",
    "Europe/Berlin",
    "America/Sao_Paulo",
)
PINNED = [
    *((name, date(2028, 2, 1), 29 * 24) for name in ZONES),
    ("America/New_York", date(2026, 3, 1), 31 * 24 - 1),
    ("America/New_York", date(2026, 11, 1), 30 * 24 + 1),
    ("Australia/Lord_Howe", date(2026, 4, 1), 30 * 24 + 1),
    ("Australia/Lord_Howe", date(2026, 10, 1), 31 * 24 - 1),
    ("Pacific/Kiritimati", date(2026, 5, 1), 31 * 24),
    ("Asia/Kolkata", date(2026, 5, 1), 31 * 24),
    ("Africa/Casablanca", date(2026, 2, 1), 28 * 24 + 1),
]
"""Zone, month, UTC hours that start in it: leap Februaries, changes of the clock (half an hour in Lord Howe, for
Ramadan in Casablanca), zones half an hour or fourteen hours off."""
MAY = Period(datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC))
H = 3_600_000


def row(number: int, **amounts: object) -> LedgerHour:
    given: dict[str, object] = {"reserved": 8 * H, "paid": 8 * H, **amounts}
    return LedgerHour(hour=MAY.start + timedelta(hours=number), **given)  # type: ignore[arg-type]


def added(sums: list[LedgerSum], name: str) -> int | None:
    known = [getattr(total, name) for total in sums if getattr(total, name) is not None]
    return sum(known) if known else None


@given(data=st.data(), name=st.sampled_from(ZONES), month=st.dates(date(2015, 1, 1), date(2030, 12, 31)))
def test_hours_and_days_add_up_to_the_month_in_every_zone(data: st.DataObject, name: str, month: date) -> None:
    whole = month_period(month, zone(name))
    assert_adds_up(data.draw(hours_in(whole.start, whole.end)), whole, zone(name))


@pytest.mark.parametrize(("name", "month", "hours"), PINNED, ids=str)
@settings(max_examples=3)
@given(data=st.data())
def test_hours_and_days_add_up_where_a_month_is_odd(name: str, month: date, hours: int, data: st.DataObject) -> None:
    whole = month_period(month, zone(name))
    assert len(list(whole.hours())) == hours
    assert_adds_up(data.draw(hours_in(whole.start, whole.end)), whole, zone(name))


def assert_adds_up(hours: list[LedgerHour], whole: Period, local: tzinfo) -> None:
    total = roll_up(hours=hours, period=whole)
    days = by_day(hours=hours, period=whole, zone=local)
    each = by_hour(hours=hours, period=whole)
    months = by_month(hours=hours, period=whole, zone=local)
    assert months == [total]
    for amount in (*AMOUNTS, "launched", "busy_high"):
        assert added(days, amount) == added(each, amount) == getattr(total, amount)
        known = [getattr(hour, amount) for hour in hours if getattr(hour, amount) is not None]
        assert getattr(total, amount) == (sum(known) if known else None)
    for counted in ("hours_missing", "hours_present"):
        assert added(days, counted) == added(each, counted) == getattr(total, counted)
    assert total.hours_missing + total.hours_present == len(list(whole.hours()))


@given(data=st.data(), seed=st.integers())
def test_the_order_of_the_hours_does_not_matter(data: st.DataObject, seed: int) -> None:
    hours = data.draw(hours_in(MAY.start, MAY.end))
    shuffled = hours.copy()
    Random(seed).shuffle(shuffled)
    assert roll_up(hours=shuffled, period=MAY) == roll_up(hours=hours, period=MAY)
    assert by_day(hours=shuffled, period=MAY, zone=UTC) == by_day(hours=hours, period=MAY, zone=UTC)


def test_a_sum_skips_what_is_unknown_and_is_unknown_only_if_every_hour_is() -> None:
    total = roll_up(hours=[row(0, busy=3), row(1), row(2, busy=0)], period=MAY)
    assert (total.busy, total.idle) == (3, None)
    assert (total.hours_known["busy"], total.hours_known["idle"], total.hours_known["reserved"]) == (2, 0, 3)
    assert roll_up(hours=[], period=MAY).reserved is None


def test_launched_is_made_hour_by_hour_so_that_an_unobserved_hour_does_not_count_as_launched() -> None:
    total = roll_up(hours=[row(0, ec2_unused=2 * H), row(1)], period=MAY)
    assert total.launched == 6 * H
    assert total.reserved == 16 * H


def test_coverage_is_taken_over_the_hours_that_know_both_sides() -> None:
    total = roll_up(hours=[row(0, known=3, expected=4), row(1, expected=100), row(2, known=7)], period=MAY)
    assert total.coverage == Decimal("0.75")
    assert roll_up(hours=[row(0, known=0, expected=0)], period=MAY).coverage is None


def test_a_month_to_date_misses_only_what_was_due() -> None:
    until = due_until(datetime(2026, 5, 1, 3, 4, 59, tzinfo=UTC))
    assert until == datetime(2026, 5, 1, 2, tzinfo=UTC)
    assert due_until(datetime(2026, 5, 1, 3, 5, tzinfo=UTC)) == datetime(2026, 5, 1, 3, tzinfo=UTC)
    total = roll_up(hours=[row(0, final=True)], period=MAY, until=until)
    assert (total.hours_present, total.hours_missing, total.to_date, total.final) == (1, 1, True, False)
    assert [day.period.start.day for day in by_day(hours=[row(0)], period=MAY, zone=UTC, until=until)] == [1]


def test_a_month_that_has_not_begun_misses_nothing() -> None:
    total = roll_up(hours=[], period=MAY, until=datetime(2026, 4, 1, tzinfo=UTC))
    assert (total.hours_missing, total.to_date) == (0, True)


def test_only_a_whole_period_of_final_hours_is_final() -> None:
    two = Period(MAY.start, MAY.start + timedelta(hours=2))
    assert roll_up(hours=[row(0, final=True), row(1, final=True)], period=two).final
    assert not roll_up(hours=[row(0, final=True), row(1)], period=two).final
    assert not roll_up(hours=[row(0, final=True)], period=two).final


def test_flags_are_counted_by_hour() -> None:
    total = roll_up(hours=[row(0, flags=("b", "a")), row(1, flags=("a",))], period=MAY)
    assert list(total.flags.items()) == [("a", 2), ("b", 1)]


def test_an_hour_outside_the_period_or_twice_is_a_bug() -> None:
    with pytest.raises(ValueError, match="outside the period"):
        roll_up(hours=[row(-1)], period=MAY)
    with pytest.raises(ValueError, match="comes twice"):
        roll_up(hours=[row(0), row(0)], period=MAY)


def test_hours_without_a_valid_sample_may_have_been_busy_as_long_as_they_are_unknown() -> None:
    hours = [
        row(0, known=5 * H, unknown=3 * H, busy=2 * H),
        row(1, known=0, unknown=8 * H),
        row(2, known=6 * H, unknown=2 * H),
        row(3),
    ]
    assert [hour.busy_high for hour in hours] == [5 * H, 8 * H, 8 * H, None]
    total = roll_up(hours=hours, period=MAY)
    assert (total.busy, total.unknown, total.busy_high) == (2 * H, 13 * H, 21 * H)
