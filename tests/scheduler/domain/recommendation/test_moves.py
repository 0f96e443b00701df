"""The table of what a provider allows: every kind in every state, commitments and ends."""

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from reservations.domain.reservation_state import Kind, State
from scheduler.domain.recommendation.moves import Part, bounds, moves_of, provider_rules
from tests.scheduler.domain.recommendation.cases import AS_OF, in_days, part

QUARTER = timedelta(days=90)


@pytest.mark.parametrize(("kind", "state"), list(product(Kind, State)))
def test_every_kind_in_every_state_says_what_it_allows_and_why(kind: Kind, state: State) -> None:
    allowed = moves_of(Part("cr-1", kind, state, 3), AS_OF)
    assert allowed.why.endswith(".")
    assert len(allowed.why) < 120
    if state is not State.ACTIVE:
        assert not allowed.shrink
        assert not allowed.cancel


@pytest.mark.parametrize("state", State)
def test_a_block_never_shrinks_and_is_never_cancelled(state: State) -> None:
    allowed = moves_of(part(4, kind=Kind.BLOCK, state=state, end_at=in_days(5)), AS_OF)
    assert (allowed.grow, allowed.shrink, allowed.cancel) == (False, False, False)


def test_an_on_demand_reservation_is_free_until_a_commitment_binds_it() -> None:
    assert moves_of(part(4), AS_OF).shrink
    bound = moves_of(part(4, kind=Kind.FUTURE, commitment_end_at=in_days(1)), AS_OF)
    assert (bound.grow, bound.shrink, bound.cancel) == (True, False, False)
    over = moves_of(part(4, kind=Kind.FUTURE, commitment_end_at=in_days(-1)), AS_OF)
    assert over.shrink


@pytest.mark.parametrize(
    ("held", "floor"),
    [
        (part(4), 0),
        (part(4, kind=Kind.BLOCK, end_at=in_days(20)), 0),
        (part(4, kind=Kind.BLOCK, end_at=in_days(91)), 4),
        (part(4, kind=Kind.FUTURE, commitment_end_at=in_days(90)), 0),
        (part(4, kind=Kind.FUTURE, commitment_end_at=in_days(90.1)), 4),
        (part(4, kind=Kind.FUTURE, commitment_end_at=in_days(200), end_at=in_days(30)), 0),
        (part(4, kind=Kind.MANUAL), 4),
        (part(4, kind=Kind.MANUAL, end_at=in_days(10)), 0),
        (part(4, kind=Kind.INTERRUPTIBLE), 4),
        (part(4, state=State.UNKNOWN), 4),
        (part(4, kind=Kind.BLOCK, state=State.UNAVAILABLE, end_at=in_days(400)), 4),
    ],
)
def test_what_no_end_frees_within_a_quarter_stays_held(held: Part, floor: int) -> None:
    found = bounds([held], as_of=AS_OF, horizon=QUARTER)
    assert found.floor == floor
    assert bool(found.why) == bool(floor)


def test_floors_add_up_and_the_last_end_within_the_horizon_is_told() -> None:
    parts = [
        part(4, kind=Kind.BLOCK, end_at=in_days(200)),
        part(3, kind=Kind.INTERRUPTIBLE),
        part(2, kind=Kind.BLOCK, end_at=in_days(9)),
        part(1),
    ]
    found = bounds(parts, as_of=AS_OF, horizon=QUARTER)
    assert (found.floor, found.changes_from) == (7, in_days(9))
    assert found.why.endswith("The same holds for 1 more.")


def test_a_block_says_from_when_to_when_it_can_be_extended() -> None:
    end = datetime(2026, 8, 1, 11, 30, tzinfo=UTC)
    told = provider_rules([part(4, kind=Kind.BLOCK, end_at=end)], as_of=AS_OF)
    assert told[0]["rule"] == (
        "A capacity block can't be resized, moved, split or cancelled; it ends by itself."
        " It can be extended from 6 Jun 2026, 11:30 UTC to 1 Aug 2026, 10:30 UTC."
    )
    assert told[0]["may"] == []


def test_what_has_not_begun_bounds_nothing_and_is_told_all_the_same() -> None:
    bought = part(4, kind=Kind.BLOCK, state=State.SCHEDULED, end_at=in_days(200))
    assert bounds([bought], as_of=AS_OF, horizon=QUARTER).floor == 0
    assert provider_rules([bought], as_of=AS_OF)[0]["nodes"] == 4
