"""Prices of the steps: what jobs gain at them, and what an order by gains is good for."""

from dataclasses import replace

import numpy as np
import pytest

from scheduler.domain.allocation.bound import certified_bound
from scheduler.domain.allocation.families import SMALL, load
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.fast.prices import find_gains, market_for, open_market
from scheduler.domain.allocation.fast.question import question_of
from scheduler.domain.allocation.figures import figures_of
from scheduler.domain.allocation.instance import BatchJob, Instance, Mode, Objective

pytestmark = pytest.mark.timeout(900)  # whoever comes first compiles the kernels


def gains(instance: Instance, rounds: int) -> list[float]:
    """What each waiting job gains per GPU, in units of the greatest priority."""
    question, _ = question_of(instance)
    market, found = market_for(question.batch), np.zeros(len(question.batch.jobs) + 1)
    market.room[:] = instance.gpus
    open_market(question.batch, market, np.empty((2, len(question.batch.modes)), np.int64))
    find_gains(question.batch, question.elastic, market, rounds, found)
    return [float(gain) for gain in found[:-1]]


@pytest.mark.parametrize("family", SMALL)
def test_without_a_price_a_job_gains_what_it_earns_from_its_arrival_on(family: str) -> None:
    instance = SMALL[family](0)
    unit = max(job.priority for job in instance.jobs)
    alone = []
    for _, job in instance.batch:
        if isinstance(job, BatchJob):
            paid = [
                mode.paid_share * sum(instance.weights[job.arrival : job.arrival + mode.steps]) for mode in job.modes
            ]
            alone.append(job.priority / unit * max(paid))
    assert gains(instance, 0) == pytest.approx(alone)


def test_prices_leave_less_to_those_who_want_what_all_want_and_cost_nothing_where_all_find_room() -> None:
    wide = BatchJob("a", "training", 1, 0, (Mode(4, 2),))
    jobs = (wide, *(replace(wide, id=name) for name in "bcdefgh"))
    crowded = Instance(4, 4, jobs, Objective(half_life_steps=None))
    roomy = replace(crowded, gpus=32)
    assert max(gains(crowded, 40)) < 1.5
    assert gains(roomy, 40) == pytest.approx([2.0] * 8)


@pytest.mark.parametrize(("seed", "share"), [(0, 0.1), (1, 0.14)])
def test_orders_at_prices_bring_a_large_fleet_near_its_bound_without_a_search(seed: int, share: float) -> None:
    instance = load(seed, gpus=256, jobs=100, steps=(24, 96)[seed])
    bound, value = certified_bound(instance).value, figures_of(instance, fast_grid(instance, iterations=0)).value
    assert value > (1 - share) * bound
