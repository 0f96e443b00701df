"""What can still be done about an end: windows, sizes and states, against a table written from the provider's words."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.reservation_state import Kind, State
from scheduler.domain.recommendation.moves import Part
from scheduler.domain.renewal.possible import Ending, How, possible_at_end, why_not_decide
from scheduler.domain.renewal.standing import Choice

END = datetime(2027, 6, 13, 11, 30, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def ending(kind: Kind = Kind.BLOCK, state: State = State.ACTIVE, nodes: int | None = 16, **said: object) -> Ending:
    commitment = said.pop("commitment_end_at", None)
    return Ending(Part("cr-0aaa", kind, state, nodes or 0, END, commitment), nodes, **said)


def hows(one: Ending, now: datetime, choice: Choice) -> set[How]:
    return {way.how for way in possible_at_end(one, now=now).ways if way.choice is choice and way.open_at(now)}


@pytest.mark.parametrize(
    ("before", "extend", "block"),
    [
        (56 * DAY + timedelta(seconds=1), False, False),
        (56 * DAY, True, True),
        (12 * HOUR, True, True),
        (HOUR + timedelta(seconds=1), True, True),
        (HOUR, False, True),
        (timedelta(minutes=30, seconds=1), False, True),
        (timedelta(minutes=30), False, False),
    ],
)
def test_a_block_is_extended_and_followed_only_within_its_windows(before: timedelta, extend: bool, block: bool) -> None:
    found = hows(ending(), END - before, Choice.RENEW)
    assert (How.EXTENSION in found, How.NEW_BLOCK in found) == (extend, block)


@pytest.mark.parametrize(
    ("before", "said"),
    [
        (57 * DAY, "can be extended from"),
        (20 * DAY, "to be paid in time"),
        (12 * HOUR, "comes too late"),
        (HOUR, "could be extended until"),
    ],
)
def test_the_sentence_says_where_in_the_window_it_is(before: timedelta, said: str) -> None:
    assert said in possible_at_end(ending(), now=END - before).why


def test_a_block_is_never_resized_itself_but_another_may_follow() -> None:
    now = END - 10 * DAY
    assert hows(ending(), now, Choice.RESIZE) == {How.NEW_BLOCK}
    ways = [way for way in possible_at_end(ending(), now=now).ways if way.choice is Choice.RESIZE]
    assert not any(way.takes(16) for way in ways)
    assert any(way.takes(1) for way in ways)
    assert any(way.takes(64) for way in ways)
    assert not any(way.takes(65) for way in ways)


def test_what_is_not_paid_is_not_renewed() -> None:
    possible = possible_at_end(ending(state=State.REQUESTED), now=END - 10 * DAY)
    assert possible.choices == ()
    assert possible.why.endswith("What is not paid or granted is not renewed.")


def test_an_extension_that_waits_for_its_payment_is_told() -> None:
    assert "waits for its payment" in possible_at_end(ending(extension_pending=True), now=END - 10 * DAY).why


@pytest.mark.parametrize("before", [56 * DAY, 20 * DAY, 2 * HOUR])
def test_while_an_extension_waits_for_its_payment_no_other_is_offered(before: timedelta) -> None:
    pending, now = ending(extension_pending=True), END - before
    assert hows(pending, now, Choice.RENEW) == {How.NEW_BLOCK}
    assert hows(ending(), now, Choice.RENEW) == {How.EXTENSION, How.NEW_BLOCK}


@pytest.mark.parametrize("now", [END, END + DAY])
def test_after_the_end_nothing_is_left_but_to_let_it_lapse(now: datetime) -> None:
    assert possible_at_end(ending(Kind.ON_DEMAND), now=now).choices == (Choice.LAPSE,)


@pytest.mark.parametrize("state", [State.FAILED, State.ENDED])
def test_what_is_over_is_not_renewed(state: State) -> None:
    assert Choice.RENEW not in possible_at_end(ending(state=state), now=END - DAY).choices


def test_within_its_commitment_a_future_reservation_grows_and_does_not_shrink_until_it_ends() -> None:
    one, now = ending(Kind.FUTURE, commitment_end_at=END - 5 * DAY), END - 10 * DAY
    ways = [way for way in possible_at_end(one, now=now).ways if way.choice is Choice.RESIZE]
    assert [way.open_at(now) for way in ways if way.takes(17)] == [True]
    assert [way.open_at(now) for way in ways if way.takes(15)] == [False]
    assert [way.open_at(END - 5 * DAY) for way in ways if way.takes(15)] == [True]


def test_a_commitment_up_to_the_end_leaves_no_moment_to_shrink() -> None:
    possible = possible_at_end(ending(Kind.FUTURE, commitment_end_at=END), now=END - 10 * DAY)
    why = why_not_decide(possible, choice=Choice.RESIZE, nodes=8, until=None, end=END, kind=Kind.FUTURE)
    assert why == "8 nodes can't be had so: to resize is to hold 17 or more."


@pytest.mark.parametrize(
    ("kind", "choice", "nodes", "until", "said"),
    [
        (Kind.BLOCK, Choice.RENEW, 16, END + 14 * DAY, ""),
        (Kind.BLOCK, Choice.RENEW, 16, None, "A block needs an end"),
        (Kind.BLOCK, Choice.RENEW, 16, END, "must go on past its old end"),
        (Kind.BLOCK, Choice.RENEW, 16, END + 182 * DAY, ""),
        (Kind.BLOCK, Choice.RENEW, 16, END + 183 * DAY, "182 days at most"),
        (Kind.BLOCK, Choice.RENEW, 15, END + DAY, "can't be had so: to renew is to hold 16"),
        (Kind.BLOCK, Choice.RESIZE, 16, END + DAY, "1 to 15 or 17 to 64"),
        (Kind.BLOCK, Choice.RESIZE, None, END + DAY, "Say how many nodes"),
        (Kind.BLOCK, Choice.LAPSE, None, None, ""),
        (Kind.BLOCK, Choice.LAPSE, 4, None, "neither nodes nor a new end"),
        (Kind.ON_DEMAND, Choice.RENEW, 16, None, ""),
        (Kind.ON_DEMAND, Choice.RESIZE, 3, END + DAY, ""),
        (Kind.ON_DEMAND, Choice.RESIZE, 0, END + DAY, "Say how many nodes"),
        (Kind.MANUAL, Choice.RESIZE, 400, None, ""),
        (Kind.INTERRUPTIBLE, Choice.RENEW, 16, None, "resized by its source alone"),
        (Kind.INTERRUPTIBLE, Choice.LAPSE, None, None, ""),
    ],
)
def test_a_decision_is_held_against_what_is_possible(
    kind: Kind, choice: Choice, nodes: int | None, until: datetime | None, said: str
) -> None:
    possible = possible_at_end(ending(kind), now=END - 10 * DAY)
    why = why_not_decide(possible, choice=choice, nodes=nodes, until=until, end=END, kind=kind)
    assert (why == "") if not said else (said in why)


@given(
    kind=st.sampled_from(Kind),
    state=st.sampled_from(State),
    nodes=st.none() | st.integers(0, 200),
    before=st.timedeltas(timedelta(days=-3), timedelta(days=80)),
    commitment=st.none() | st.timedeltas(timedelta(days=-20), timedelta(days=20)),
    pending=st.booleans(),
)
def test_no_way_is_shown_that_has_closed_and_renewing_never_changes_the_size(
    kind: Kind, state: State, nodes: int | None, before: timedelta, commitment: timedelta | None, pending: bool
) -> None:
    now = END - before
    one = ending(
        kind,
        state,
        nodes,
        extension_pending=pending,
        commitment_end_at=None if commitment is None else END + commitment,
    )
    possible = possible_at_end(one, now=now)
    assert possible.why.endswith(".")
    for way in possible.ways:
        assert not way.closed_at(now)
        assert way.closes_at is None or way.closes_at <= END
        assert way.opens_at is None or way.closes_at is None or way.opens_at < way.closes_at
        if nodes and way.choice is Choice.RENEW:
            assert [n for n in range(1, 70) if way.takes(n)] in ([nodes], [])
        if nodes and way.choice is Choice.RESIZE:
            assert not way.takes(nodes)
    if state is State.REQUESTED and now < END:
        assert possible.ways == ()


@given(before=st.timedeltas(timedelta(0), timedelta(days=80)), later=st.timedeltas(timedelta(0), timedelta(days=80)))
def test_time_only_takes_ways_away(before: timedelta, later: timedelta) -> None:
    first, then = END - before, END - before + later
    had = set(possible_at_end(ending(), now=first).ways)
    assert set(possible_at_end(ending(), now=then).ways) <= had
