"""Cost Explorer's answers as days of figures; every amount is a text there, and any member may be absent."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from reservations.domain.commitment_money import CommitmentDay

Wire = Mapping[str, Any]

#: Cost Explorer names no currency for these calls; AWS bills in it wherever us-east-1 answers.
CURRENCY = "USD"
STEP = Decimal("0.000001")
MOST = Decimal(10) ** 14


class UnableToReadAnswer(Exception):
    """The answer is not Cost Explorer's."""


def plan_use(entry: Wire) -> CommitmentDay:
    """A day of GetSavingsPlansUtilization: money committed, used and unused, and what the used part was on demand."""
    use, savings = entry.get("Utilization", {}), entry.get("Savings", {})
    return CommitmentDay(
        day=_day(entry),
        currency=CURRENCY,
        cost=_amount(use, "TotalCommitment"),
        used=_amount(use, "UsedCommitment"),
        unused=_amount(use, "UnusedCommitment"),
        on_demand_equivalent=_amount(savings, "OnDemandCostEquivalent"),
    )


def plan_coverage(entry: Wire) -> CommitmentDay:
    """A day of GetSavingsPlansCoverage: spend covered of all eligible spend."""
    told = entry.get("Coverage", {})
    return CommitmentDay(
        day=_day(entry),
        currency=CURRENCY,
        covered=_amount(told, "SpendCoveredBySavingsPlans"),
        coverable=_amount(told, "TotalCost"),
        on_demand=_amount(told, "OnDemandCost"),
    )


def instance_use(entry: Wire) -> CommitmentDay:
    """A day of GetReservationUtilization: fees with upfront amortised, less what unused hours cost."""
    told = entry.get("Total", {})
    cost, unused = _amount(told, "TotalAmortizedFee"), _amount(told, "RICostForUnusedHours")
    return CommitmentDay(
        day=_day(entry),
        currency=CURRENCY,
        cost=cost,
        used=None if cost is None or unused is None else max(Decimal(0), cost - unused),
        unused=unused,
        on_demand_equivalent=_amount(told, "OnDemandCostOfRIHoursUsed"),
        hours=_amount(told, "TotalActualHours"),
    )


def instance_coverage(entry: Wire) -> CommitmentDay:
    """A day of GetReservationCoverage: instance-hours covered of all that ran."""
    told = entry.get("Total", {})
    hours = told.get("CoverageHours", {})
    return CommitmentDay(
        day=_day(entry),
        currency=CURRENCY,
        covered=_amount(hours, "ReservedHours"),
        coverable=_amount(hours, "TotalRunningHours"),
        on_demand=_amount(told.get("CoverageCost", {}), "OnDemandCost"),
    )


def _day(entry: Wire) -> date:
    said = entry.get("TimePeriod", {}).get("Start", "")
    try:
        return date.fromisoformat(said)
    except (TypeError, ValueError) as error:
        raise UnableToReadAnswer(f"“{said}” is not a day") from error


def _amount(told: Wire, name: str) -> Decimal | None:
    """An amount to a millionth; None where it was not told, UnableToReadAnswer where it is none."""
    said = told.get(name)
    if said is None or said == "":
        return None
    try:
        value = Decimal(said)
    except (InvalidOperation, TypeError, ValueError) as error:
        raise UnableToReadAnswer(f"{name} is “{said}”, which is no amount") from error
    if not value.is_finite() or not 0 <= value < MOST:
        raise UnableToReadAnswer(f"{name} is “{said}”, which is no amount")
    return value.quantize(STEP)
