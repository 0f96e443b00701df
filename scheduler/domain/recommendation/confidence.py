"""How far a recommendation is to be trusted, by a rule that can be read (docs/recommendations.md#confidence)."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction


class Confidence(StrEnum):
    """From nothing to say to hardly in doubt."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"


MEDIUM_WEEKS, HIGH_WEEKS = 8, 12
MEDIUM_COVERAGE, HIGH_COVERAGE = Fraction(9, 10), Fraction(19, 20)


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a recommendation rests on: whole weeks seen, hours known ÷ span, and whether the band of money has one sign.

    ``lower_bounds``: whether in some hours what waited is unknown.
    """

    weeks: int
    coverage: Fraction
    shortage_known: bool
    replayed: bool
    lower_bounds: bool
    changes: bool
    saving_low: Decimal | None


def confidence(grounds: Grounds) -> tuple[Confidence, str]:
    """The level and the first thing that keeps it from being higher, in one sentence; blank where nothing does."""
    if grounds.weeks < MEDIUM_WEEKS:
        return Confidence.LOW, f"Only {grounds.weeks} whole weeks were seen; {MEDIUM_WEEKS} make it medium."
    if grounds.coverage < MEDIUM_COVERAGE:
        return Confidence.LOW, "Under 90 % of the hours are known."
    if grounds.changes and (grounds.saving_low is None or grounds.saving_low <= 0):
        return Confidence.LOW, "Drawn from other weeks it might as well cost money as save it."
    for falls_short, why in (
        (grounds.weeks < HIGH_WEEKS, f"{grounds.weeks} whole weeks were seen; {HIGH_WEEKS} make it high."),
        (grounds.coverage < HIGH_COVERAGE, "Under 95 % of the hours are known."),
        (not grounds.shortage_known, "How often a launch fails, and what that costs, is not known."),
        (not grounds.replayed, "No replay says what better placement would have made of it."),
        (grounds.lower_bounds, "In some hours nobody knows what was waiting, so that demand is a lower bound."),
    ):
        if falls_short:
            return Confidence.MEDIUM, why
    return Confidence.HIGH, ""
