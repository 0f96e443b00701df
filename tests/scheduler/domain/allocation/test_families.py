"""Seeded instances: the same for a seed, different between seeds, legal, and as loaded as they claim to be."""

import pytest

from scheduler.domain.allocation.families import (
    CONTENDED,
    FAMILIES,
    SMALL,
    UNCONTENDED,
    load,
    scale,
    shuffled_arrivals,
)
from scheduler.domain.allocation.oddities import odd_instance
from scheduler.domain.allocation.scenario import instance_of, scenario_of

JOBS = {
    "mixed": (8, 10), "realtime_contention": (8, 8), "training_heavy": (8, 16), "fragmentation": (8, 14),
    "priority_inversion": (8, 13), "scale": (64, 30),
}  # fmt: skip


@pytest.mark.parametrize("name", FAMILIES)
def test_a_family_is_as_large_as_it_says_and_legal(name):
    for seed in range(30):
        instance = FAMILIES[name](seed)
        assert (instance.gpus, len(instance.jobs)) == JOBS[name]
        assert instance.steps == 24
        assert instance_of(scenario_of(instance)) == instance


@pytest.mark.parametrize("name", FAMILIES)
def test_a_seed_names_one_instance(name):
    assert FAMILIES[name](7) == FAMILIES[name](7)
    assert len({repr(FAMILIES[name](seed).jobs) for seed in range(50)}) == 50


@pytest.mark.parametrize(("gpus", "jobs", "steps"), [(64, 30, 24), (256, 100, 24), (1_024, 500, 168)])
def test_a_load_asks_for_about_as_much_as_it_says(gpus, jobs, steps):
    offered = [_offered(load(seed, gpus=gpus, jobs=jobs, steps=steps)) for seed in range(12)]
    assert sum(offered) / len(offered) == pytest.approx(CONTENDED, rel=0.15)
    calm = [_offered(scale(seed)) for seed in range(40)]
    assert sum(calm) / len(calm) == pytest.approx(UNCONTENDED, rel=0.2)


def test_other_arrival_orders_hold_the_same_jobs():
    for family in SMALL.values():
        instance = family(3)
        orders = [shuffled_arrivals(instance, seed) for seed in range(20)]
        assert all(sorted(map(repr, one.jobs)) == sorted(map(repr, instance.jobs)) for one in orders)
        assert len({tuple(job.id for job in one.jobs) for one in orders}) > 15


def test_odd_instances_hold_every_kind_that_the_rules_allow():
    instances = [odd_instance(seed) for seed in range(400)]
    batch = [job for one in instances for _, job in one.batch]
    elastic = [job for one in instances for _, job in one.realtime]
    assert any(job.running for job in batch)
    assert any(job.running and job.running.first_gpu % job.running.gpus for job in batch), "misaligned"
    assert any(len(job.modes) > 1 for job in batch)
    assert any(job.latest_end is not None for job in batch)
    assert any(job.arrival >= one.steps for one in instances for _, job in one.batch)
    assert any(job.swap_cap == 0 for job in elastic)
    assert any(job.inherited == frozenset() for job in elastic)
    assert any(job.inherited for job in elastic)
    assert any(any(job.floor) for job in elastic)
    assert any(max(job.demand) > one.gpus for one in instances for _, job in one.realtime)
    assert {one.blocks for one in instances} == {"aligned", "contiguous"}
    assert {one.objective.realtime for one in instances} == {"weighted", "guaranteed"}
    assert any(one.objective.half_life_steps is None for one in instances)
    assert any(one.nodes for one in instances)
    assert any(one.steps == 1 for one in instances)
    assert odd_instance(5) == odd_instance(5)


def _offered(instance):
    batch = sum(mode.gpus * mode.steps for _, job in instance.batch for mode in job.modes)
    return (batch + sum(sum(job.demand) for _, job in instance.realtime)) / (instance.gpus * instance.steps)
