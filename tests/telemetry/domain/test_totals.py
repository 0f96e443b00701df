"""Totals say what the roll-up and the waterfall of the same hours say."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.period import Period
from telemetry.domain.ledger import AMOUNTS, LedgerHour
from telemetry.domain.rollup import roll_up
from telemetry.domain.totals import Totals, added, totals_of
from telemetry.domain.waterfall import waterfall
from tests.telemetry.domain.lawful_rows import H, bare, lawful
from tests.telemetry.domain.ledger_rows import hours_in

DAY = Period(datetime(2026, 5, 4, tzinfo=UTC), datetime(2026, 5, 5, tzinfo=UTC))


@st.composite
def lawful_days(draw: st.DrawFn) -> list[LedgerHour]:
    picked = sorted(draw(st.sets(st.integers(0, 13))))
    rows = []
    for number in picked:
        known = draw(st.integers(0, 8 * H))
        unsplit = draw(st.sampled_from([{}, {"idle_held": None, "idle_free": None}, {"owner_busy": None}]))
        row = lawful(number, known=known, busy=draw(st.integers(0, known)), **unsplit)
        rows.append(draw(st.sampled_from([row, row, bare(number)])))
    return rows


@given(rows=lawful_days())
def test_the_waterfall_of_totals_is_the_waterfall_of_the_hours(rows: list[LedgerHour]) -> None:
    assert totals_of(rows).waterfall() == waterfall(rows)
    known = [value for value in totals_of(rows).steps().values() if value is not None]
    assert sum(known) == sum(row.reserved for row in rows)


@given(rows=hours_in(DAY.start, DAY.end))
def test_totals_are_the_roll_up_of_the_same_hours(rows: list[LedgerHour]) -> None:
    totals, summed = totals_of(rows), roll_up(hours=rows, period=DAY)
    for name in (*AMOUNTS, "launched", "busy_high", "coverage"):
        assert getattr(totals, name) == getattr(summed, name)
    assert (totals.hours, totals.busy_hours) == (summed.hours_present, summed.hours_known["busy"])


@given(rows=hours_in(DAY.start, DAY.end), cut=st.integers(0, 24))
def test_sums_of_sums_are_the_sums(rows: list[LedgerHour], cut: int) -> None:
    at = DAY.start + timedelta(hours=cut)
    early, late = [row for row in rows if row.hour < at], [row for row in rows if row.hour >= at]
    assert added([totals_of(early), totals_of(late), Totals()]) == totals_of(rows)


def test_a_ratio_divides_by_the_hours_its_numerator_is_known_in() -> None:
    totals = totals_of([lawful(0, busy=4 * H), bare(1), lawful(2, busy=8 * H)])
    assert totals.busy_share == (12 * H) / (32 * H)
    assert totals.reserved == 48 * H
    assert totals.busy_paid_share == totals.busy_share
    assert totals.allocated_share == (6 * H) / (16 * H)


def test_nothing_is_unknown_and_not_zero() -> None:
    nothing = totals_of([])
    assert nothing == Totals()
    assert (nothing.reserved, nothing.busy, nothing.busy_share, nothing.coverage) == (None, None, None, None)
    assert nothing.waterfall() == waterfall([])
    unknown = totals_of([bare(0)])
    assert (unknown.busy, unknown.busy_share, unknown.coverage) == (None, None, None)
    assert unknown.steps()["not_accounted"] == 8 * H
