"""A file of the allocator's benchmark, as small as one can be that fills the page."""

from typing import Any


def _figure(part: str, case: str, measure: str, unit: str, *spread: float) -> dict[str, object]:
    names = ("mean", "least", "p10", "median", "p90", "most")
    return {"part": part, "case": case, "measure": measure, "unit": unit, "count": 20} | dict(
        zip(names, spread, strict=True)
    )


FILE: dict[str, Any] = {
    "about": {"machine": "2 cores"},
    "figures": [
        _figure("small", "mixed", "fast: gap to the bound", "share", 0.002, 0.0, 0.0, 0.001, 0.006, 0.03),
        _figure("small", "training_heavy", "fast: gap to the bound", "share", 0.004, 0.0, 0.0, 0.002, 0.011, 0.2),
        _figure("small", "mixed", "fast: time", "ms", 0.8, 0.5, 0.6, 0.75, 1.1, 2.0),
        _figure("orders", "mixed", "value over FIFO", "share", 0.33, 0.02, 0.14, 0.31, 0.55, 1.9),
        _figure("orders", "training_heavy", "value over FIFO", "share", 0.9, 0.2, 0.47, 0.76, 1.6, 5.0),
        _figure("orders", "mixed", "utilization over FIFO", "points", 11.0, -2.0, 4.0, 10.5, 19.0, 30.0),
    ],
    "targets": [
        {"part": "small", "case": "mixed", "measure": "fast: gap to the bound", "figure": "mean", "aim": "≤ 0.004",
         "reached": 0.0031, "met": True},
        {"part": "small", "case": "mixed", "measure": "fast: time", "figure": "p90", "aim": "≤ 1", "reached": 1.3,
         "met": False},
    ],
}  # fmt: skip
