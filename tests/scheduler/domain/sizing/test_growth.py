from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.period import Period
from scheduler.domain.sizing.answer import SizingAsked, sizing
from scheduler.domain.sizing.growth import GrowthLine, grown, over_term
from scheduler.domain.sizing.growth_text import growth_lines
from scheduler.domain.sizing.prices import UnableToSize
from tests.scheduler.domain.sizing.traces import HOUR, START, by_workload, prices, trace

DAY = date(2026, 3, 2)


def line(nodes: str, start: date = DAY, end: date | None = None, name: str = "launch") -> GrowthLine:
    return GrowthLine(name, start, end, Decimal(nodes))


@given(st.lists(st.integers(0, 9), min_size=1, max_size=80), st.integers(-12, 12).filter(bool), st.integers(0, 4))
def test_a_line_adds_its_nodes_on_its_own_days_and_never_goes_below_none(
    nodes: list[int], more: int, days: int
) -> None:
    end = DAY + timedelta(days=1 + days)
    found = grown(trace(nodes), [line(str(more), DAY + timedelta(days=days), end)])
    first = days * 24
    wanted = [max(0, need + more) if first <= hour < first + 24 else need for hour, need in enumerate(nodes)]
    assert list(found.trace.nodes) == wanted


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=10), st.integers(1, 80))
def test_what_is_taken_away_is_taken_from_all_in_proportion(pairs: list[tuple[int, int]], tenths: int) -> None:
    had = by_workload({"a": [a / 10 for a, _ in pairs], "b": [b / 10 for _, b in pairs]})
    found = grown(had, [line(str(Decimal(-tenths) / 10))]).trace
    for at, (a, b) in enumerate(pairs):
        left = Decimal(max(0, a + b - tenths)) / 10
        assert found.total[at] == left
        assert abs(found.by_workload["a"][at] * (a + b) - left * a) < Decimal("0.1")


def test_a_committed_launch_moves_the_size_by_its_nodes() -> None:
    answer = sizing(trace([4] * 700), SizingAsked(prices(), growth=[line("3"), line("-2", name="retired")], draws=0))
    assert answer.sized is not None
    assert answer.sized.sizes.rule == 5
    assert answer.warnings == ()


def test_a_line_outside_the_hours_changes_nothing_and_says_so() -> None:
    later = line("3", date(2027, 1, 1), name="next year")
    answer = sizing(trace([4] * 700), SizingAsked(prices(), growth=[later], draws=0))
    assert answer.sized is not None
    assert answer.sized.sizes.rule == 4
    assert "“next year”" in answer.warnings[0]


def test_taking_more_than_there_is_is_said() -> None:
    assert "takes more than was needed in 2 hours" in grown(trace([1, 1, 3]), [line("-2")]).warnings[0]


def test_a_term_repeats_the_weeks_hour_by_hour_and_keeps_gaps() -> None:
    weeks = 2
    nodes = [(hour % 168) // 8 for hour in range(weeks * 168 + 20)]
    begins = datetime(2027, 1, 6, 5, tzinfo=UTC)
    found = over_term(trace(nodes, skip=[30]), Period(begins, begins + 400 * HOUR))
    at = dict(zip(found.hours, found.nodes, strict=True))
    for hour in range(400):
        moment = begins + hour * HOUR
        place = int((moment - START) / HOUR) % (weeks * 168)
        assert at.get(moment) == (None if place == 30 else nodes[place])


def test_a_line_of_next_year_counts_once_the_term_is_said() -> None:
    later = line("3", date(2027, 2, 1), name="next year")
    begins = datetime(2027, 1, 18, tzinfo=UTC)
    term = Period(begins, begins + timedelta(days=28))
    answer = sizing(trace([4] * 700), SizingAsked(prices(), growth=[later], term=term, draws=0))
    assert answer.curve.needed == (672,) * 4 + (336,) * 3
    assert answer.sized is not None
    assert (answer.sized.sizes.rule, answer.warnings) == (4, ())


def test_less_than_a_week_is_not_laid_over_a_term() -> None:
    with pytest.raises(UnableToSize, match="less than a week"):
        over_term(trace([4] * 100), Period(START, START + HOUR))


def test_a_line_of_a_workload_adds_to_it_and_takes_from_it_alone() -> None:
    had = by_workload({"batch": [3, 1], "serving": [2, 2]})
    more = GrowthLine("launch", DAY, None, Decimal(4), "serving")
    fewer = GrowthLine("moves out", DAY, None, Decimal(-2), "batch")
    found = grown(had, [more, fewer])
    assert found.trace.by_workload == {"batch": (1, 0), "serving": (6, 6)}
    assert "takes more than was needed in 1 hours" in found.warnings[0]
    absent = grown(had, [GrowthLine("moves out", DAY, None, Decimal(-2), "training")])
    assert absent.trace.nodes == had.nodes
    assert "takes more than was needed in 2 hours" in absent.warnings[0]


def test_a_workload_may_stand_in_a_growth_file() -> None:
    text = "name,workload,from,to,nodes\nlaunch,serving,2026-03-02,,3\nlater,,2026-04-01,2026-05-01,-1\n"
    assert growth_lines(text, name="growth.csv") == (
        GrowthLine("launch", DAY, None, Decimal(3), "serving"),
        GrowthLine("later", date(2026, 4, 1), date(2026, 5, 1), Decimal(-1)),
    )
    assert growth_lines("launch,2026-03-02,,3,serving\nother,2026-03-02,,3", name="growth", headed=False) == (
        GrowthLine("launch", DAY, None, Decimal(3), "serving"),
        GrowthLine("other", DAY, None, Decimal(3)),
    )
    with pytest.raises(UnableToSize, match=r"line 2: workload: .* is longer than 16 characters"):
        growth_lines(text.replace("serving", "the serving of chats"), name="growth.csv")


def test_a_term_keeps_the_hours_in_which_nothing_was_held() -> None:
    week = 168
    measured = trace([4] * 4 * week, skip=range(week, 2 * week))
    measured = replace(measured, not_held=frozenset(START + at * HOUR for at in range(week, 2 * week)))
    term = Period(measured.hours[0] + 8 * week * HOUR, measured.hours[0] + 12 * week * HOUR)
    laid = over_term(measured, term)
    assert (len(laid.hours), len(laid.not_held), laid.missing) == (3 * week, week, ())
    assert laid.held_share == measured.held_share == Fraction(3, 4)
