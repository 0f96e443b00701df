"""Dividing whole milliseconds so that the parts always add up again."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm


def whole_weights(shares: Sequence[Fraction]) -> tuple[int, ...]:
    """Shares as whole numbers in the same proportion."""
    unit = lcm(*(share.denominator for share in shares))
    return tuple(share.numerator * (unit // share.denominator) for share in shares)


def largest_remainder(total: int, weights: Sequence[int]) -> list[int]:
    """``total`` whole units in proportion to whole-number weights: each part its floor, the rest by remainder.

    Units left over go to the largest remainders, among equal ones to the earlier weight, so the order of
    the weights is the rule for ties. The result always sums to ``total``; some weight must be above 0.
    """
    whole = sum(weights)
    divided = [divmod(total * weight, whole) for weight in weights]
    parts = [part for part, _ in divided]
    left = total - sum(parts)
    if left:
        for i in sorted(range(len(parts)), key=lambda i: -divided[i][1])[:left]:
            parts[i] += 1
    return parts
