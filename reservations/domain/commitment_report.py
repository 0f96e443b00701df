"""What a provider reports of commitments, day by day, and what was asked for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from reservations.domain.commitment_money import CommitmentDay


class Family(StrEnum):
    """Which commitments a report is of."""

    SAVINGS_PLANS = "savings_plans"
    RESERVED_INSTANCES = "reserved_instances"


class Measure(StrEnum):
    """How much of what was committed was used, or how much of what ran was covered."""

    UTILISATION = "utilisation"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True)
class Report:
    """Days of one measure; ``provider_id`` blank: of all the account's commitments of the family."""

    family: Family
    measure: Measure
    days: tuple[CommitmentDay, ...]
    provider_id: str = ""


@dataclass(frozen=True, slots=True)
class CommitmentAnswer:
    """What came of asking about one account on the UTC days ``[start, end)`` at ``asked_at``.

    ``failures`` maps a call to one sentence: what it would have told stays unknown. Each request may cost money.
    """

    account: str
    start: date
    end: date
    asked_at: datetime
    reports: tuple[Report, ...] = ()
    failures: Mapping[str, str] = field(default_factory=dict)
    requests: int = 0
