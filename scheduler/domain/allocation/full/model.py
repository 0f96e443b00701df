"""A linear model with whole-number variables, as plain arrays that any solver can be given."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
INFINITE = float("inf")


@dataclass
class Model:
    """Maximize ``worth``·x with ``low`` ≤ x ≤ ``high`` and low ≤ row·x ≤ high for each row; built up piece by piece."""

    worth: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    rows: list[tuple[float, float, list[int], list[float]]] = field(default_factory=list)

    def variable(self, worth: float = 0.0, low: float = 0.0, high: float = 1.0, whole: bool = True) -> int:
        """Add a variable, binary unless said otherwise, and give its index."""
        self.worth.append(worth)
        self.low.append(low)
        self.high.append(high)
        self.whole.append(whole)
        return len(self.worth) - 1

    def row(self, terms: dict[int, float], low: float = -INFINITE, high: float = INFINITE) -> None:
        """Add low ≤ Σ factor × variable ≤ high."""
        self.rows.append((low, high, list(terms), list(terms.values())))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a solver found: ``x`` of the best solution (None: none), and what no solution is worth more than.

    ``is_closed``: the search ended by itself, so that ``x`` is a best one, or there is none at all.
    """

    x: Floats | None
    bound: float
    is_closed: bool
