"""The allocator's measured figures and targets as rows to write."""

from collections.abc import Sequence
from decimal import Decimal

from scheduler.services.measure_allocator.rows import Row
from scheduler.services.measure_allocator.targets import Target

FIGURE_COLUMNS = ("part", "case", "measure", "unit", "count", "mean", "least", "p10", "median", "p90", "most")
TARGET_COLUMNS = ("part", "case", "measure", "figure", "aim", "reached", "met")
SPREAD = ("mean", "least", "p10", "median", "p90", "most")


def figure_rows(rows: Sequence[Row]) -> list[dict[str, object]]:
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
