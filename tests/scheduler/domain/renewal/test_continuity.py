"""A renewal counts from the old end: no gap, no overlap; and which move the inventory makes."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.renewal.continuity import NEAR, Decided, Follower, Outcome, Seen, outcome
from scheduler.domain.renewal.settling import settled
from scheduler.domain.renewal.standing import LEGAL, Choice, RenewalMove, RenewalState

END = datetime(2027, 6, 13, 11, 30, tzinfo=UTC)
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
UNTIL = END + 14 * DAY
NOW = END - 10 * DAY
RENEWED = Decided(Choice.RENEW, 16, UNTIL, END)
OLD = Seen(END, 16, False)


def follower(start: datetime = END, end: datetime | None = UNTIL, nodes: int = 16, pk: int = 2) -> Follower:
    return Follower(pk, f"cr-{pk}", start, end, nodes)


@pytest.mark.parametrize(
    ("seen", "fits", "said"),
    [
        (Seen(UNTIL, 16, False), True, "goes on from its old end with 16 nodes"),
        (Seen(UNTIL + DAY, 16, False), True, "ends 28 Jun 2027"),
        (Seen(None, 16, False), True, "has no end"),
        (Seen(UNTIL - MINUTE, 16, False), False, "and 27 Jun 2027, 11:30 UTC was decided"),
        (Seen(UNTIL, 15, False), False, "15 nodes, and 16 nodes were decided"),
        (OLD, False, "Nothing follows yet"),
        (Seen(UNTIL, 16, True), False, "Nothing follows yet"),
        (Seen(END, 16, False, True), False, "an extension waits for its payment"),
        (Seen(UNTIL - DAY, 16, False, True), False, "another extension waits for its payment"),
    ],
)
def test_an_extension_is_there_once_its_end_is_as_late_as_decided(seen: Seen, fits: bool, said: str) -> None:
    shown = outcome(RENEWED, seen, (), now=NOW)
    assert (shown.fits, shown.follower) == (fits, None)
    assert said in shown.sentence


@pytest.mark.parametrize(
    ("one", "fits", "said"),
    [
        (follower(), True, "no gap and no overlap"),
        (follower(END + 2 * DAY), False, "cr-2 starts 2 d after the old end: a gap of 2 d."),
        (follower(END - 30 * MINUTE), False, "cr-2 starts 30 min before the old end: an overlap of 30 min."),
        (follower(nodes=8), False, "follows with 8 nodes, and 16 nodes were decided"),
        (follower(end=UNTIL - DAY), False, "and 27 Jun 2027, 11:30 UTC was decided"),
        (follower(END + NEAR + MINUTE), False, "Nothing follows yet"),
    ],
)
def test_a_new_block_follows_only_where_the_old_one_ends(one: Follower, fits: bool, said: str) -> None:
    shown = outcome(RENEWED, OLD, [one], now=NOW)
    assert shown.fits is fits
    assert said in shown.sentence


def test_the_one_that_fits_is_taken_before_one_with_a_gap() -> None:
    shown = outcome(RENEWED, OLD, [follower(END + DAY, pk=3), follower(pk=4), follower(END - DAY, pk=5)], now=NOW)
    assert shown.follower is not None
    assert shown.follower.external_id == "cr-4"


@pytest.mark.parametrize(
    ("seen", "now", "fits"),
    [(OLD, NOW, False), (OLD, END, True), (Seen(END, 16, True), NOW, True), (Seen(UNTIL, 16, False), END, False)],
)
def test_what_lapses_is_executed_by_its_end_and_not_by_going_on(seen: Seen, now: datetime, fits: bool) -> None:
    assert outcome(Decided(Choice.LAPSE, None, None, END), seen, (), now=now).fits is fits


@given(
    gap=st.timedeltas(-2 * NEAR, 2 * NEAR),
    nodes=st.integers(1, 20),
    longer=st.timedeltas(-DAY, DAY),
)
def test_a_follower_fits_exactly_if_it_starts_at_the_end_with_the_nodes_until_then(
    gap: timedelta, nodes: int, longer: timedelta
) -> None:
    one = follower(END + gap, UNTIL + longer, nodes)
    shown = outcome(RENEWED, OLD, [one], now=NOW)
    assert shown.fits == (not gap and nodes == 16 and longer >= timedelta(0))
    assert not (shown.fits and shown.only_gap)


def move(state: RenewalState, seen: Seen, *, shown: Outcome | None = None, now: datetime = NOW, **said: object) -> str:
    choice = said.get("choice", Choice.RENEW if shown else None)
    found = settled(
        state, end_at=END, seen=seen, outcome=shown, choice=choice, followed=bool(said.get("followed")), now=now
    )
    if found is None:
        return ""
    assert state in LEGAL[found.move].before
    assert found.reason.endswith(".")
    return found.move.value


FITS, NOT_YET = Outcome(True, "It fits."), Outcome(False, "Not yet.")
SIZE = Outcome(False, "It goes on with 15 nodes, and 16 nodes were decided.", waits=True)
MOVED, GONE = Seen(UNTIL, 16, False), Seen(END, 16, True)


@pytest.mark.parametrize(
    ("state", "seen", "said", "moved"),
    [
        (RenewalState.PROPOSED, OLD, {}, ""),
        (RenewalState.PROPOSED, MOVED, {}, "supersede"),
        (RenewalState.PROPOSED, Seen(None, 16, False), {}, "supersede"),
        (RenewalState.PROPOSED, GONE, {}, "supersede"),
        (RenewalState.PROPOSED, GONE, {"now": END}, ""),
        (RenewalState.DECIDED, OLD, {"shown": NOT_YET}, ""),
        (RenewalState.DECIDED, MOVED, {"shown": FITS}, "execute"),
        (RenewalState.DECIDED, MOVED, {"shown": NOT_YET}, "supersede"),
        (RenewalState.DECIDED, MOVED, {"shown": SIZE}, ""),
        (RenewalState.DECIDED, MOVED, {"shown": SIZE, "now": END}, "supersede"),
        (RenewalState.DECIDED, GONE, {"shown": NOT_YET}, "supersede"),
        (RenewalState.DECIDED, GONE, {"shown": NOT_YET, "now": END}, ""),
        (RenewalState.SUPERSEDED, OLD, {}, "reopen"),
        (RenewalState.SUPERSEDED, MOVED, {}, ""),
        (RenewalState.SUPERSEDED, OLD, {"now": END}, ""),
        (RenewalState.EXECUTED, OLD, {"choice": Choice.RENEW}, "reopen"),
        (RenewalState.EXECUTED, OLD, {"choice": Choice.RENEW, "followed": True}, ""),
        (RenewalState.EXECUTED, OLD, {"choice": Choice.LAPSE}, ""),
        (RenewalState.EXECUTED, MOVED, {"choice": Choice.RENEW}, ""),
    ],
)
def test_the_inventory_makes_the_move_that_is_due_and_no_other(
    state: RenewalState, seen: Seen, said: dict[str, object], moved: str
) -> None:
    assert move(state, seen, **said) == moved


def test_the_table_names_every_move_the_inventory_makes() -> None:
    assert {RenewalMove.EXECUTE, RenewalMove.SUPERSEDE, RenewalMove.REOPEN} < set(LEGAL)
