"""Dividing whole milliseconds so that the parts always add up again."""

from collections.abc import Sequence
from fractions import Fraction


def largest_remainder(total: int, shares: Sequence[Fraction]) -> list[int]:
    """``total`` whole units in parts of ``shares`` (they sum to 1): each its floor, the rest by remainder.

    Units left over go to the largest remainders, among equal ones to the earlier share, so the order of
    the shares is the rule for ties. The result always sums to ``total``.
    """
    exact = [total * share for share in shares]
    parts = [int(amount) for amount in exact]
    left = total - sum(parts)
    if left:
        by_remainder = sorted(range(len(parts)), key=lambda i: (parts[i] - exact[i], i))
        for i in by_remainder[:left]:
            parts[i] += 1
    return parts
