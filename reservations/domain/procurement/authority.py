"""Whose approval a request needs, in which order, and whether there are enough different people to give it."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.access import SECOND_FACTOR_ROLES, Person, Role
from reservations.domain.procurement.exception_type import TYPES, ExceptionType
from reservations.domain.procurement.rule import Rule


class UnableToRoute(ValueError):
    """Nobody has the authority, or too few people have it; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class RequiredStep:
    """One step of a request: ``quorum`` people of ``role``; steps of one ``order`` run in parallel.

    ``key`` names it for good within a version; ``why`` is the clause that asks for it.
    """

    key: str
    order: int
    role: Role
    quorum: int
    why: str


def required_steps(rule: Rule, *, amount: Decimal, kind: ExceptionType) -> tuple[RequiredStep, ...]:
    """The checks, then the amount's steps (cumulative, ``up_to`` inclusive), then the type's own; UnableToRoute."""
    if rule.types is not None and kind not in rule.types:
        raise UnableToRoute(f"Version {rule.version} of the rule allows no exception “{TYPES[kind].label}”.")
    if amount > rule.limit:
        said = f"{notation.amount(amount, rule.currency)} is above {notation.amount(rule.limit, rule.currency)}"
        raise UnableToRoute(f"Nobody has the authority: {said}, the last step of the rule.")
    checks = [
        RequiredStep(f"check-{one.check.value}", 0, one.role, 1, f"{one.check.value} check")
        for one in rule.checks
        if amount > one.above
    ]
    steps = []
    for number, step in enumerate(rule.steps, 1):
        why = f"step {number}, up to {notation.amount(step.up_to, rule.currency)}"
        steps.append(RequiredStep(f"step-{number}", number, step.role, step.quorum, why))
        if amount <= step.up_to:
            break
    own = rule.types[kind] if rule.types is not None else ()
    last = steps[-1].order + 1
    typed = [
        RequiredStep(f"type-{number}", last, role, 1, f"every exception “{TYPES[kind].label}”")
        for number, role in enumerate(own, 1)
    ]
    return (*checks, *steps, *typed)


def emergency_role(required: Iterable[RequiredStep]) -> Role:
    """Who may approve alone in an emergency, and sign it off: the role of the last of the amount's steps."""
    return max((step for step in required if step.key.startswith("step-")), key=lambda step: step.order).role


def why_not_alone(required: Iterable[RequiredStep], person: Person, team: str) -> str:
    """Why somebody may neither approve alone in an emergency nor sign that off, in a sentence; blank where they may."""
    role = emergency_role(required)
    if holds(person, role, team):
        return ""
    return f"Only who holds the role {role.value} for {team}, its last step, can do this."


def open_steps(required: Iterable[RequiredStep], approved: Iterable[str]) -> tuple[RequiredStep, ...]:
    """The steps that wait for somebody now: of the lowest order that lacks an approval. ``approved`` are step keys."""
    given = Counter(approved)
    missing = [step for step in required if given[step.key] < step.quorum]
    first = min((step.order for step in missing), default=0)
    return tuple(step for step in missing if step.order == first)


def holds(person: Person, role: Role, team: str | None) -> bool:
    """Whether somebody was granted a role itself, for a team or everywhere, and has what it needs to count.

    To be admin of all gives no other role; a role of deciders counts with a second factor, and never for a program.
    """
    if person.program or (role in SECOND_FACTOR_ROLES and not person.second_factor):
        return False
    return any(grant.role is role and grant.team in (None, team) for grant in person.grants)


def limit_of(rule: Rule, person: Person, team: str | None) -> Decimal:
    """The highest amount up to which somebody approves a step of the rule for a team; 0 where none is theirs."""
    return max((step.up_to for step in rule.steps if holds(person, step.role, team)), default=Decimal(0))


def why_not_enough(required: Sequence[RequiredStep], holders: Mapping[Role, Collection[int]], asking: set[int]) -> str:
    """Why the steps can't be given by different people none of whom asks, in one sentence; blank where they can.

    ``holders`` are the people of each role; the search is for a matching of seats to people.
    """
    seats = [step for step in required for _ in range(step.quorum)]
    taken: dict[int, int] = {}
    for place, step in enumerate(seats):
        if not _seat(place, seats, holders, asking, taken, set()):
            return _lacks(step, holders, asking)
    return ""


def _seat(
    place: int,
    seats: Sequence[RequiredStep],
    holders: Mapping[Role, Collection[int]],
    asking: set[int],
    taken: dict[int, int],
    tried: set[int],
) -> bool:
    for one in sorted(holders.get(seats[place].role, ())):
        if one in asking or one in tried:
            continue
        tried.add(one)
        if one not in taken or _seat(taken[one], seats, holders, asking, taken, tried):
            taken[one] = place
            return True
    return False


def _lacks(step: RequiredStep, holders: Mapping[Role, Collection[int]], asking: set[int]) -> str:
    everyone = set(holders.get(step.role, ()))
    others = everyone - asking
    if not everyone:
        return f"Nobody holds the role {step.role.value}, which {step.why} needs: ask an administrator to grant it."
    if not others:
        said = f"Only whoever asks holds the role {step.role.value}, which {step.why} needs"
        return f"{said}, and nobody approves their own request: it needs another {step.role.value}."
    return (
        f"Too few people can approve: every step needs somebody else, and {step.why} finds no {step.role.value} left."
    )
