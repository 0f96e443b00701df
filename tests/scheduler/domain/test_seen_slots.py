from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.alert.facts import NOTHING_SEEN, FreeSlots
from scheduler.domain.alert.seen_slots import free_slots

NOW = datetime(2026, 6, 10, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Sighting:
    at: datetime
    free: int | None
    total: int | None = 10


def told(*seen: tuple[int, int | None]) -> FreeSlots:
    """Observations by how many minutes ago they were, oldest first."""
    return free_slots([Sighting(NOW - ago * MINUTE, free) for ago, free in seen], free=1, since=None, as_of=NOW)


def polled(*, every: int = 5, first: int = 60, last: int = 0, free: int = 1) -> list[tuple[int, int | None]]:
    return [(ago, free) for ago in range(first, last - 1, -every)]


@pytest.mark.parametrize(
    ("seen", "watched"),
    [
        (polled(), True),
        (polled(every=10), True),
        (polled(first=65, last=5), True),
        (polled(first=70, last=10, every=10), True),
        (polled(first=55), False),
        (polled(first=60, last=15), False),
        (polled(every=11, first=66), False),
    ],
)
def test_an_hour_is_watched_where_no_gap_is_longer_than_an_observation_holds(
    seen: list[tuple[int, int | None]], watched: bool
) -> None:
    assert told(*seen).watched is watched


def test_one_observation_without_a_free_slot_or_without_a_word_breaks_the_hour() -> None:
    assert told(*polled()).every_free
    assert not told(*polled(first=60, last=10), (5, 0), (0, 1)).every_free
    assert not told(*polled(first=60, last=10), (5, None), (0, 1)).every_free


def test_what_was_seen_before_the_hour_counts_where_it_speaks_for_its_beginning_alone() -> None:
    assert told((69, 0), *polled()).every_free
    assert not told((63, 0), *polled(first=58)).every_free


@pytest.mark.parametrize(
    ("seen", "clean"),
    [([(10, 0), (5, 0), (0, 0)], 3), ([(10, 0), (5, 2), (0, 0)], 1), ([(0, 2)], 0), ([(0, None)], None)],
)
def test_clean_observations_are_counted_from_the_newest(seen: list[tuple[int, int | None]], clean: int | None) -> None:
    assert told(*seen).clean == clean


@pytest.mark.parametrize(
    ("seen", "unused"),
    [
        ([(15, 9), (10, 10), (5, 10), (0, 10)], 3),
        ([(10, 10), (5, 9), (0, 10)], 1),
        ([(5, 10), (0, 9)], 0),
        ([(5, 10), (0, None)], None),
        ([(10, 10), (5, None), (0, 10)], 1),
    ],
)
def test_observations_with_nothing_launched_are_counted_from_the_newest(
    seen: list[tuple[int, int | None]], unused: int | None
) -> None:
    assert told(*seen).unused == unused


def test_nothing_seen_is_nothing_told() -> None:
    assert told() == NOTHING_SEEN


@given(
    st.lists(st.tuples(st.integers(0, 69), st.none() | st.integers(0, 3)), max_size=20, unique_by=lambda one: one[0])
)
def test_a_watched_hour_is_covered_half_a_minute_by_half_a_minute(seen: list[tuple[int, int | None]]) -> None:
    seen = sorted(seen, reverse=True)

    covered = all(any(0 <= ago - half / 2 <= 10 for ago, _ in seen) for half in range(121))

    assert told(*seen).watched is covered
