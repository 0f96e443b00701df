"""The plans of one scenario as they are drawn: lanes where every GPU has room for one, else nodes and jobs."""

from collections.abc import Sequence
from dataclasses import dataclass

from scheduler.charts.lanes import Lanes, has_lanes, lanes, unmet_by_step
from scheduler.charts.overview import JobRow, Use, job_rows, use_rows
from scheduler.charts.price_strip import PriceBar, price_strip
from scheduler.charts.steps_axis import Tick, ticks
from scheduler.services.compared_plans import ComparedPlans, Plan
from scheduler.tables.allocation.jobs import job_lines
from scheduler.tables.allocation.modes import ModeLine, mode_lines
from scheduler.tables.allocation.words import prices_told, unmet_told


@dataclass(frozen=True, slots=True)
class DrawnPlan:
    """One plan: its line of figures and its lanes, or its use by node where there are too many GPUs for lanes."""

    line: ModeLine
    lanes: Lanes | None
    use: Use | None
    unmet: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """All plans over one axis; ``jobs``: a Gantt chart of some jobs, where there are no lanes."""

    plans: tuple[DrawnPlan, ...]
    axis: tuple[Tick, ...]
    prices: tuple[PriceBar, ...]
    unmet: bool
    kinds: tuple[str, ...]
    inherited: bool
    spare: bool
    goes_on: bool

    @property
    def has_lanes(self) -> bool:
        """Whether every GPU has its lane."""
        return self.plans[0].lanes is not None


def drawing(found: ComparedPlans) -> Drawing:
    """Every plan as shapes."""
    instance = found.instance
    drawn = tuple(_plan(found, plan, line) for plan, line in zip(found.plans, mode_lines(found), strict=True))
    jobs = [job for one in drawn if one.lanes for job in one.lanes.jobs]
    looks = {piece.look for job in jobs for piece in job.pieces}
    return Drawing(
        plans=drawn,
        axis=ticks(instance.steps, instance.step_minutes),
        prices=price_strip(found.prices, prices_told(found)) if has_lanes(instance) else (),
        unmet=any(one.unmet for one in drawn),
        kinds=tuple(kind for kind in _KINDS if any(_kind(job) == kind for job in instance.jobs)),
        inherited="inherited" in looks,
        spare="spare" in looks,
        goes_on=any(piece.goes_on for job in jobs for piece in job.pieces),
    )


def gantt(found: ComparedPlans, plan: Plan, jobs: Sequence[int]) -> tuple[JobRow, ...]:
    """Some jobs of a plan, a row each."""
    told = [line.told for line in job_lines(found, plan, jobs, reasoned=False)]
    return job_rows(found.instance, plan.grid, jobs, told)


def _plan(found: ComparedPlans, plan: Plan, line: ModeLine) -> DrawnPlan:
    instance, unmet = found.instance, plan.figures.unmet_gpu_steps > 0
    if not has_lanes(instance):
        return DrawnPlan(line, None, use_rows(instance, plan.grid), unmet)
    told = [one.told for one in job_lines(found, plan, reasoned=False)]
    short = unmet_told(instance, unmet_by_step(instance, plan.grid))
    return DrawnPlan(line, lanes(instance, plan.grid, told, short), None, unmet)


_KINDS = ("training", "batch_inference", "quantization", "realtime")


def _kind(job: object) -> str:
    return getattr(job, "type", "realtime")
