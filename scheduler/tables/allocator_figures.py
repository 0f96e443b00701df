"""The allocator's measured figures and targets as rows to write."""

from collections.abc import Sequence
from decimal import Decimal

from scheduler.domain.allocation.measured import SPREAD, Spread
from scheduler.services.measure_allocator.targets import Target

FIGURE_COLUMNS = ("part", "case", "measure", "unit", "count", *SPREAD)
TARGET_COLUMNS = ("part", "case", "measure", "figure", "aim", "reached", "met")


def figure_rows(rows: Sequence[Spread]) -> list[dict[str, object]]:
    """One row a figure, its spread to six digits."""
    return [
        {name: _digits(getattr(row, name)) if name in SPREAD else getattr(row, name) for name in FIGURE_COLUMNS}
        for row in rows
    ]


def target_rows(targets: Sequence[Target]) -> list[dict[str, object]]:
    """One row an aim: what it is, what was reached, and whether that meets it."""
    return [
        {
            "part": target.aim.part,
            "case": target.aim.case,
            "measure": target.aim.measure,
            "figure": target.aim.figure,
            "aim": f"{'≥' if target.aim.at_least else '≤'} {target.aim.limit:g}",
            "reached": _digits(target.reached),
            "met": target.met,
        }
        for target in targets
    ]


def _digits(value: float) -> Decimal:
    return Decimal(f"{value:.6g}")
