"""Who may do what: one function that every page, export and call asks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a person may be, for one team or for the whole organisation."""

    VIEWER = "viewer"
    OWNER = "owner"
    OPERATOR = "operator"
    ANALYST = "analyst"
    APPROVER = "approver"
    AUDITOR = "auditor"
    ADMIN = "admin"


class Action(StrEnum):
    """What a door asks leave for."""

    SEE_POOL = "see_pool"
    SEE_PRICES = "see_prices"
    SEE_DATA_HEALTH = "see_data_health"
    COLLECT = "collect"
    CONFIGURE = "configure"
    SEE_RESERVATION = "see_reservation"
    NOTE_RESERVATION = "note_reservation"
    EDIT_RESERVATION = "edit_reservation"
    MEND_MEMBERSHIP = "mend_membership"
    ALLOCATE = "allocate"
    REPLAY = "replay"
    EDIT_PRICES = "edit_prices"
    DECIDE = "decide"
    REGISTER_JOB = "register_job"
    HANDLE_ALERT = "handle_alert"
    SET_THRESHOLD = "set_threshold"
    ROUTE_ALERTS = "route_alerts"
    SEE_AUDIT = "see_audit"
    SEE_RULE = "see_rule"
    DRAFT_RULE = "draft_rule"
    PUBLISH_RULE = "publish_rule"
    SEE_EXCEPTION = "see_exception"
    REQUEST_EXCEPTION = "request_exception"
    APPROVE_EXCEPTION = "approve_exception"
    EXECUTE_EXCEPTION = "execute_exception"
    DELEGATE = "delegate"


LEAVE: dict[Action, frozenset[Role]] = {
    Action.SEE_POOL: frozenset(Role),
    Action.SEE_PRICES: frozenset(Role) - {Role.VIEWER},
    Action.SEE_DATA_HEALTH: frozenset(Role),
    Action.COLLECT: frozenset({Role.OPERATOR, Role.ADMIN}),
    Action.CONFIGURE: frozenset({Role.ADMIN}),
    Action.SEE_RESERVATION: frozenset(Role),
    Action.NOTE_RESERVATION: frozenset(Role) - {Role.VIEWER, Role.AUDITOR},
    Action.EDIT_RESERVATION: frozenset({Role.OWNER, Role.OPERATOR, Role.ADMIN}),
    Action.MEND_MEMBERSHIP: frozenset({Role.OPERATOR, Role.ADMIN}),
    Action.ALLOCATE: frozenset(Role),
    Action.REPLAY: frozenset(Role) - {Role.VIEWER, Role.AUDITOR},
    Action.EDIT_PRICES: frozenset({Role.ANALYST, Role.ADMIN}),
    Action.DECIDE: frozenset({Role.OWNER, Role.APPROVER, Role.ADMIN}),
    Action.REGISTER_JOB: frozenset({Role.OWNER, Role.OPERATOR, Role.ADMIN}),
    Action.HANDLE_ALERT: frozenset(Role) - {Role.VIEWER, Role.AUDITOR},
    Action.SET_THRESHOLD: frozenset({Role.OWNER, Role.OPERATOR, Role.ADMIN}),
    Action.ROUTE_ALERTS: frozenset({Role.OWNER, Role.OPERATOR, Role.ADMIN}),
    Action.SEE_AUDIT: frozenset({Role.AUDITOR, Role.ADMIN}),
    Action.SEE_RULE: frozenset(Role),
    Action.DRAFT_RULE: frozenset({Role.ANALYST, Role.APPROVER, Role.ADMIN}),
    Action.PUBLISH_RULE: frozenset({Role.APPROVER, Role.ADMIN}),
    Action.SEE_EXCEPTION: frozenset(Role) - {Role.VIEWER},
    Action.REQUEST_EXCEPTION: frozenset(Role) - {Role.VIEWER, Role.AUDITOR},
    # Which role a step needs is the rule's to say; these are who may be asked by it at all.
    Action.APPROVE_EXCEPTION: frozenset(Role) - {Role.VIEWER, Role.AUDITOR},
    Action.EXECUTE_EXCEPTION: frozenset({Role.OWNER, Role.OPERATOR, Role.ADMIN}),
    Action.DELEGATE: frozenset(Role) - {Role.VIEWER, Role.AUDITOR},
}


SECOND_FACTOR_ROLES = frozenset({Role.APPROVER, Role.ADMIN})
"""Roles that without a second factor let one look and no more: they decide over money and over who may what."""

SECOND_FACTOR_ACTIONS = frozenset({Action.APPROVE_EXCEPTION, Action.PUBLISH_RULE, Action.DELEGATE})
"""An approver's acts: they need a second factor of whoever does them, whatever the role."""

LOOKING = frozenset(action for action in Action if action.value.startswith("see_")) | {Action.ALLOCATE}
"""What changes nothing that others rely on; whatever is not named here is an act."""

FOR_PROGRAMS = LOOKING | {Action.REGISTER_JOB, Action.HANDLE_ALERT, Action.COLLECT}
"""All that a program of its own may be let to do; whatever is not named here is for people alone."""


@dataclass(frozen=True, slots=True)
class Grant:
    """One role for one team; ``team`` None means the whole organisation."""

    role: Role
    team: str | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who asks, with all they were granted; an inactive person holds no grant.

    ``second_factor``: one is set up, or nobody asks for one; ``program``: a service's token, with nobody behind it.
    """

    name: str
    grants: tuple[Grant, ...] = ()
    second_factor: bool = False
    program: bool = False


def may(person: Person, action: Action, teams: Iterable[str] | None = None) -> bool:
    """Whether a person may do an action on an object of these teams.

    ``teams`` are the teams an object belongs to (a pool: its owner and its queues' owners); None
    asks about the organisation as a whole, which only a grant without a team covers.
    """
    scope = None if teams is None else set(teams)
    return any(
        grant.team is None or (scope is not None and grant.team in scope) for grant in _grants_for(person, action)
    )


def may_somewhere(person: Person, action: Action) -> bool:
    """Whether a person may do an action for any team at all: asked where the object is one they bring along."""
    return reach(person, action) != frozenset()


def reach(person: Person, action: Action) -> frozenset[str] | None:
    """The teams on whose objects a person may do an action; None: on everybody's, and on what is nobody's."""
    teams = {grant.team for grant in _grants_for(person, action)}
    return None if None in teams else frozenset(team for team in teams if team is not None)


def lacks_second_factor(person: Person) -> bool:
    """Whether a grant of this person counts for looking alone until a second factor is set up."""
    return not person.second_factor and any(grant.role in SECOND_FACTOR_ROLES for grant in person.grants)


def _grants_for(person: Person, action: Action) -> Iterator[Grant]:
    """The grants by which a person may do an action, each within its team."""
    if person.program and action not in FOR_PROGRAMS:
        return
    if action in SECOND_FACTOR_ACTIONS and not person.second_factor:
        return
    for grant in person.grants:
        counts = person.second_factor or action in LOOKING or grant.role not in SECOND_FACTOR_ROLES
        if counts and grant.role in LEAVE[action]:
            yield grant
