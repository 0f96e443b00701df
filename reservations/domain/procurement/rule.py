"""The procurement rule's document: what is reserved, and who approves what up to which amount."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from itertools import pairwise

from reservations.domain.access import Role
from reservations.domain.procurement.exception_type import ExceptionType


class UnableToReadRule(ValueError):
    """A rule's document lacks something or says it in a way that is not read; the message is one sentence."""


class Check(StrEnum):
    """What somebody looks at beside the amount, in parallel with other checks."""

    TECHNICAL = "technical"
    COST = "cost"


@dataclass(frozen=True, slots=True)
class Step:
    """Up to which amount of the whole term, inclusive, so many people of a role approve."""

    up_to: Decimal
    role: Role
    quorum: int = 1


@dataclass(frozen=True, slots=True)
class CheckStep:
    """A check by a role, needed for amounts above ``above``."""

    check: Check
    role: Role
    above: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Rule:
    """One version as it binds. ``types`` None: every type of exception may be asked for.

    Amounts are of a whole term, in ``currency``; ``types`` gives for each type the roles that approve it as well.
    """

    version: int
    owner: str
    reserved_share: Decimal
    spot_workloads: tuple[str, ...]
    block_booking_lead_days: int
    procurement_lead_days: int
    steps: tuple[Step, ...]
    currency: str = "USD"
    checks: tuple[CheckStep, ...] = ()
    types: Mapping[ExceptionType, tuple[Role, ...]] | None = None
    approval_valid_days: int = 30
    price_move_limit_share: Decimal = Decimal("0.05")
    role_change_days: int = 14
    delegation_most_days: int = 30
    longest_term_days: int | None = None

    @property
    def limit(self) -> Decimal:
        """The amount above which nobody has authority."""
        return self.steps[-1].up_to


NUMBERS = (
    "approval_valid_days",
    "role_change_days",
    "delegation_most_days",
)
"""Optional whole days of a document; a missing one is as ``Rule`` says."""


MOST = 10**15
"""Above any amount that anybody spends, and within what is kept and told."""


def rule_of(document: Mapping[str, object], *, version: int, owner: str) -> Rule:
    """The rule of a stored document, simple ones with only ``{up_to, role}`` steps too; UnableToReadRule otherwise."""
    said: dict[str, object] = {key: _days(document[key], key) for key in NUMBERS if document.get(key) is not None}
    if document.get("longest_term_days") is not None:
        said["longest_term_days"] = _days(document["longest_term_days"], "longest_term_days")
    if document.get("price_move_limit_share") is not None:
        said["price_move_limit_share"] = _number(document["price_move_limit_share"], "price_move_limit_share")
    if document.get("currency"):
        said["currency"] = str(document["currency"])
    steps = tuple(_step(one) for one in _list(document, "steps"))
    if not steps:
        raise UnableToReadRule("A rule needs at least one approval step.")
    if any(low.up_to >= high.up_to for low, high in pairwise(steps)):
        raise UnableToReadRule("Each approval step must go higher than the one before it.")
    checks = tuple(_check(one) for one in _list(document, "checks"))
    if len({one.check for one in checks}) < len(checks):
        raise UnableToReadRule("Each check stands once in a rule.")
    return Rule(
        version=version,
        owner=owner,
        reserved_share=_number(document.get("reserved_share_of_base_load"), "reserved_share_of_base_load"),
        spot_workloads=tuple(str(one) for one in _list(document, "spot_workloads")),
        block_booking_lead_days=_days(document.get("block_booking_lead_days", 0), "block_booking_lead_days"),
        procurement_lead_days=_days(document.get("procurement_lead_days"), "procurement_lead_days"),
        steps=steps,
        checks=checks,
        types=_types(document),
        **said,  # type: ignore[arg-type]
    )


def _list(document: Mapping[str, object], key: str) -> list[object]:
    found = document.get(key) or []
    if not isinstance(found, list):
        raise UnableToReadRule(f"“{key}” must be a list.")
    return found


def _mapping(one: object, what: str) -> Mapping[str, object]:
    if not isinstance(one, Mapping):
        raise UnableToReadRule(f"{what} must say its keys.")
    return one


def _step(one: object) -> Step:
    said = _mapping(one, "An approval step")
    quorum = 1 if said.get("quorum") is None else said["quorum"]
    if isinstance(quorum, bool) or not isinstance(quorum, int) or not 1 <= quorum <= 9:
        raise UnableToReadRule(f"A step is approved by 1 to 9 people, not by {quorum}.")
    return Step(_number(said.get("up_to"), "up_to"), _role(said.get("role")), quorum)


def _check(one: object) -> CheckStep:
    said = _mapping(one, "A check")
    try:
        check = Check(str(said.get("check")))
    except ValueError:
        raise UnableToReadRule(f"A check is technical or cost, not “{said.get('check')}”.") from None
    return CheckStep(check, _role(said.get("role")), _number(said.get("above") or "0", "above"))


def _types(document: Mapping[str, object]) -> dict[ExceptionType, tuple[Role, ...]] | None:
    if document.get("exception_types") is None:
        return None
    found: dict[ExceptionType, tuple[Role, ...]] = {}
    for one in _list(document, "exception_types"):
        said = _mapping(one, "A type of exception")
        try:
            kind = ExceptionType(str(said.get("type")))
        except ValueError:
            raise UnableToReadRule(f"There is no type of exception “{said.get('type')}”.") from None
        if kind in found:
            raise UnableToReadRule(f"The type of exception “{kind.value}” stands twice in the rule.")
        found[kind] = tuple(_role(role) for role in _list(said, "roles"))
    return found


def _role(name: object) -> Role:
    try:
        return Role(str(name))
    except ValueError:
        raise UnableToReadRule(f"There is no role “{name}”.") from None


def _number(value: object, key: str) -> Decimal:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        number = Decimal("NaN")
    if value is None or isinstance(value, bool) or not number.is_finite() or not 0 <= number <= MOST:
        raise UnableToReadRule(f"“{key}” must be a number from 0 to {MOST:,}, and it is {value}.")
    return number


def _days(value: object, key: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 3650:
        raise UnableToReadRule(f"“{key}” must be whole days from 0 to 3650, and it is {value}.")
    return value
