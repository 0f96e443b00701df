"""Commitments: contracts that lower a price and hold no machine, and which reservations they reach (docs/prices.md)."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from reservations.domain.reservation_state import Kind


class CommitmentKind(StrEnum):
    """How the price was lowered."""

    SAVINGS_PLAN = "savings_plan"
    REGIONAL_RI = "regional_reserved_instance"
    ZONAL_RI = "zonal_reserved_instance"
    COMMITTED_USE = "committed_use_discount"


class Payment(StrEnum):
    """When it is paid for."""

    NO_UPFRONT = "no_upfront"
    PARTIAL_UPFRONT = "partial_upfront"
    ALL_UPFRONT = "all_upfront"


class AppliesTo(StrEnum):
    """What it lowers the price of: everything that computes, one family in one region, or one instance type."""

    ANY_COMPUTE = "any_compute"
    FAMILY = "family"
    SHAPE = "shape"


RESERVED_INSTANCES = frozenset({CommitmentKind.REGIONAL_RI, CommitmentKind.ZONAL_RI})


@dataclass(frozen=True, slots=True)
class Commitment:
    """One contract over the UTC days ``[start, end)``; ``hourly`` is money per hour, whatever runs.

    ``family`` and ``region``, or ``shape``, are blank where ``applies_to`` does not narrow to them.
    """

    kind: CommitmentKind
    provider_id: str
    account: str
    hourly: Decimal
    currency: str
    start: date
    end: date
    applies_to: AppliesTo
    payment: Payment
    family: str = ""
    region: str = ""
    shape: str = ""
    source: str = ""
    entered_by: str = ""

    def covers(self, day: date) -> bool:
        """Whether it runs on a UTC day."""
        return self.start <= day < self.end

    def lowers(self, *, shape: str, region: str) -> bool:
        """Whether an instance type in a region is among what it lowers the price of."""
        if self.region and self.region != region:
            return False
        if self.applies_to is AppliesTo.FAMILY:
            return shape.partition(".")[0] == self.family
        return self.applies_to is AppliesTo.ANY_COMPUTE or shape == self.shape


@dataclass(frozen=True, slots=True)
class Stacking:
    """Whether a commitment lowers what a reservation bills; ``applies`` None: nobody said, and ``reason`` why."""

    applies: bool | None
    reason: str


def stacking(reservation: Kind, commitment: CommitmentKind) -> Stacking:
    """Whether this kind of commitment reaches this kind of reservation (AWS, Capacity Reservations: billing).

    A reservation alone never means a discount, and a commitment alone never means machines.
    """
    if reservation is Kind.MANUAL:
        return Stacking(None, "it was entered by hand, and only its contract says what lowers its price")
    if commitment is CommitmentKind.COMMITTED_USE:
        return Stacking(None, "nothing is recorded of how a committed use discount meets a reservation")
    if reservation is Kind.BLOCK:
        return Stacking(False, "a capacity block's fee is paid up front, and no commitment lowers it")
    if commitment is CommitmentKind.ZONAL_RI:
        return Stacking(False, "a zonal reserved instance does not apply to capacity reservations")
    if reservation is Kind.INTERRUPTIBLE:
        return Stacking(None, "nothing is recorded of how a commitment meets an interruptible reservation")
    name = "a savings plan" if commitment is CommitmentKind.SAVINGS_PLAN else "a regional reserved instance"
    since = ", from its delivery on" if reservation is Kind.FUTURE else ""
    return Stacking(True, f"{name} applies to the instances that run in it first, then to its unused time{since}")
