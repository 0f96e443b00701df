"""When a trace is too short or has too many gaps to say a number."""

from decimal import Decimal
from fractions import Fraction

from telemetry.domain.demand import DemandTrace

LEAST_HOURS = 672
"""Four whole weeks: every hour of the week four times, so that one odd day decides nothing."""

LEAST_COVERAGE = Fraction(4, 5)
"""Hours told ÷ hours of the span: with more gaps nobody knows whether they were quiet or busy."""


def why_not_enough(trace: DemandTrace) -> str:
    """“not enough data: …”, or blank where a size can be said."""
    hours, asked = len(trace.hours), trace.asked_hours
    held = " in which something was held" if trace.not_held else ""
    if hours < LEAST_HOURS:
        return f"not enough data: {hours} hours of demand{held}, and a size needs {LEAST_HOURS} (28 days)"
    if trace.coverage_share < LEAST_COVERAGE:
        share = _per_cent(trace.coverage_share)
        return (
            f"not enough data: {hours} of the {asked} hours{held} between the first and the last are known, {share} %,"
            f" and a size needs {_per_cent(LEAST_COVERAGE)} %"
        )
    return ""


def _per_cent(share: Fraction) -> str:
    """Rounded down, so that what is too little never reads as enough."""
    return f"{Decimal(share * 1000 // 1) / 10:f}".removesuffix(".0")
