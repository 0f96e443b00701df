from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.access import (
    FOR_PROGRAMS,
    LEAVE,
    LOOKING,
    SECOND_FACTOR_ACTIONS,
    SECOND_FACTOR_ROLES,
    Action,
    Grant,
    Person,
    Role,
    lacks_second_factor,
    may,
    may_somewhere,
)

roles, actions = st.sampled_from(Role), st.sampled_from(Action)
teams = st.sampled_from(["serving", "research", "platform"])
grants = st.builds(Grant, roles, st.none() | teams)


@given(actions, st.none() | st.frozensets(teams))
def test_no_grant_is_no_leave(action: Action, scope: frozenset[str] | None) -> None:
    assert not may(Person("outsider"), action, scope)


@given(roles, teams, actions, st.frozensets(teams))
def test_a_team_s_grant_never_reaches_an_object_of_other_teams(
    role: Role, team: str, action: Action, scope: frozenset[str]
) -> None:
    assert not may(Person("owner", (Grant(role, team),)), action, scope - {team})


@given(roles, teams, actions)
def test_a_team_s_grant_is_no_leave_for_the_organisation_as_a_whole(role: Role, team: str, action: Action) -> None:
    assert not may(Person("owner", (Grant(role, team),)), action)


@given(roles, actions, st.none() | st.frozensets(teams))
def test_a_grant_without_a_team_reaches_everything_its_role_may(
    role: Role, action: Action, scope: frozenset[str] | None
) -> None:
    assert may(Person("analyst", (Grant(role),), second_factor=True), action, scope) == (role in LEAVE[action])


@given(st.lists(grants, max_size=5), grants, actions, st.none() | st.frozensets(teams))
def test_one_more_grant_never_takes_leave_away(
    held: list[Grant], more: Grant, action: Action, scope: frozenset[str] | None
) -> None:
    assert may(Person("x", tuple(held)), action, scope) <= may(Person("x", (*held, more)), action, scope)


@given(st.lists(grants, max_size=5), actions, st.frozensets(teams), teams)
def test_an_object_of_more_teams_is_never_seen_by_fewer(
    held: list[Grant], action: Action, scope: frozenset[str], more: str
) -> None:
    assert may(Person("x", tuple(held)), action, scope) <= may(Person("x", tuple(held)), action, scope | {more})


def test_only_an_admin_may_do_everything_and_every_action_names_somebody() -> None:
    assert set(LEAVE) == set(Action)
    assert {role for role in Role if all(role in leave for leave in LEAVE.values())} == {Role.ADMIN}
    assert all(Role.ADMIN in leave for leave in LEAVE.values())
    assert Role.VIEWER not in LEAVE[Action.SEE_PRICES]


@given(st.lists(grants, max_size=5), actions)
def test_what_one_may_do_somewhere_one_may_do_for_some_team_and_else_for_none(
    held: list[Grant], action: Action
) -> None:
    person = Person("x", tuple(held))
    everywhere = [may(person, action), *(may(person, action, {one.team}) for one in held if one.team)]
    assert may_somewhere(person, action) == any(everywhere)


@given(st.lists(grants, max_size=5), actions, st.none() | st.frozensets(teams))
def test_without_a_second_factor_approvers_and_admins_look_and_no_more(
    held: list[Grant], action: Action, scope: frozenset[str] | None
) -> None:
    bare, shown = Person("x", tuple(held)), Person("x", tuple(held), second_factor=True)
    others = Person("x", tuple(one for one in held if one.role not in SECOND_FACTOR_ROLES), second_factor=True)
    expected = shown if action in LOOKING else others
    allowed = action not in SECOND_FACTOR_ACTIONS and may(expected, action, scope)
    assert may(bare, action, scope) == allowed
    assert lacks_second_factor(bare) == (bare.grants != others.grants)
    assert not lacks_second_factor(shown)


@given(st.lists(grants, max_size=5), actions, st.none() | st.frozensets(teams))
def test_a_program_of_its_own_does_what_people_with_its_grants_do_and_never_decides(
    held: list[Grant], action: Action, scope: frozenset[str] | None
) -> None:
    program = Person("x", tuple(held), second_factor=True, program=True)
    person = Person("x", tuple(held), second_factor=True)
    assert may(program, action, scope) == (action in FOR_PROGRAMS and may(person, action, scope))
    assert not {Action.DECIDE, Action.CONFIGURE, Action.EDIT_PRICES} & FOR_PROGRAMS
