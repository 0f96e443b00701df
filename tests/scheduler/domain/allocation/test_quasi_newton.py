"""The descent of long horizons: never above where it began, within its evaluations, and down to what is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler.domain.allocation import descent as descents
from scheduler.domain.allocation.bound import certified_bound
from scheduler.domain.allocation.descent import bounded
from scheduler.domain.allocation.families import load
from scheduler.domain.allocation.instance import BatchJob, Instance, Mode, Objective
from scheduler.domain.allocation.market import market_of
from scheduler.domain.allocation.quasi_newton import Descent, adapted, bent
from tests.scheduler.domain.allocation.strategies import instances


@given(instances(), st.integers(3, 60), st.sampled_from([0.0, 0.5, 0.9]))
def test_a_descent_never_ends_above_its_beginning(instance: Instance, evaluations: int, memory: float) -> None:
    market, _ = market_of(instance)
    begun = np.full(instance.steps, 2.0)
    descent = Descent(market, 1.0, begun, evaluations)
    adapted(descent, evaluations // 2, memory)
    bent(descent)
    assert descent.evaluations >= -1  # the first look at a place is always had
    assert descent.least <= bounded(market, 1.0, begun)[0]
    assert bounded(market, 1.0, descent.prices)[0] == descent.least
    assert descent.prices.min() >= 0
    assert descent.prices.max() <= max(2.0, descent.roof)


def crowded_at_last(steps: int, gpus: int) -> tuple[Instance, float]:
    """Nothing to do for half the time, then at each step twice as many jobs as GPUs, now or never; and the best."""
    jobs, best = [], 0.0
    for step in range(steps // 2, steps):
        priorities = [1.0 + (7 * step + 3 * at) % 5 + at / gpus for at in range(2 * gpus)]
        best += sum(sorted(priorities)[gpus:])
        jobs += [
            BatchJob(f"{step}-{at}", "training", priority, step, (Mode(1, 1),), latest_end=step + 1)
            for at, priority in enumerate(priorities)
        ]
    return Instance(gpus, steps, tuple(jobs), Objective(half_life_steps=None)), best


def test_the_bound_finds_prices_that_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    instance, best = crowded_at_last(200, 8)
    monkeypatch.setattr(descents, "MUCH", 0)
    bound = certified_bound(instance)
    assert best <= bound.value <= best * 1.001
    assert sum(bound.prices[:100]) <= 0.01 * sum(bound.prices)


def test_a_large_contended_fleet_is_bounded_closer_than_by_prices_that_follow_the_decay() -> None:
    instance = load(0, gpus=4096, jobs=1000, steps=168)
    market, constant = market_of(instance)
    level = bounded(market, 1.0, descents._level_prices(market, 1.0))[0] + constant
    assert certified_bound(instance).value < 0.99 * level


def test_on_a_long_horizon_the_last_steps_bring_the_bound_closer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance = load(0, gpus=448, jobs=3_000, steps=672)
    closer = certified_bound(instance).value
    monkeypatch.setattr(descents, "LONG", instance.steps)
    assert closer < certified_bound(instance).value
