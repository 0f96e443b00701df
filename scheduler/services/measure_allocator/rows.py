"""Figures from the values behind them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from scheduler.domain.allocation.measured import Spread

SHARE, MS, SECONDS, POINTS, COUNT, MIB = "share", "ms", "s", "points", "count", "MiB"


def row(part: str, case: str, measure: str, unit: str, values: Iterable[float]) -> Spread:
    """The spread of ``values``, quantiles linear in between.

    Raises:
        ValueError: there are none.
    """
    known = np.asarray(list(values), dtype=float)
    if not known.size:
        raise ValueError(f"{part}, {case}: no value behind {measure}")
    p10, median, p90 = np.quantile(known, (0.1, 0.5, 0.9))
    figures = (known.mean(), known.min(), p10, median, p90, known.max())
    return Spread(part, case, measure, unit, known.size, *(float(figure) for figure in figures))


@dataclass(slots=True)
class Tally:
    """Values as they come, by case and measure, in the order of their first."""

    part: str
    values: dict[tuple[str, str, str], list[float]]

    @classmethod
    def of(cls, part: str) -> "Tally":
        """An empty one."""
        return cls(part, {})

    def add(self, case: str, measure: str, unit: str, value: float) -> None:
        """One more value."""
        self.values.setdefault((case, measure, unit), []).append(value)

    def rows(self) -> Iterator[Spread]:
        """A row for each case and measure."""
        for (case, measure, unit), values in self.values.items():
            yield row(self.part, case, measure, unit, values)
