"""What must be true of the best grid of tiny instances, told by brute force."""

from dataclasses import replace
from itertools import product

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scheduler.domain.allocation.baselines import easy_backfill_grid, priority_calendar_grid, strict_fifo_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.figures import figures_of, rank_of
from scheduler.domain.allocation.instance import Instance, Objective, RealtimeJob
from scheduler.domain.allocation.legality import violations
from tests.scheduler.domain.allocation import brute
from tests.scheduler.domain.allocation.strategies import tiny_instances

ROUNDING = 1e-9


def best(instance: Instance) -> brute.Rank:
    """The rank of the best grid; every legal instance has one."""
    found = brute.optimum(instance)
    assert found is not None
    return found[0]


def at_least(rank: brute.Rank, other: brute.Rank) -> bool:
    """Whether a rank is no lower than another, but for rounding."""
    for mine, its in zip(rank, other, strict=True):
        if abs(mine - its) > ROUNDING * max(1, abs(its)):
            return mine > its
    return True


@given(tiny_instances())
def test_the_best_grid_is_legal_and_worth_what_brute_force_says(instance: Instance) -> None:
    found = brute.optimum(instance)
    assert found is not None
    rank, grid = found
    assert violations(instance, grid) == []
    mine = rank_of(instance, figures_of(instance, grid))
    assert at_least(mine, rank)
    assert at_least(rank, mine)


@given(tiny_instances())
def test_no_baseline_beats_the_best_grid(instance: Instance) -> None:
    rank = best(instance)
    for baseline in (fifo_grid, strict_fifo_grid, priority_calendar_grid, easy_backfill_grid):
        assert at_least(rank, rank_of(instance, figures_of(instance, baseline(instance))))


@settings(max_examples=60)
@given(tiny_instances())
def test_a_gpu_more_never_lowers_the_optimum(instance: Instance) -> None:
    nodes = (*instance.nodes, 1) if instance.nodes else ()
    assert at_least(best(replace(instance, gpus=instance.gpus + 1, nodes=nodes)), best(instance))


@settings(max_examples=60)
@given(tiny_instances(), st.data())
def test_a_demand_less_never_lowers_the_optimum(instance: Instance, data: st.DataObject) -> None:
    # What it may hold at once stays the same: that is bound to the largest demand, and one GPU held beyond the
    # demand can be what lets a job change GPUs under a swap cap of 1.
    assume(instance.realtime)
    at, job = data.draw(st.sampled_from(instance.realtime))
    steps = [step for step, asked in enumerate(job.demand) if asked > 0]
    assume(steps)
    step = data.draw(st.sampled_from(steps))
    lower = replace(job, demand=(*job.demand[:step], job.demand[step] - 1, *job.demand[step + 1 :]))
    assume(lower.most == job.most)
    jobs = (*instance.jobs[:at], lower, *instance.jobs[at + 1 :])
    assert at_least(best(replace(instance, jobs=jobs)), best(instance))


@given(tiny_instances())
def test_the_least_shortfall_of_guaranteed_work_is_never_above_that_of_weighted(instance: Instance) -> None:
    def shortfall(realtime: str) -> float:
        asked = replace(instance, objective=replace(instance.objective, realtime=realtime))
        found = brute.optimum(asked)
        assert found is not None
        return figures_of(asked, found[1]).weighted_shortfall

    assert shortfall("guaranteed") <= shortfall("weighted") + ROUNDING


def test_holding_more_than_demanded_lets_a_swap_cap_of_1_change_gpus() -> None:
    """The bound of what is held to the largest demand is why the demand of the test above keeps its peak."""
    running = RealtimeJob("r", 1.0, (1, 1, 1), 1, (1, 1, 1), frozenset({0}))
    spare = replace(running, demand=(2, 1, 1))
    change = (frozenset({0, 1}), frozenset({1}), frozenset({1}))
    assert change not in _ways(running)
    assert change in _ways(spare)


def _ways(job: RealtimeJob) -> list[brute.Sets]:
    subsets = [frozenset(gpus) for gpus in ((), (0,), (1,), (0, 1))]
    instance = Instance(gpus=2, steps=3, jobs=(job,), objective=Objective(half_life_steps=None))
    return [sets for sets in product(subsets, repeat=3) if brute.realtime_is_legal(instance, job, sets)]
