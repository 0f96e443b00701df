"""Who may approve up to which amount: the rule's steps and checks with the people who hold their roles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reservations.domain import notation
from reservations.domain.access import Role
from reservations.domain.procurement.exception_type import TYPES
from reservations.domain.procurement.rule import Rule
from reservations.selectors.approvers import Holder


@dataclass(frozen=True, slots=True)
class AuthorityRow:
    """One line: what is approved, up to how much, by how many of which role, and who that is."""

    what: str
    amount: str
    who: str
    people: str


def authority_rows(rule: Rule, holders: Mapping[Role, Sequence[Holder]]) -> list[AuthorityRow]:
    """Checks, steps, then what the types need besides; ``people`` blank where nobody holds the role."""
    checks = [
        AuthorityRow(
            f"{one.check.value} check",
            f"above {notation.amount(one.above, rule.currency)}",
            f"one {one.role.value}",
            _named(holders, one.role),
        )
        for one in rule.checks
    ]
    steps = [
        AuthorityRow(
            f"step {number}",
            f"up to {notation.amount(step.up_to, rule.currency)}",
            f"{step.quorum} × {step.role.value}" if step.quorum > 1 else f"one {step.role.value}",
            _named(holders, step.role),
        )
        for number, step in enumerate(rule.steps, 1)
    ]
    types = [
        AuthorityRow(TYPES[kind].label, "any amount", f"one {role.value}", _named(holders, role))
        for kind, roles in (rule.types or {}).items()
        for role in roles
    ]
    return [*checks, *steps, *types]


def _named(holders: Mapping[Role, Sequence[Holder]], role: Role) -> str:
    return ", ".join(one.name for one in holders.get(role, ()))
