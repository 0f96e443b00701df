"""The rule: reserve the nodes that are each needed in more hours than the break-even (docs/sizing.md#the-rule)."""

from fractions import Fraction

from telemetry.domain.load_duration import LoadDuration


def rule_nodes(curve: LoadDuration, ratio: Fraction) -> int:
    """The largest n whose share of hours with demand ≥ n is strictly greater than the ratio; 0 where none is.

    The first node that is not ends it, and a node needed in just the break-even share is not reserved.
    """
    least = least_hours(ratio, curve.hours)
    nodes = 0
    for needed in curve.needed:
        if needed < least:
            break
        nodes += 1
    return nodes


def least_hours(ratio: Fraction, hours: int) -> int:
    """The fewest whole hours out of ``hours`` that are strictly more than the ratio of them: ⌊ratio·hours⌋ + 1."""
    return ratio.numerator * hours // ratio.denominator + 1
