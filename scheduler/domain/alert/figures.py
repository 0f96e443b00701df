"""The figures that an alert rests on, as a reader would say them."""

import re
from collections.abc import Iterable

_MONEY = re.compile(r"\d[\s\u202f]?[A-Z]{3}\b(?!-)")
"""An amount as it is written here: a figure and its currency code, which GPU-hours hold none of."""


BY_PRICES = frozenset({"break-even", "with launches that fail"})
"""Figures that are a ratio of prices: who may not see those may not see what they come to either."""


def without_money(numbers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Names and figures without those that are amounts, or say how prices stand to each other."""
    return [(name, figure) for name, figure in numbers if name not in BY_PRICES and not _MONEY.search(figure)]
