"""Whose approval an amount needs, held against a search of its own; and that no person plays two parts."""

from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.access import Grant, Person, Role
from reservations.domain.procurement.authority import (
    RequiredStep,
    UnableToRoute,
    holds,
    open_steps,
    required_steps,
    why_not_enough,
)
from reservations.domain.procurement.exception_type import ExceptionType
from reservations.domain.procurement.request_state import LEGAL, RequestMove, RequestState, why_not_move
from reservations.domain.procurement.rule import Rule, Step, UnableToReadRule, rule_of
from reservations.domain.procurement.rule_words import rule_sentences
from reservations.domain.procurement.separation import Part, Played, parts_of, why_not_part
from tests.reservations.asked import DOCUMENT

KIND = ExceptionType.OVER_RULE
SIMPLE = {
    "reserved_share_of_base_load": "0.9",
    "procurement_lead_days": 14,
    "steps": [{"up_to": "100000", "role": "approver"}],
}

limits = st.lists(st.integers(1, 50), min_size=1, max_size=5, unique=True).map(sorted)


def rule(tops: list[int], **said: object) -> Rule:
    plain = rule_of(SIMPLE, version=3, owner="platform")
    steps = tuple(Step(Decimal(top), Role.APPROVER) for top in tops)
    return Rule(**{**{name: getattr(plain, name) for name in Rule.__slots__}, "steps": steps, **said})


@given(limits, st.integers(0, 60))
def test_steps_are_cumulative_in_order_inclusive_of_their_amount_and_end_with_the_last(
    tops: list[int], amount: int
) -> None:
    if amount > tops[-1]:
        with pytest.raises(UnableToRoute, match="Nobody has the authority"):
            required_steps(rule(tops), amount=Decimal(amount), kind=KIND)
        return

    found = required_steps(rule(tops), amount=Decimal(amount), kind=KIND)

    below = [top for top in tops if top < amount]
    assert [step.key for step in found] == [f"step-{place}" for place in range(1, len(below) + 2)]
    assert [step.order for step in found] == sorted(step.order for step in found)


@given(
    st.lists(st.tuples(st.integers(0, 2), st.integers(1, 2)), min_size=1, max_size=4),
)
def test_approving_what_is_open_always_comes_to_an_end_and_never_skips_an_order(plan: list[tuple[int, int]]) -> None:
    required = [RequiredStep(f"s{n}", order, Role.APPROVER, quorum, "") for n, (order, quorum) in enumerate(plan)]
    given_keys: list[str] = []
    while waiting := open_steps(required, given_keys):
        done = [step for step in required if given_keys.count(step.key) >= step.quorum]
        assert all(step.order >= max((one.order for one in done), default=0) for step in waiting)
        given_keys.append(waiting[-1].key)

    assert len(given_keys) == sum(quorum for _, quorum in plan)


@given(
    st.lists(st.sampled_from([Role.APPROVER, Role.ANALYST, Role.ADMIN]), min_size=1, max_size=4),
    st.dictionaries(
        st.sampled_from([Role.APPROVER, Role.ANALYST, Role.ADMIN]), st.sets(st.integers(1, 5), max_size=4), max_size=3
    ),
    st.sets(st.integers(1, 5), max_size=2),
)
def test_there_are_enough_people_exactly_where_an_exhaustive_search_finds_different_ones(
    roles: list[Role], holders: dict[Role, set[int]], asking: set[int]
) -> None:
    required = [RequiredStep(f"s{n}", n, role, 1, f"step {n}") for n, role in enumerate(roles)]

    people = sorted({one for held in holders.values() for one in held} - asking)
    possible = any(
        all(person in holders.get(role, ()) for role, person in zip(roles, order, strict=True))
        for order in permutations(people, len(roles))
    )

    assert (why_not_enough(required, holders, asking) == "") == possible


@given(
    st.lists(
        st.tuples(st.integers(1, 4), st.sampled_from([*Part]), st.none() | st.integers(1, 4)), min_size=1, max_size=12
    )
)
def test_however_people_try_nobody_ever_plays_two_parts(
    tries: list[tuple[int, Part, int | None]],
) -> None:
    played: list[Played] = []
    for user_id, part, acting_for in tries:
        acting = acting_for if part is Part.APPROVER else None
        if not why_not_part(played, user_id=user_id, part=part, acting_for=acting):
            new = parts_of(user_id=user_id, part=part, acting_for=acting)
            played += [one for one in new if one not in played]

    assert len({one.user_id for one in played}) == len(played)


@given(st.lists(st.sampled_from([*RequestMove]), max_size=30))
def test_no_run_of_moves_leaves_what_is_over_or_comes_to_approved_without_an_approval(moves: list[RequestMove]) -> None:
    state: RequestState | None = None
    approved = False
    for move in moves:
        if why_not_move(state, move, reason="a reason"):
            continue
        approved = approved or move in (RequestMove.APPROVE, RequestMove.BREAK_GLASS, RequestMove.KEEP)
        assert state not in (RequestState.REJECTED,)
        state = LEGAL[move].after or state
        assert state is not RequestState.EXECUTED or approved


def test_to_be_admin_or_a_program_gives_no_authority_and_deciders_need_a_second_factor() -> None:
    grant = Grant(Role.APPROVER)

    assert holds(Person("a", (grant,), second_factor=True), Role.APPROVER, "serving")
    assert not holds(Person("a", (grant,)), Role.APPROVER, "serving")
    assert not holds(Person("a", (grant,), second_factor=True, program=True), Role.APPROVER, "serving")
    assert not holds(Person("a", (Grant(Role.ADMIN),), second_factor=True), Role.APPROVER, "serving")
    assert not holds(Person("a", (Grant(Role.APPROVER, "other"),), second_factor=True), Role.APPROVER, "serving")


def test_a_type_that_the_rule_does_not_name_is_refused_and_one_with_roles_needs_them_last() -> None:
    typed = rule([100], types={KIND: (Role.ADMIN,)})

    assert [step.role for step in required_steps(typed, amount=Decimal(5), kind=KIND)] == [Role.APPROVER, Role.ADMIN]
    with pytest.raises(UnableToRoute, match="allows no exception “Emergency”"):
        required_steps(typed, amount=Decimal(5), kind=ExceptionType.EMERGENCY)


@pytest.mark.parametrize("quorum", [0, -1, 10, "2", True, 1.5])
def test_a_step_that_nobody_or_a_crowd_approves_is_refused(quorum: object) -> None:
    document = {**DOCUMENT, "steps": [{"up_to": "9", "role": "approver", "quorum": quorum}]}
    with pytest.raises(UnableToReadRule, match="1 to 9 people"):
        rule_of(document, version=1, owner="serving")


def test_a_simple_document_of_before_reads_and_is_told_in_plain_sentences() -> None:
    told = rule_sentences(rule_of(SIMPLE, version=1, owner="platform"))

    assert told[0].startswith("We reserve 90")
    assert any("one approver approves." in one for one in told)
    assert any("nobody has the authority" in one for one in told)
    assert all(one.endswith(".") for one in told)
