"""Terms on one axis: where each bar begins and ends, how thick it is, and which marks it has."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from reservations.charts.observed import observed_paths
from reservations.charts.terms import THICKEST, THINNEST, Term, bar, calendar_window, place, sum_bar, ticks
from reservations.domain.held import SizeSpan
from reservations.domain.period import Period

START = datetime(2026, 1, 1, tzinfo=UTC)
WINDOW = Period(START, START + timedelta(days=100))


def at(day: float) -> datetime:
    return START + timedelta(days=day)


def term(
    first: float | None, last: float | None, *sizes: SizeSpan, usable: float | None = None, decide: date | None = None
) -> Term:
    start, end, until = (None if day is None else at(day) for day in (first, last, usable))
    return Term(start, end, until, decide, 4, sizes, "good")


def shares(drawn: object) -> list[tuple[float, float]]:
    return [(float(piece.x[:-1]), float(piece.width[:-1])) for piece in drawn]


def test_a_bar_lies_where_its_term_does_and_steps_where_it_was_resized() -> None:
    sizes = (SizeSpan(at(10), at(30), 2), SizeSpan(at(30), None, 4))
    drawn = bar(term(10, 50, *sizes), WINDOW, most=4, zone=UTC)
    assert shares(drawn.pieces) == [(10, 20), (30, 20)]
    assert [float(piece.height) for piece in drawn.pieces] == [(THINNEST + THICKEST) / 2, THICKEST]
    assert (drawn.end, drawn.goes_on, drawn.before) == ("50.000%", False, False)


def test_what_reaches_beyond_the_window_is_cut_and_goes_on() -> None:
    drawn = bar(term(-50, None), WINDOW, most=4, zone=UTC)
    assert shares(drawn.pieces) == [(0, 100)]
    assert (drawn.end, drawn.goes_on, drawn.before) == ("", True, True)
    assert bar(term(200, 300), WINDOW, most=4, zone=UTC).pieces == ()


def test_the_time_that_is_billed_without_working_and_the_day_to_decide_are_marked() -> None:
    drawn = bar(term(0, 50, usable=40, decide=date(2026, 1, 21)), WINDOW, most=4, zone=UTC)
    assert (drawn.usable, drawn.decision) == ("40.000%", "20.000%")
    assert shares(drawn.pieces)[-1] == (40, 10)
    assert drawn.pieces[-1].look == "unusable"
    assert bar(term(0, 50, usable=50), WINDOW, most=4, zone=UTC).usable == ""


def test_what_several_hold_together_has_gaps_and_is_thicker_where_they_overlap() -> None:
    terms = [term(0, 20), term(10, 30), term(40, 60)]
    pieces = sum_bar(terms, WINDOW, most=8)
    assert shares(pieces) == [(0, 10), (10, 10), (20, 10), (40, 20)]
    heights = [float(piece.height) for piece in pieces]
    assert heights[1] == THICKEST
    assert heights[0] == heights[2] == heights[3] < heights[1]


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("quarter", datetime(2026, 10, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)),
        ("year", datetime(2026, 8, 1, tzinfo=UTC), datetime(2027, 8, 1, tzinfo=UTC)),
        ("all", datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 3, 1, 12, tzinfo=UTC)),
    ],
)
def test_ranges_are_whole_months_or_reach_over_every_term(name: str, first: datetime, last: datetime) -> None:
    window = calendar_window(name, date(2026, 12, 1), first=START, last=None, zone=UTC)
    assert (window.start, window.end) == (first, last)


def test_ten_thousand_years_are_cut_to_ten() -> None:
    far = (datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC))
    window = calendar_window("all", date(2026, 12, 1), first=far[0], last=far[1], zone=ZoneInfo("Asia/Kathmandu"))
    assert window.end - window.start == timedelta(days=3650)
    assert 0 < len(ticks(window, UTC)) <= 13


def test_ticks_are_months_with_the_year_in_january() -> None:
    window = Period(datetime(2026, 11, 1, tzinfo=UTC), datetime(2027, 3, 1, tzinfo=UTC))
    assert [tick.label for tick in ticks(window, UTC)] == ["Nov", "Dec", "2027", "Feb"]
    assert place(window.start, window) == "0.000%"
    assert place(at(-1000), window) == ""


def test_what_was_seen_is_two_areas_with_a_hole_where_it_is_unknown() -> None:
    paths = observed_paths([(at(0), 4, 2), (at(1), 4, None), (at(2), 2, 2), (at(4), 2, 2)])
    assert paths is not None
    assert paths.total == "M0.0 80H0.0V2.0H500.0V41.0H1000.0V80Z"
    assert paths.used == "M0.0 80H0.0V41.0H250.0V80ZM500.0 80H500.0V41.0H1000.0V80Z"
    assert observed_paths([(at(0), 4, 2)]) is None
    assert observed_paths([(at(0), None, None), (at(1), None, None)]) is None
