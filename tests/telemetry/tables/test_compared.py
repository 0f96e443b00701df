from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.totals import Totals
from telemetry.domain.worth import Worth
from telemetry.tables.compared import Compared, Figures

HOUR = 3_600_000
NAMES = {1: "chat", 2: "train", 3: "sprint"}


def sums(hours: int, reserved: int, busy: int | None = None, busy_hours: int | None = None) -> Totals:
    known = hours if busy_hours is None else busy_hours
    return Totals(
        hours=hours,
        reserved=reserved * HOUR,
        paid=reserved * HOUR,
        busy=None if busy is None else busy * HOUR,
        busy_hours=0 if busy is None else known,
        busy_reserved=0 if busy is None else reserved * HOUR,
        busy_paid=0 if busy is None else reserved * HOUR,
    )


def compared(
    now: dict[int, Totals],
    before: dict[int, Totals],
    worth: dict[int, Worth] | None = None,
    worth_before: dict[int, Worth] | None = None,
) -> Compared:
    return Compared(
        Figures(date(2026, 11, 1), NAMES, now, worth or {}),
        Figures(date(2026, 10, 1), NAMES, before, worth_before or {}),
    )


def plain(text: str) -> str:
    return text.replace("\u202f", " ")


def test_a_part_of_a_month_is_compared_by_the_hour_and_not_in_sum() -> None:
    # ten days at 80 an hour against a whole month at 64: more, though the sum is a third
    told = compared({1: sums(240, 240 * 80)}, {1: sums(744, 744 * 64)})
    assert plain(told.amount("reserved")) == "80.0 an hour, 25.0 % more than in October."


def test_months_of_different_length_at_the_same_rate_are_the_same() -> None:
    told = compared({1: sums(720, 720 * 64)}, {1: sums(744, 744 * 64)})
    assert told.amount("reserved") == "64.0 an hour, as in October."


def test_hours_that_were_never_collected_are_no_change() -> None:
    told = compared({1: sums(500, 500 * 64, 500 * 32)}, {1: sums(744, 744 * 64, 600 * 32, busy_hours=600)})
    assert told.amount("busy") == "32.0 an hour, as in October."


def test_a_pool_without_hours_then_is_left_out_and_named() -> None:
    told = compared({1: sums(720, 720 * 64), 2: sums(720, 720 * 8)}, {1: sums(744, 744 * 64)})
    assert told.amount("reserved") == "64.0 an hour, as in October."
    assert told.basis() == "Compared with October by the hour, without train: no hours then."


def test_shares_are_compared_in_points_over_the_pools_both_months_know() -> None:
    told = compared({1: sums(720, 7200, 5184), 2: sums(720, 7200, 0)}, {1: sums(744, 7440, 5512)})
    assert plain(told.share(lambda one: one.busy_share)) == "2.1 points below October."
    assert told.share(lambda one: one.coverage) == ""


@pytest.mark.parametrize(
    ("now", "before", "words"),
    [
        (0, 0, "0.0 an hour, as in October."),
        (10, 0, "10.0 an hour, none in October."),
        (0, 10, "0.0 an hour, 100 % less than in October."),
        (120, 10, "120.0 an hour, 12 times as much as in October."),
    ],
)
def test_nothing_and_manifold_have_words_of_their_own(now: int, before: int, words: str) -> None:
    told = compared({1: sums(100, 100 * now)}, {1: sums(100, 100 * before)})
    assert plain(told.amount("reserved")) == words


def test_without_a_month_before_the_rate_alone_is_told() -> None:
    told = compared({1: sums(100, 6400)}, {})
    assert told.amount("reserved") == "64.0 an hour."
    assert told.basis() == "Nothing was collected for October, so nothing is compared."
    assert told.share(lambda one: one.busy_share) == ""


def test_the_cost_of_idle_is_compared_by_the_hour_in_one_currency_alone() -> None:
    now, before = {1: sums(100, 6400, 3200)}, {1: sums(744, 744 * 64, 744 * 32)}
    dollars = Worth(currency="USD", paid=Decimal(1), idle=Decimal(250))
    euros = Worth(currency="EUR", paid=Decimal(1), idle=Decimal(744 * 5))
    told = compared(now, before, {1: dollars}, {1: Worth(currency="USD", paid=Decimal(1), idle=Decimal(744 * 5))})
    assert plain(told.idle_cost()) == "2.50 USD an hour, 50.0 % less than in October."
    assert plain(compared(now, before, {1: dollars}, {1: euros}).idle_cost()) == "2.50 USD an hour."


def test_a_month_of_another_year_is_named_with_it() -> None:
    january = Figures(date(2027, 1, 1), NAMES, {1: sums(10, 10)}, {})
    december = Figures(date(2026, 12, 1), NAMES, {1: sums(10, 10)}, {})
    assert Compared(january, december).month == "December 2026"


POOLS = st.dictionaries(
    st.sampled_from(sorted(NAMES)), st.tuples(st.integers(1, 744), st.integers(0, 10_000)), min_size=1
)


@given(POOLS, POOLS)
def test_the_change_is_that_of_mean_hours_of_the_pools_of_both(
    now: dict[int, tuple[int, int]], before: dict[int, tuple[int, int]]
) -> None:
    told = compared(
        {one: sums(hours, amount) for one, (hours, amount) in now.items()},
        {one: sums(hours, amount) for one, (hours, amount) in before.items()},
    ).amount("reserved")
    both = [one for one in NAMES if one in now and one in before]
    if not both:
        assert "October" not in told
        return
    mean_now = sum(Fraction(now[one][1], now[one][0]) for one in both)
    mean_before = sum(Fraction(before[one][1], before[one][0]) for one in both)
    if "times" in told:
        assert mean_now >= mean_before * Fraction(99, 10)
    elif "more" in told:
        assert mean_now > mean_before
    elif "less" in told:
        assert mean_now < mean_before
    elif "none in" in told:
        assert mean_before == 0 < mean_now
    elif "as in" in told:
        assert abs(mean_now - mean_before) <= mean_before / 1999
