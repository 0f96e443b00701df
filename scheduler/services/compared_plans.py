"""One scenario planned in every mode that is wanted, each plan held against the same bound."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from scheduler.domain.allocation.bound import certified_bound
from scheduler.domain.allocation.figures import Figures, Run, figures_of, runs_of
from scheduler.domain.allocation.grid import Grid
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.outcome import gap_share_of, grid_of, is_proved
from scheduler.domain.allocation.scenario import warnings_of
from scheduler.services.allocation import AllocationAsked, allocation_answer_of

FIFO, FAST, FULL = "fifo", "fast", "full"


@dataclass(frozen=True)
class Plan:
    """A legal grid and what it is worth; ``bound`` is on the value, ``latency_ms`` None where nobody measured it."""

    mode: str
    instance: Instance
    grid: Grid
    bound: float
    latency_ms: float | None = None

    @cached_property
    def figures(self) -> Figures:
        """What it is worth and what it holds."""
        return figures_of(self.instance, self.grid)

    @cached_property
    def runs(self) -> Mapping[int, Run]:
        """Where each placed job that holds a block stands, by its index."""
        return runs_of(self.instance, self.grid)

    @property
    def gap_share(self) -> float | None:
        """How much of the best possible is missing at most; None where that is 0."""
        return gap_share_of(self.figures.objective, self.bound)

    @property
    def proved(self) -> bool:
        """Whether nothing better can exist."""
        return is_proved(self.figures.objective, self.bound)


@dataclass(frozen=True)
class ComparedPlans:
    """The plans of one instance, FIFO's first and the best thought out last; ``prices``: of a GPU, one a step."""

    instance: Instance
    plans: tuple[Plan, ...]
    prices: tuple[float, ...]
    warnings: tuple[str, ...]

    @property
    def by_mode(self) -> dict[str, Plan]:
        """The plans by their mode."""
        return {plan.mode: plan for plan in self.plans}

    @property
    def best(self) -> Plan:
        """Of the plans that were thought out, the last."""
        return self.plans[-1]


def compared_plans(*, instance: Instance, seed: int = 0, full: Mapping[str, object] | None = None) -> ComparedPlans:
    """FIFO and fast mode, worked out now, and full mode's plan where its result is at hand.

    Every plan is measured by the least bound known: the price bound, or full mode's own.
    """
    prices = certified_bound(instance)
    bound = prices.value
    told = full["bound"] if full else None
    if isinstance(told, int | float):
        bound = min(bound, float(told))
    plans = [_plan(instance, mode, seed, bound) for mode in (FIFO, FAST)]
    if full is not None:
        plans.append(Plan(FULL, instance, grid_of(instance, full), bound, _ms(full.get("latency_ms"))))
    return ComparedPlans(instance, tuple(plans), prices.prices, warnings_of(instance))


def _plan(instance: Instance, mode: str, seed: int, bound: float) -> Plan:
    answer = allocation_answer_of(instance=instance, asked=AllocationAsked(mode=mode, seed=seed))  # type: ignore[arg-type]
    return Plan(mode, instance, answer.grid, bound, answer.latency_ms)


def _ms(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
