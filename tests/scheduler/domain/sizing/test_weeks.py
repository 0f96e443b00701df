from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reservations.domain.period import Period
from scheduler.domain.sizing.alternatives import Choices
from scheduler.domain.sizing.answer import SizingAsked, sizing
from scheduler.domain.sizing.weeks import WeekDraws, nodes_band, saving_band, week_draws
from telemetry.domain.demand import DemandTrace
from tests.scheduler.domain.sizing.traces import HOUR, prices, trace

WEEK = 168


def seeded(seed: int, weeks: int, extra: int = 0, gaps: float = 0.0) -> DemandTrace:
    generator = np.random.Generator(np.random.PCG64(seed))
    nodes = generator.integers(0, 12, size=weeks * WEEK + extra)
    skip = [place for place in range(1, len(nodes) - 1) if generator.random() < gaps]
    return trace([int(need) for need in nodes], skip=skip)


def drawn(found: DemandTrace, **asked: int) -> WeekDraws:
    draws = week_draws(found, **asked)
    assert draws is not None
    return draws


def resampled(found: DemandTrace, draws: WeekDraws, draw: int) -> list[int]:
    """The hours of one draw, laid out one by one."""
    weeks: dict[int, list[int]] = {}
    for hour, need in zip(found.hours, found.nodes, strict=True):
        weeks.setdefault(int((hour - found.hours[0]) / HOUR) // WEEK, []).append(need)
    return [need for week in range(draws.weeks) for need in weeks.get(week, []) * int(draws.weights[draw, week])]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 5), st.fractions(0, 2, max_denominator=50))
def test_every_draw_is_sized_as_if_its_weeks_had_been_seen(seed: int, weeks: int, ratio: Fraction) -> None:
    found = seeded(seed, weeks, extra=seed % 100, gaps=0.1)
    draws = drawn(found, draws=7, seed=seed)
    for draw, size in enumerate(draws.sizes(ratio)):
        nodes = resampled(found, draws, draw)
        assert draws.hours[draw] == len(nodes)
        worth = [n for n in range(1, 13) if sum(need >= n for need in nodes) > ratio * len(nodes)]
        assert size == max(worth, default=0)
        assert draws.overflow(5)[draw] == sum(max(0, need - 5) for need in nodes)


def test_as_many_weeks_are_drawn_as_there_are_and_each_about_as_often() -> None:
    draws = drawn(seeded(1, 4, extra=30))
    assert (draws.draws, draws.weeks, draws.left_out) == (1_000, 4, 30)
    assert set(draws.weights.sum(axis=1)) == {4}
    assert draws.weights.mean(axis=0) == pytest.approx([1, 1, 1, 1], abs=0.1)


def test_the_same_trace_and_seed_give_the_same_draws_and_another_seed_others() -> None:
    found = seeded(2, 6)
    assert (drawn(found).weights == drawn(found).weights).all()
    assert (drawn(found, seed=1).weights != drawn(found).weights).any()


def test_weeks_that_are_all_alike_leave_no_doubt() -> None:
    found = trace([need % 24 for need in range(WEEK)] * 4)
    band = nodes_band(drawn(found).sizes(Fraction(62, 100)))
    assert (band.low, band.median, band.high) == (9, 9, 9)
    assert band.counts == ((9, 1_000),)


def test_two_kinds_of_weeks_leave_the_sizes_that_either_would_have() -> None:
    # 62 %: a draw wants the ten nodes of the busy weeks once more than 62 % of its weeks are busy.
    found = trace([10] * WEEK * 2 + [2] * WEEK * 2)
    draws = drawn(found)
    busy = draws.weights[:, :2].sum(axis=1)
    assert (draws.sizes(Fraction(62, 100)) == np.where(busy >= 3, 10, 2)).all()


def test_the_saving_of_each_draw_is_that_of_its_own_hours() -> None:
    found = seeded(3, 4)
    draws, at = drawn(found, draws=99), prices()
    band = saving_band(draws, held=10, proposed=6, prices=[at], hours=len(found.hours))
    savings = []
    for draw in range(99):
        nodes = resampled(found, draws, draw)
        over = [sum(max(0, need - held) for need in nodes) for held in (10, 6)]
        savings.append((10 - 6) * 62 * len(nodes) + 100 * (over[0] - over[1]))
    ordered = sorted(savings)
    assert (band.low, band.median, band.high) == (ordered[4], ordered[49], ordered[94])


def test_a_week_and_a_half_has_no_band() -> None:
    assert week_draws(trace([1] * 250)) is None


def test_a_large_fleet_is_counted_in_parts() -> None:
    found = trace([n * 500 for n in range(WEEK)] * 2)
    draws = drawn(found)
    assert set(draws.sizes(Fraction(1, 2))) == {41_500}


def test_a_band_over_a_term_draws_as_many_weeks_as_were_measured() -> None:
    found = seeded(4, 4)
    term = Period(found.hours[0], found.hours[0] + 52 * WEEK * HOUR)
    answer = sizing(found, SizingAsked(prices(), Choices(current=9), term=term))
    assert answer.sized is not None
    assert answer.sized.band is not None
    assert (answer.sized.band.weeks, answer.curve.hours) == (4, 52 * WEEK)


def test_a_week_in_which_nothing_was_held_is_not_drawn() -> None:
    found = trace([5] * WEEK + [0] * WEEK * 3 + [5] * WEEK, skip=range(WEEK, 4 * WEEK))
    draws = drawn(found)
    assert (draws.weeks, set(draws.hours), draws.left_out) == (2, {2 * WEEK}, 0)
    assert set(draws.sizes(Fraction(62, 100))) == {5}
