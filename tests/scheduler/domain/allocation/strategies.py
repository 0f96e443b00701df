"""Random legal scenarios of every kind, and the instances they are read as."""

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.scenario import IllegalScenario, instance_of

Scenario = dict[str, Any]
BATCH = st.sampled_from(["training", "batch_inference", "quantization"])
PRIORITIES = st.integers(1, 9) | st.sampled_from([0.25, 0.5, 1.5, 3.75])
OBJECTIVES = st.fixed_dictionaries(
    {},
    optional={
        "half_life_steps": st.none() | st.sampled_from([0.5, 1, 3, 12.5]),
        "realtime_penalty": st.sampled_from([5, 6.5, 8, 10]),
        "realtime": st.sampled_from(["weighted", "guaranteed"]),
    },
)


@st.composite
def scenarios(
    draw: st.DrawFn, gpus: int = 9, steps: int = 8, batch: int = 6, realtime: int = 3, any_floors: bool = False
) -> Scenario:
    """A legal scenario of at most so many GPUs, steps, batch-like and real-time jobs.

    Running jobs (aligned or not), moldable ones, arrivals and latest ends in and beyond the horizon, demand of 0 and
    beyond the GPUs, swap caps of 0, floors, nodes, both kinds of blocks, decay or none, real-time guaranteed or not.
    With ``any_floors`` it is legal but for floors that may not hold.
    """
    scenario: Scenario = {"gpus": draw(st.integers(1, gpus)), "steps": draw(st.integers(1, steps))}
    scenario["blocks"] = draw(st.sampled_from(["aligned", "contiguous"]))
    if draw(st.booleans()):
        scenario["nodes"] = draw(_nodes(scenario["gpus"]))
    scenario["objective"] = draw(OBJECTIVES)
    if draw(st.booleans()):
        scenario["step_minutes"] = draw(st.sampled_from([1, 15, 60, 0.5]))
    free = set(range(scenario["gpus"]))
    jobs = [draw(_batch_job(scenario, free)) for _ in range(draw(st.integers(0, batch)))]
    jobs += [draw(_realtime_job(scenario, free)) for _ in range(draw(st.integers(0, realtime)))]
    order = draw(st.permutations(jobs))
    scenario["jobs"] = [{"id": f"j{place}"} | job for place, job in enumerate(order)]
    return scenario if any_floors else _with_floors_that_hold(scenario)


def instances(gpus: int = 9, steps: int = 8, batch: int = 6, realtime: int = 3) -> st.SearchStrategy[Instance]:
    """What ``scenarios`` are read as."""
    return scenarios(gpus, steps, batch, realtime).map(instance_of)


def tiny_instances() -> st.SearchStrategy[Instance]:
    """Instances that brute force can solve (``tests…brute.optimum``)."""
    return instances(gpus=4, steps=4, batch=3, realtime=1) | instances(gpus=3, steps=3, batch=2, realtime=2)


def _nodes(gpus: int) -> st.SearchStrategy[list[int]]:
    """Nodes that add up: equal ones where they do, cut at random elsewhere."""
    equal = [[size] * (gpus // size) for size in range(1, gpus + 1) if gpus % size == 0]
    cuts = st.sets(st.integers(1, gpus), max_size=3).map(lambda cut: sorted({0, gpus} | cut))
    return st.sampled_from(equal) | cuts.map(lambda at: [high - low for low, high in pairwise(at)])


def _places(scenario: Scenario) -> list[int]:
    """Powers of two that have a place on the nodes, told by looking at every node."""
    nodes = scenario.get("nodes", [scenario["gpus"]])
    found = []
    for size in (1, 2, 4, 8, 16, 32, 64):
        inside = any(size <= node for node in nodes)
        whole = any(
            set(nodes[at : at + size // node]) == {node} and at + size // node <= len(nodes)
            for at, node in enumerate(nodes)
            if size % node == 0
        )
        found += [size] if inside or whole else []
    return found


@st.composite
def _batch_job(draw: st.DrawFn, scenario: Scenario, free: set[int]) -> Scenario:
    horizon = scenario["steps"]
    lengths = st.integers(1, horizon + 2)
    job: Scenario = {"type": draw(BATCH), "priority": draw(PRIORITIES)}
    sizes = st.dictionaries(st.sampled_from(_places(scenario)), lengths, min_size=1, max_size=3)
    fits = [(first, size) for size in (1, 2, 4, 8) for first in free if free.issuperset(range(first, first + size))]
    if fits and draw(st.integers(0, 3)) == 0:
        first, size = draw(st.sampled_from(fits))
        free.difference_update(range(first, first + size))
        job["running"] = {"first_gpu": first, "gpus": size, "remaining": draw(lengths)}
        if draw(st.booleans()):
            job["sizes"] = {str(one): steps for one, steps in draw(sizes).items()}
        if draw(st.booleans()):
            job["latest_end"] = job["running"]["remaining"] + draw(st.integers(0, 2))
        return job
    job["arrival"] = draw(st.just(0) | st.integers(0, horizon + 1))
    job["sizes"] = {str(one): steps for one, steps in draw(sizes).items()}
    if draw(st.integers(0, 2)) == 0:
        job["latest_end"] = draw(st.integers(0, horizon + 2))
    return job


@st.composite
def _realtime_job(draw: st.DrawFn, scenario: Scenario, free: set[int]) -> Scenario:
    gpus, horizon = scenario["gpus"], scenario["steps"]
    most = draw(st.sampled_from([0, 1, max(1, gpus // 2), gpus, gpus + 2]))
    job: Scenario = {
        "type": "realtime",
        "priority": draw(PRIORITIES),
        "demand": draw(st.lists(st.integers(0, most), min_size=horizon, max_size=horizon)),
        "swap_cap": draw(st.sampled_from([0, 1, 1, 2, 3, gpus * 2])),
    }
    if draw(st.integers(0, 2)) == 0:
        held = draw(st.lists(st.sampled_from(sorted(free)), unique=True)) if free else []
        free.difference_update(held)
        job["running"] = {"gpus": held}
    if draw(st.integers(0, 2)) == 0:
        each = st.integers(0, max(1, gpus // 2))
        job["floor"] = draw(each | st.lists(each, min_size=horizon, max_size=horizon))
    return job


def _with_floors_that_hold(scenario: Scenario) -> Scenario:
    """The scenario without the floors that do not fit (what fits is tested by itself, by brute force)."""
    for job in [None, *scenario["jobs"]]:
        if job is not None:
            job.pop("floor", None)
        try:
            instance_of(scenario)
        except IllegalScenario as illegal:
            if '"floor"' not in str(illegal):
                raise
        else:
            return scenario
    raise AssertionError("a scenario without floors was refused")
