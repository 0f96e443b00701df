"""Totals from days and edges are the totals of the very hours, in any zone, for any pools and periods."""

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, tzinfo

import pytest

from reservations.domain.period import HOUR, Period, days_of, month_period, months_of, zone
from telemetry.domain.ledger import AMOUNTS, LedgerHour
from telemetry.domain.totals import USE_SUMS, Totals, added, added_use, totals_of
from telemetry.selectors.ledger import ledger_hours
from telemetry.selectors.totals import (
    fleet_hours,
    totals_both_ways,
    totals_by_day,
    totals_by_pool,
    totals_together,
    use_both_ways,
    use_by_pool,
)
from telemetry.services.ledger import store_hours
from tests.telemetry.services.ledger_store import a_pool

pytestmark = pytest.mark.django_db

START = datetime(2026, 2, 25, 7, tzinfo=UTC)
SPAN = Period(START, START + timedelta(days=45))
ZONES = ("UTC", "Asia/Kolkata", "America/New_York", "Pacific/Kiritimati", "Australia/Lord_Howe")


def any_hours(seed: int) -> Iterator[LedgerHour]:
    """Hours with gaps between them, every amount now known, now unknown, of any sign."""
    dice = random.Random(seed)
    for hour in SPAN.hours():
        if dice.random() < 0.2:
            continue
        amounts = {name: dice.choice([None, dice.randint(-(10**9), 10**9)]) for name in AMOUNTS}
        amounts |= {"reserved": dice.randint(0, 10**9), "paid": dice.randint(0, 10**9)}
        flags = ("suspect",) if dice.random() < 0.3 else ()
        yield LedgerHour(hour=hour, **amounts, flags=flags, complete=dice.random() < 0.8, final=dice.random() < 0.5)


@pytest.fixture
def ledgers() -> dict[int, list[LedgerHour]]:
    """Three pools; the third has nothing. What is stored is read back, since a broken identity adds a flag."""
    pools = [a_pool(name) for name in ("one", "two", "three")]
    kept: dict[int, list[LedgerHour]] = {pool.pk: [] for pool in pools}
    for seed, pool in enumerate(pools[:2]):
        rows = list(any_hours(seed))
        random.Random(seed).shuffle(rows)
        for part in (rows[:300], rows[300:310], rows[310:]):
            store_hours(pool_id=pool.pk, source="main", hours=part, read_at=SPAN.end)
        kept[pool.pk] = stored(pool.pk)
    return kept


def stored(pool_id: int) -> list[LedgerHour]:
    return ledger_hours(pool_id=pool_id, period=SPAN)


def summed_by_hand(rows: list[LedgerHour], period: Period) -> Totals:
    return totals_of(row for row in rows if row.hour in period)


def test_months_and_days_are_the_sums_of_their_hours_in_every_zone(ledgers: dict[int, list[LedgerHour]]) -> None:
    for name in ZONES:
        _sums_by_pool_agree(ledgers, zone(name))


def _sums_by_pool_agree(ledgers: dict[int, list[LedgerHour]], where: tzinfo) -> None:
    periods: dict[object, Period] = {
        **{("month", month): part for month, part in months_of(SPAN, where)},
        **{day: part for day, part in days_of(SPAN, where)},
        "few hours": Period(START + 3 * HOUR, START + 9 * HOUR),
        "before": Period(START - 90 * HOUR, START - 50 * HOUR),
        "whole month": month_period(date(2026, 3, 1), where),
    }
    found = totals_by_pool(pool_ids=ledgers, periods=periods)
    for pool_id, rows in ledgers.items():
        for key, period in periods.items():
            expected = summed_by_hand(rows, period)
            assert found.get((pool_id, key), Totals()) == expected, (where, key)
            assert ((pool_id, key) in found) == bool(expected.hours)


def test_pools_together_are_the_sums_of_the_pools(ledgers: dict[int, list[LedgerHour]]) -> None:
    periods = {"odd": Period(START + 5 * HOUR, START + 555 * HOUR), "march": month_period(date(2026, 3, 1), UTC)}
    alone = totals_by_pool(pool_ids=ledgers, periods=periods)
    together = totals_together(pool_ids=ledgers, periods=periods)
    for key, period in periods.items():
        assert together[key] == added(totals for (_, of), totals in alone.items() if of == key)
        assert together[key] == totals_of(row for rows in ledgers.values() for row in rows if row.hour in period)
    assert totals_together(pool_ids=[], periods=periods) == {}


def test_some_periods_by_pool_and_others_together_are_the_same_sums(ledgers: dict[int, list[LedgerHour]]) -> None:
    odd = {"odd": Period(START + 5 * HOUR, START + 555 * HOUR)}
    months = {month: part for month, part in months_of(SPAN, zone("Asia/Kolkata"))}
    each, whole = totals_both_ways(pool_ids=ledgers, by_pool=odd, together=months)
    assert each == totals_by_pool(pool_ids=ledgers, periods=odd)
    assert whole == totals_together(pool_ids=ledgers, periods=months)


def test_use_is_what_the_hours_themselves_add_up_to(ledgers: dict[int, list[LedgerHour]]) -> None:
    for name in ZONES:
        _use_agrees(ledgers, zone(name))
    assert use_both_ways(pool_ids=ledgers, by_pool={}, together={}) == ({}, {})


def _use_agrees(ledgers: dict[int, list[LedgerHour]], where: tzinfo) -> None:
    months = {month: part for month, part in months_of(SPAN, where)}
    days = {day: part for day, part in days_of(SPAN, where)}
    each, whole = use_both_ways(pool_ids=ledgers, by_pool=months, together=days)
    every = [row for rows in ledgers.values() for row in rows]
    for (pool_id, month), use in each.items():
        by_hand = summed_by_hand(ledgers[pool_id], months[month])
        assert all(getattr(use, sums) == getattr(by_hand, sums) for sums in ("hours", *USE_SUMS))
        assert (use.coverage, use.busy_share) == (by_hand.coverage, by_hand.busy_share)
        assert use.busy_paid_share == by_hand.busy_paid_share
    for day, use in whole.items():
        by_hand = summed_by_hand(every, days[day])
        assert all(getattr(use, sums) == getattr(by_hand, sums) for sums in ("hours", *USE_SUMS))
    assert set(whole) == {day for day, part in days.items() if any(row.hour in part for row in every)}
    assert use_by_pool(pool_ids=ledgers, periods=months) == each, where


def test_use_added_up_is_the_use_of_all(ledgers: dict[int, list[LedgerHour]]) -> None:
    periods = {"march": month_period(date(2026, 3, 1), UTC)}
    each, whole = use_both_ways(pool_ids=ledgers, by_pool=periods, together=periods)
    assert added_use(each.values()) == whole["march"]
    assert len(each) == 2


def test_hours_of_a_fleet_are_the_sums_of_its_pools_in_that_hour(ledgers: dict[int, list[LedgerHour]]) -> None:
    period = Period(START, START + timedelta(days=3))
    every = [row for rows in ledgers.values() for row in rows]
    found = fleet_hours(pool_ids=ledgers, period=period)
    assert [one.hour for one in found] == sorted({row.hour for row in every if row.hour in period})
    assert all(one.totals == totals_of(row for row in every if row.hour == one.hour) for one in found)


def test_whole_days_are_told_by_pool(ledgers: dict[int, list[LedgerHour]]) -> None:
    found = totals_by_day(pool_ids=ledgers, period=SPAN)
    for pool_id, rows in ledgers.items():
        for day, period in days_of(SPAN, UTC)[1:]:  # the first begins before the period does
            assert found.get((pool_id, day), Totals()) == summed_by_hand(rows, period)
    assert date(2026, 2, 25) not in {day for _, day in found}


def test_what_is_written_again_is_added_up_again(ledgers: dict[int, list[LedgerHour]]) -> None:
    pool_id = next(iter(ledgers))
    hour = ledgers[pool_id][40].hour
    day = Period(hour.replace(hour=0), hour.replace(hour=0) + timedelta(days=1))
    before = totals_by_pool(pool_ids=[pool_id], periods={"day": day})[pool_id, "day"]
    again = LedgerHour(hour=hour, reserved=10**12, paid=10**12)
    store_hours(pool_id=pool_id, source="main", hours=[again], read_at=SPAN.end + HOUR, force=True)
    after = totals_by_pool(pool_ids=[pool_id], periods={"day": day})[pool_id, "day"]
    assert after != before
    assert after == summed_by_hand(stored(pool_id), day)
    store_hours(pool_id=pool_id, source="another", hours=[again], read_at=SPAN.end + 2 * HOUR)
    flagged = totals_by_pool(pool_ids=[pool_id], periods={"day": day})[pool_id, "day"]
    assert flagged == summed_by_hand(stored(pool_id), day)
