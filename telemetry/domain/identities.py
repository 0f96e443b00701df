"""What must hold in every ledger row; one that breaks it says so and keeps its numbers (docs/ledger.md#identities)."""

import dataclasses
from decimal import Decimal

from telemetry.domain.ledger import BUSY_ROLES, QUEUE_AMOUNTS, LedgerHour


def identity_violations(row: LedgerHour, threshold_share: Decimal) -> list[str]:
    """One sentence for each identity that a row breaks; none for terms that are unknown."""
    return [
        sentence
        for sentence in (
            _waterfall(row),
            _idle_split(row),
            _busy_split(row),
            _expected_split(row),
            _efficiency(row, threshold_share),
            _allocation(row),
            _queues(row),
        )
        if sentence
    ]


def checked(row: LedgerHour, threshold_share: Decimal) -> LedgerHour:
    """The row as it is, flagged with the first identity it breaks, if any."""
    violations = identity_violations(row, threshold_share)
    if not violations:
        return row
    return dataclasses.replace(
        row,
        flags=tuple(sorted({*row.flags, "identity_violated"})),
        notes=(*row.notes, ("identity_violated", violations[0])),
    )


def _waterfall(row: LedgerHour) -> str:
    if row.expected is None:
        return ""
    terms = (row.ec2_unused, row.not_joined, row.not_observed, row.unknown, row.idle, row.busy)
    total = sum(term for term in terms if term is not None)
    return "" if total == row.reserved else f"the waterfall adds up to {total}, not to reserved {row.reserved}"


def _idle_split(row: LedgerHour) -> str:
    if row.idle is None or row.idle_held is None or row.idle_free is None:
        return ""
    return "" if row.idle_held + row.idle_free == row.idle else "idle is not idle_held + idle_free"


def _busy_split(row: LedgerHour) -> str:
    roles = [getattr(row, name) for name in BUSY_ROLES]
    if row.busy is None:
        return "" if all(role is None for role in roles) else "busy is unknown but its split is not"
    return "" if sum(role or 0 for role in roles) == row.busy else "busy is not the sum of its four roles"


def _expected_split(row: LedgerHour) -> str:
    if row.expected is None or row.known is None or row.unknown is None:
        return ""
    if row.known + row.unknown != row.expected:
        return "expected is not known + unknown"
    return "" if row.unknown >= 0 else "more device time is known than expected"


def _efficiency(row: LedgerHour, threshold_share: Decimal) -> str:
    if row.sm is None or row.busy is None or row.idle is None:
        return ""
    return "" if 0 <= row.sm <= row.busy + threshold_share * row.idle else "sm_hours exceed busy + θ·idle"


def _allocation(row: LedgerHour) -> str:
    if row.allocated is None or row.expected is None:
        return ""
    return "" if 0 <= row.allocated <= row.expected else "allocated is not between 0 and expected"


def _queues(row: LedgerHour) -> str:
    for role in QUEUE_AMOUNTS:
        whole = getattr(row, role)
        known = [amount for queue in row.queues if (amount := getattr(queue, role)) is not None]
        if whole is not None and sum(known) != whole:
            return f"{role} is not the sum over its queues"
        if whole is None and known:
            return f"{role} is unknown but not in its queues"
    return ""
