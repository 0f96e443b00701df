"""A rule in plain sentences, as people read it."""

from collections.abc import Iterable

from reservations.domain import notation
from reservations.domain.procurement.exception_type import TYPES
from reservations.domain.procurement.rule import CheckStep, Rule, Step


def rule_sentences(rule: Rule) -> list[str]:
    """What the rule says, one sentence each, in the order of its document."""
    spot = (
        f"Work of {_listed(rule.spot_workloads)} may run on spot capacity."
        if rule.spot_workloads
        else "No work may run on spot capacity alone."
    )
    return [
        f"We reserve {notation.percent(rule.reserved_share)} of the base load.",
        spot,
        f"What follows a reservation is decided {_days(rule.procurement_lead_days)} before its end, and for a capacity "
        f"block {_days(rule.block_booking_lead_days)} earlier still.",
        *(_check(rule, one) for one in rule.checks),
        *_steps(rule),
        f"Above {notation.amount(rule.limit, rule.currency)} nobody has the authority, and a request is refused.",
        *_types(rule),
        f"An approval is valid for {_days(rule.approval_valid_days)}, and lapses when the price moves by more than "
        f"{notation.percent(rule.price_move_limit_share)}.",
        f"An authority may be delegated for {_days(rule.delegation_most_days)} at most.",
        "Whoever is asked is reminded, and then the next in line. No amount is ever approved by waiting.",
    ]


def _steps(rule: Rule) -> list[str]:
    lowest = rule.steps[0]
    first = f"Up to {notation.amount(lowest.up_to, rule.currency)} over the whole term, {_people(lowest)} approves."
    rest = [
        f"Above that, up to {notation.amount(step.up_to, rule.currency)}, {_people(step)} approves as well."
        for step in rule.steps[1:]
    ]
    return [first.replace(" approves", " approve") if lowest.quorum > 1 else first] + [
        said.replace(" approves", " approve") if step.quorum > 1 else said
        for said, step in zip(rest, rule.steps[1:], strict=True)
    ]


def _people(step: Step) -> str:
    return f"one {step.role.value}" if step.quorum == 1 else f"{step.quorum} different {step.role.value}s"


def _check(rule: Rule, one: CheckStep) -> str:
    above = f" of more than {notation.amount(one.above, rule.currency)}" if one.above else ""
    return f"Before that, one {one.role.value} does a {one.check.value} check of every request{above}."


def _types(rule: Rule) -> list[str]:
    if rule.types is None:
        return ["Every type of exception may be asked for."]
    plain = [TYPES[kind].label for kind, roles in rule.types.items() if not roles]
    said = [
        f"“{TYPES[kind].label}” needs {_listed([f'one {role.value}' for role in roles])} as well."
        for kind, roles in rule.types.items()
        if roles
    ]
    if plain:
        quoted = [f"“{label}”" for label in plain]
        said.insert(0, f"{_listed(quoted)} may be asked for.")
    return [*said, "No other exception may be asked for."]


def _days(count: int) -> str:
    return "1 day" if count == 1 else f"{count} days"


def _listed(words: Iterable[str]) -> str:
    words = list(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else "nothing"
