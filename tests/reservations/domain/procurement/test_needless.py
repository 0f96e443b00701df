"""What an accepted recommendation excuses: up to its nodes beside what the pool held, however often it is bought."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.procurement.matching import Approved, Bought, Fate, matches
from reservations.domain.procurement.needless import Accepted, needless

SINCE = date(2026, 3, 1)
SAID = Accepted(pool_id=1, nodes=100, on=date(2026, 4, 1))


def bought(number: int, nodes: int | None, start: date | None, end: date | None = None) -> Bought:
    return Bought(number, f"cr-{number}", 1, "p5", nodes, start, end)


def free(*held: Bought, renewed: dict[int, int | None] | None = None) -> set[int]:
    return needless(held, since=SINCE, accepted=[SAID], renewed=renewed or {})


@given(st.lists(st.tuples(st.integers(1, 90), st.integers(-40, 130)), max_size=8))
def test_what_is_excused_never_exceeds_what_was_accepted(told: list[tuple[int, int]]) -> None:
    held = [bought(number, nodes, SAID.on + timedelta(days=day)) for number, (nodes, day) in enumerate(told)]
    excused = needless(held, since=SINCE, accepted=[SAID], renewed={})
    before = sum(nodes for nodes, day in told if day < 0)
    after = [nodes for number, (nodes, day) in enumerate(told) if day >= 0 and number in excused]
    assert not after or before + sum(after) <= SAID.nodes
    assert all(told[number][1] <= 120 for number in excused)
    if not excused:
        assert all(nodes + before > SAID.nodes or day > 120 for nodes, day in told if day >= 0)


def test_the_second_purchase_by_one_recommendation_needs_an_approval() -> None:
    held = bought(1, 90, date(2026, 1, 1))
    first, second = bought(2, 10, date(2026, 4, 2)), bought(3, 10, date(2026, 4, 3))
    assert free(held, first, second) == {1, 2}
    ended = bought(1, 90, date(2026, 1, 1), date(2026, 4, 2))
    assert free(ended, bought(2, 100, date(2026, 4, 2)), second) == {1, 2}


def test_an_unknown_start_or_size_is_excused_by_nothing() -> None:
    assert free(bought(1, 5, None)) == set()
    assert free(bought(1, None, date(2026, 4, 2))) == set()
    assert free(bought(1, None, date(2026, 1, 1)), bought(2, 5, date(2026, 4, 2))) == {1}
    assert needless([bought(1, 5, None)], since=None, accepted=[], renewed={}) == {1}


def test_a_renewal_excuses_up_to_what_was_decided() -> None:
    one = bought(1, 8, date(2026, 9, 1))
    assert free(one, renewed={1: 8}) == {1}
    assert free(one, renewed={1: 7}) == free(one, renewed={1: None}) == set()


@pytest.mark.parametrize(
    ("at", "named", "needs_none", "differs"),
    [
        (datetime(2026, 4, 1, 9, tzinfo=UTC), "", False, "bought before it was approved"),
        (datetime(2026, 4, 1, 10, tzinfo=UTC), "", False, ""),
        (datetime(2026, 5, 1, 10, tzinfo=UTC), "", False, ""),
        (datetime(2026, 5, 1, 11, tzinfo=UTC), "", False, "bought when the approval held no more"),
        (datetime(2026, 4, 1, 9, tzinfo=UTC), "cr-1", True, ""),
        (datetime(2026, 4, 1, 9, tzinfo=UTC), "cr-1", False, "bought before it was approved"),
    ],
)
def test_an_approval_holds_for_what_is_bought_while_it_does(
    at: datetime, named: str, needs_none: bool, differs: str
) -> None:
    start, end = date(2026, 4, 1), date(2026, 10, 1)
    since, until = datetime(2026, 4, 1, 10, tzinfo=UTC), datetime(2026, 5, 1, 10, tzinfo=UTC)
    approved = Approved(7, 1, "p5", 4, start, end, reservation=named, since=since, until=until)
    (match,) = matches([approved], [Bought(1, "cr-1", 1, "p5", 4, start, end, at)], {1} if needs_none else ())
    assert match.differences == ((differs,) if differs else ())
    assert match.fate is (Fate.BOUGHT_OTHERWISE if differs else Fate.BOUGHT_AS_APPROVED)
