"""Delegating an authority: dated, scoped, no wider than one's own, and never handed on."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal

from reservations.domain import notation
from reservations.domain.free_text import why_no_reason
from reservations.domain.procurement.exception_type import TYPES, ExceptionType

LONGEST_REASON = 2_000


@dataclass(frozen=True, slots=True)
class Delegated:
    """Authority of one person that another uses in ``[start, end)``; no ``types``: of every type."""

    delegator: int
    delegate: int
    start: datetime
    end: datetime
    up_to: Decimal
    currency: str
    types: tuple[ExceptionType, ...] = ()

    def holds(self, at: datetime) -> bool:
        """Whether it holds at an instant."""
        return self.start <= at < self.end


def why_not_delegate(
    asked: Delegated, *, own_limit: Decimal, most_days: int, now: datetime, others: Sequence[Delegated], reason: str
) -> str:
    """Why it may not be delegated so, in one sentence; blank where it may. ``own_limit`` is without delegations.

    No chain can arise: a delegation gives an own authority only, never one that was delegated.
    """
    return (
        _why_not_dated(asked, most_days, now)
        or _why_not_own(asked, own_limit)
        or why_no_reason(reason, longest=LONGEST_REASON)
        or _why_twice(asked, others)
    )


def why_not_use(
    found: Delegated, *, at: datetime, amount: Decimal, currency: str, kind: ExceptionType, asking: Collection[int]
) -> str:
    """Why a delegation does not cover a request, in one sentence; blank where it does."""
    if not found.holds(at):
        return f"The delegation holds from {notation.instant(found.start)} until {notation.instant(found.end)}."
    if found.delegate in asking or found.delegator in asking:
        return "Who asks neither approves nor has it approved in their name."
    if found.types and kind not in found.types:
        return f"The delegation does not cover “{TYPES[kind].label}”."
    if currency != found.currency or amount > found.up_to:
        return f"The delegation goes to {notation.amount(found.up_to, found.currency)}."
    return ""


def _why_not_dated(asked: Delegated, most_days: int, now: datetime) -> str:
    if asked.end <= asked.start:
        return "A delegation ends after it starts."
    if asked.end <= now:
        return "A delegation that is over gives nobody anything."
    if asked.end - asked.start > timedelta(days=most_days):
        return f"A delegation lasts {most_days} days at most."
    return ""


def _why_not_own(asked: Delegated, own_limit: Decimal) -> str:
    if asked.delegator == asked.delegate:
        return "Nobody delegates to themselves."
    if own_limit <= 0:
        return "Only who has an authority of their own to approve can delegate it: one that was delegated stays there."
    if not 0 < asked.up_to <= own_limit:
        return f"Your own authority goes to {notation.amount(own_limit, asked.currency)}: delegate no more than that."
    return ""


def _why_twice(asked: Delegated, others: Sequence[Delegated]) -> str:
    overlapping = [one for one in others if one.start < asked.end and asked.start < one.end]
    if any((one.delegator, one.delegate) == (asked.delegator, asked.delegate) for one in overlapping):
        return "You delegate to this person at that time already: end that delegation first."
    return ""
