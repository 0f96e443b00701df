"""One question to the allocator, answered: every grid has passed the verifier before anybody sees it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from time import monotonic, perf_counter
from typing import Any, Literal

from scheduler.domain.allocation.bound import certified_bound
from scheduler.domain.allocation.fast import fast_grid, warm_up
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.full import Report, full_plan
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.legality import violations
from scheduler.domain.allocation.outcome import outcome_of
from scheduler.domain.allocation.reasons import reasons_of
from scheduler.domain.allocation.scenario import instance_of, warnings_of

Mode = Literal["fifo", "fast", "full"]
Left = Callable[[], float]


@dataclass(frozen=True, slots=True)
class AllocationAsked:
    """How a scenario is to be answered.

    ``iterations`` None: what fast mode deems right. ``certificate``: also how far from the best possible the grid is;
    full mode tells it always. ``reasons``: also why each job starts no sooner. ``time_limit_seconds`` is for full mode
    alone.
    """

    mode: Mode = "fast"
    seed: int = 0
    iterations: int | None = None
    certificate: bool = False
    reasons: bool = False
    time_limit_seconds: float = 30.0


@dataclass(frozen=True)
class AllocationAnswer:
    """A legal grid, the bound where it was asked for, and the result as files and programs have it."""

    instance: Instance
    grid: Grid
    bound: float | None
    latency_ms: float
    result: dict[str, Any]


SMALL: dict[str, object] = {
    "gpus": 2,
    "steps": 2,
    "jobs": [
        {"id": "a", "type": "training", "priority": 1, "arrival": 0, "sizes": {"1": 1}},
        {"id": "b", "type": "realtime", "priority": 1, "demand": [1, 1], "swap_cap": 1},
    ],
}
"""Enough to compile the bound on."""


class IllegalGrid(RuntimeError):
    """A mode gave a grid that the verifier refuses: a fault of Moorage, never of who asked."""


@cache
def warm_up_allocator() -> None:
    """Compile what is compiled, or load it from where it is kept, once a process: never while somebody waits."""
    warm_up()
    certified_bound(instance_of(SMALL))


def allocation_answer(
    *,
    scenario: Mapping[str, object],
    asked: AllocationAsked | None = None,
    left: Left | None = None,
    report: Report | None = None,
) -> AllocationAnswer:
    """The answer to a scenario; IllegalScenario says in one sentence which job and field can't be meant.

    ``left`` gives the seconds that full mode still has (else its time limit, from now on), ``report`` is told how far
    it is.
    """
    return allocation_answer_of(instance=instance_of(scenario), asked=asked, left=left, report=report)


def allocation_answer_of(
    *, instance: Instance, asked: AllocationAsked | None = None, left: Left | None = None, report: Report | None = None
) -> AllocationAnswer:
    """The answer to a scenario that was read already."""
    asked = asked or AllocationAsked()
    warm_up_allocator()
    left = left or until(monotonic() + asked.time_limit_seconds)
    started = perf_counter()
    grid, bound = planned(instance, asked, left, report)
    latency_ms = (perf_counter() - started) * 1000
    verified(instance, grid, asked.mode)
    if bound is None and asked.certificate:
        bound = certified_bound(instance).value
    reasons = reasons_by_job(instance, grid) if asked.reasons else None
    result = outcome_of(instance, grid, mode=asked.mode, bound=bound, latency_ms=latency_ms, reasons=reasons)
    more = {"seed": asked.seed, "warnings": list(warnings_of(instance))}
    return AllocationAnswer(instance, grid, bound, latency_ms, result | more)


def reasons_by_job(instance: Instance, grid: Grid) -> dict[str, str]:
    """Why each job starts no sooner, in one sentence, by its id."""
    return {reason.job: reason.sentence for reason in reasons_of(instance, grid)}


def verified(instance: Instance, grid: Grid, mode: str) -> None:
    """IllegalGrid where the verifier finds anything."""
    if found := violations(instance, grid):
        raise IllegalGrid(f"{mode} mode gave an illegal grid: {found[0].sentence}")


def planned(instance: Instance, asked: AllocationAsked, left: Left, report: Report | None) -> tuple[Grid, float | None]:
    """The grid of the mode asked for, and the bound that full mode brings along; nobody has verified it yet."""
    if asked.mode == "fifo":
        return fifo_grid(instance), None
    grid = fast_grid(instance, seed=asked.seed, iterations=asked.iterations)
    if asked.mode == "fast":
        return grid, None
    plan = full_plan(instance, grid, left=left, seed=asked.seed, report=report)
    return plan.grid, plan.bound


def until(deadline: float) -> Left:
    """The seconds that are left until an instant of the monotonic clock."""
    return lambda: max(0.0, deadline - monotonic())
