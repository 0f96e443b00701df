"""A grid held against the rules, and the figures that came with it against the grid."""

from collections.abc import Mapping
from dataclasses import asdict
from math import isclose
from typing import Any

from scheduler.domain.allocation.figures import figures_of
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.legality import violations
from scheduler.domain.allocation.outcome import IllegalResult, grid_of


def verdict(*, instance: Instance, result: Mapping[str, object]) -> dict[str, Any]:
    """Whether a result's grid is legal, each violation, and the figures of a legal one.

    ``differences``: a sentence for each figure that the result states otherwise than its grid has it.
    """
    try:
        grid = grid_of(instance, result)
    except IllegalResult as illegal:
        return _illegal([{"kind": "result", "sentence": str(illegal), "job": None, "step": None, "gpu": None}])
    found = violations(instance, grid)
    if found:
        return _illegal([asdict(one) for one in found])
    counted = figures_of(instance, grid)
    figures = asdict(counted) | {"value": counted.value}
    return {"legal": True, "violations": [], **figures, "differences": _differences(figures, result)}


def _illegal(found: list[dict[str, object]]) -> dict[str, Any]:
    return {"legal": False, "violations": found, "differences": []}


def _differences(figures: Mapping[str, float], result: Mapping[str, object]) -> list[str]:
    return [
        f'The result says "{name}" is {result[name]!r}, and its grid has {counted!r}.'
        for name, counted in figures.items()
        if name in result and not _same(result[name], counted)
    ]


def _same(stated: object, counted: float) -> bool:
    if not isinstance(stated, int | float) or isinstance(stated, bool):
        return False
    return isclose(stated, counted, rel_tol=1e-9, abs_tol=1e-9)
