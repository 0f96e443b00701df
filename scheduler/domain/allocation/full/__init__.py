"""Full mode: an exact model of counts per step, packed onto GPUs, with a proof of how far it is from the best."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import Instance

if TYPE_CHECKING:
    from scheduler.domain.allocation.full.plan import FullPlan

Report = Callable[[str, float, float], None]
"""Called with what has just been done, the bound and the value known by then."""


def full_plan(
    instance: Instance,
    warm: Grid,
    *,
    left: Callable[[], float],
    seed: int = 0,
    report: Report | None = None,
) -> "FullPlan":
    """The best plan found from the legal grid ``warm`` on, until it is proved or no seconds are ``left()``.

    Never worse than ``warm``. Runs on one thread besides the caller's at most; nothing is printed.
    """
    from scheduler.domain.allocation.full.plan import planned  # solvers are loaded by whoever plans, not before

    return planned(instance, warm, left, seed, report or (lambda phase, bound, value: None))
