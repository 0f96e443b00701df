"""The figures that an alert rests on, as a reader would say them."""

import re
from collections.abc import Iterable

_MONEY = re.compile(r"\d[\s\u202f]?[A-Z]{3}\b")
"""An amount as it is written here: a figure and its currency code."""


def without_money(numbers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Names and figures without those that are amounts."""
    return [(name, figure) for name, figure in numbers if not _MONEY.search(figure)]
