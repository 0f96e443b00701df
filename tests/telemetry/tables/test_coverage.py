from datetime import UTC, date, datetime

from telemetry.domain.totals import Totals
from telemetry.tables.coverage import coverage_days, coverage_months, three_months
from telemetry.templatetags.coverage import coverage_cells, coverage_week

NOON = datetime(2026, 3, 9, 12, 10, tzinfo=UTC)


def test_three_months_begin_two_months_back_and_end_with_this_one() -> None:
    days = three_months(date(2026, 3, 31))
    assert (days[0], days[-1], len(days)) == (date(2026, 1, 1), date(2026, 3, 31), 90)
    assert three_months(date(2026, 1, 1))[0] == date(2025, 11, 1)


def test_a_month_is_whole_weeks_that_hold_each_of_its_days_once() -> None:
    months = coverage_months(coverage_days(7, three_months(NOON.date()), {}, NOON))
    assert [one.month for one in months] == [date(2026, 1, 1), date(2026, 2, 1), date(2026, 3, 1)]
    for one in months:
        assert {len(week) for week in one.weeks} == {7}
        held = [day.day for week in one.weeks for day in week if day]
        assert held == sorted(set(held))
        assert all(week[day.day.weekday()] is day for week in one.weeks for day in week if day)
    assert sum(1 for one in months for week in one.weeks for day in week if day) == 90


def test_a_field_says_its_share_or_its_word_and_nothing_from_outside_unescaped() -> None:
    totals = {(7, date(2026, 3, 8)): Totals(hours=20, expected=4, known=1, covered_known=1, covered_expected=4)}
    gone, thin, not_due = coverage_days(7, [date(2026, 3, 7), date(2026, 3, 8), date(2026, 3, 10)], totals, NOON)
    row = coverage_cells([(gone, "/a"), (thin, '/"><b>'), (not_due, "/c")])
    assert '<td class="cover cover-not_collected"><a href="/a" title="not collected">' in row
    assert 'class="cover cover-thin gap"><a href="/&quot;&gt;&lt;b&gt;"' in row
    assert ", 4 hours missing" in row
    assert "/c" not in row
    assert coverage_week([None, thin], "/pools/a/2026-03/").count("<td") == 2
