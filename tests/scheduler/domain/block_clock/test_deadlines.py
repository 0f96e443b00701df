from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.block_clock.deadlines import (
    block_end,
    checkpoint_deadline,
    checkpoint_time,
    nearest_rank,
    no_admit_after,
    will_finish,
)
from scheduler.domain.policy import DEFAULT_BLOCK_POLICY as POLICY

END = datetime(2026, 6, 10, 11, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
durations = st.lists(st.integers(1, 10_000_000), min_size=1, max_size=300)


@given(durations, st.integers(1, 100))
def test_the_nearest_rank_is_the_smallest_value_that_enough_values_do_not_exceed(
    values: list[int], per_cent: int
) -> None:
    found = nearest_rank(values, per_cent)

    def reached(value: int) -> bool:
        return Fraction(sum(one <= value for one in values), len(values)) >= Fraction(per_cent, 100)

    assert found in values
    assert reached(found)
    assert not any(reached(value) for value in values if value < found)


def test_no_rank_among_no_values() -> None:
    with pytest.raises(ValueError, match="no rank"):
        nearest_rank([], 99)


@given(durations)
def test_a_deadline_leaves_room_for_the_slowest_checkpoint_and_safety(values: list[int]) -> None:
    end = block_end(end_at=END, usable_until=END - 30 * MINUTE, takes_machines=True)
    takes = checkpoint_time(values, POLICY)
    assert checkpoint_deadline(end, takes, POLICY) + takes.takes + 10 * MINUTE == END - 30 * MINUTE
    assert takes.measured == len(values)


def test_an_unmeasured_job_is_given_the_default() -> None:
    assert (checkpoint_time([], POLICY).takes, checkpoint_time([], POLICY).measured) == (10 * MINUTE, 0)


def test_where_nobody_said_when_machines_go_the_instance_type_decides_and_without_one_the_earlier_instant() -> None:
    told = block_end(end_at=END, usable_until=None, takes_machines=True)
    assert (told.usable_until, told.assumed) == (END - 60 * MINUTE, True)
    stays = block_end(end_at=END, usable_until=None, takes_machines=False)
    assert (stays.usable_until, stays.assumed) == (END, False)
    plain = block_end(end_at=END, usable_until=None, takes_machines=True, shape="p5.48xlarge")
    assert (plain.usable_until, plain.assumed) == (END - 30 * MINUTE, True)
    past = block_end(end_at=END, usable_until=END + MINUTE, takes_machines=True)
    assert past.usable_until == END


@given(st.lists(st.integers(0, 10_000), max_size=20))
def test_nothing_is_admitted_after_the_earliest_deadline(minutes: list[int]) -> None:
    end = block_end(end_at=END, usable_until=None, takes_machines=False)
    deadlines = [END - each * MINUTE for each in minutes]
    found = no_admit_after(end, deadlines, POLICY)
    assert found in (deadlines or [END - 20 * MINUTE])
    assert all(found <= one for one in deadlines)


@pytest.mark.parametrize(("expected", "finishes"), [(None, False), (END, True), (END + MINUTE, False)])
def test_only_who_says_so_finishes_by_itself(expected: datetime | None, finishes: bool) -> None:
    assert will_finish(expected, END) is finishes
