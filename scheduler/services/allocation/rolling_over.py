"""A scenario lived through: planned anew on each arrival, and what knowing all of it would have been worth."""

from collections.abc import Callable, Mapping
from time import monotonic, perf_counter

from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.outcome import outcome_of
from scheduler.domain.allocation.rolling import regret, rolled
from scheduler.domain.allocation.scenario import instance_of, warnings_of
from scheduler.services.allocation.answering import (
    AllocationAnswer,
    AllocationAsked,
    planned,
    until,
    verified,
    warm_up_allocator,
)


def rolling_answer(
    *, scenario: Mapping[str, object], asked: AllocationAsked, advance: Callable[[int, int], None] | None = None
) -> AllocationAnswer:
    """The grid that comes about when a scenario's jobs are unknown until they arrive.

    Each plan is made in the mode asked for, and so is the clairvoyant one it is held against; full mode's time limit
    is shared among them. ``advance`` is told how many plans were made, and of how many. ``latency_ms`` is that of all
    plans; each one's stands beside its step.
    """
    instance = instance_of(scenario)
    warm_up_allocator()
    moments = 2 + len({job.arrival for _, job in instance.batch if 0 < job.arrival < instance.steps})
    took: list[float] = []

    def planner(part: Instance) -> Grid:
        started = perf_counter()
        grid, _ = planned(part, asked, until(monotonic() + asked.time_limit_seconds / moments), None)
        took.append((perf_counter() - started) * 1000)
        verified(part, grid, asked.mode)
        if advance is not None:
            advance(len(took), moments)
        return grid

    came = rolled(instance, planner)
    plans = [{"step": step, "latency_ms": ms} for step, ms in zip(came.planned_at, took, strict=True)]
    verified(instance, came.grid, f"rolling {asked.mode}")
    latency_ms = sum(took)
    told = regret(instance, planner(instance), came.grid)
    result = outcome_of(instance, came.grid, mode=asked.mode, latency_ms=latency_ms)
    rolling = {
        "plans": plans,
        "clairvoyant_value": told.clairvoyant,
        "rolling_value": told.rolling,
        "regret": told.value,
    }
    more = {"seed": asked.seed, "warnings": list(warnings_of(instance)), "rolling": rolling}
    return AllocationAnswer(instance, came.grid, None, latency_ms, result | more)
