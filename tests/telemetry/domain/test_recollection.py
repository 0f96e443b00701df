from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.domain.recollection import (
    LIVE,
    LONGEST,
    MOVES,
    Counts,
    RecollectionState,
    UnableToRecollect,
    may_become,
    outcome_sentence,
    recollected_period,
    stretches,
)
from telemetry.models import Recollection

NOON = datetime(2026, 5, 9, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def test_the_moves_know_every_state_the_table_knows() -> None:
    assert set(MOVES) == set(RecollectionState)
    assert [state.value for state in RecollectionState] == Recollection.State.values


def test_what_has_ended_becomes_nothing_else() -> None:
    assert set(LIVE) == {RecollectionState.QUEUED, RecollectionState.RUNNING}
    assert set(may_become(RecollectionState.DONE)) == {RecollectionState.RUNNING}
    assert set(may_become(RecollectionState.CANCELLED)) == set(LIVE)


def test_a_range_is_the_hours_that_start_in_it() -> None:
    kolkata = datetime(2026, 5, 9, 10, tzinfo=ZoneInfo("Asia/Kolkata"))
    period = recollected_period(kolkata, kolkata + 2 * HOUR, as_of=NOON)
    assert list(period.hours()) == [datetime(2026, 5, 9, hour, tzinfo=UTC) for hour in (5, 6)]


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (NOON, NOON, "before it begins"),
        (NOON, NOON - HOUR, "before it begins"),
        (NOON - LONGEST - 2 * HOUR, NOON - HOUR, "at most 31 days"),
        (NOON - HOUR, NOON + HOUR, "9 May 2026, 12:00 UTC"),
        (NOON + timedelta(days=3), NOON + timedelta(days=4), "has ended"),
        (NOON - timedelta(minutes=50), NOON - timedelta(minutes=10), "No hour starts"),
    ],
)
def test_a_range_that_is_no_good_says_why(start: datetime, end: datetime, said: str) -> None:
    with pytest.raises(UnableToRecollect, match=said):
        recollected_period(start, end, as_of=NOON + timedelta(minutes=59))


@given(st.sets(st.integers(0, 60)))
def test_stretches_hold_the_same_hours_and_never_touch(places: set[int]) -> None:
    made = stretches("refused", "why", [NOON + place * HOUR for place in places])
    held = [hour for one in made for hour in one.period.hours()]
    assert held == [NOON + place * HOUR for place in sorted(places)]
    assert sum(one.hours for one in made) == len(places)
    assert all(one.period.end < other.period.start for one, other in pairwise(made))


def test_the_outcome_leaves_out_what_did_not_happen() -> None:
    assert outcome_sentence(Counts(stored=24), 24) == "24 of 24 hours were stored."
    assert outcome_sentence(Counts(stored=1), 1) == "1 of 1 hour was stored."
    told = outcome_sentence(Counts(stored=2, unchanged=3, refused=1, failed=4), 12)
    assert told == "2 of 12 hours were stored, 3 said the same again, 1 was refused, 4 got no answer, 2 were not tried."
