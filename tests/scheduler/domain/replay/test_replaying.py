"""What a replay keeps to, whatever the month: each job once, GPU-hours that add up, grids that are legal."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.fifo import fifo_grid
from scheduler.domain.allocation.instance import Instance
from scheduler.domain.allocation.legality import violations
from scheduler.domain.policy import DEFAULT_REPLAY, ReplayPolicy
from scheduler.domain.replay.answer import MonthAsked, MonthReplayed, inputs_hash, month_replayed
from scheduler.domain.replay.rebuilding import rebuilt
from scheduler.domain.replay.rolling import month_instance, rolled_month
from scheduler.domain.replay.sizes import SizeReplay, packed_nodes, replayed_sizes, size_replay, sizes_around
from scheduler.domain.replay.work import ReplayWork, UnableToReplay
from telemetry.domain.recorded import Recorded
from tests.scheduler.domain.replay.months import month, recorded, stay

SMALL = ReplayPolicy(window_steps=6, iterations=20, around=2)
PLANNERS = {"fast": lambda instance: fast_grid(instance, iterations=20), "fifo": fifo_grid}
works = recorded().map(lambda told: rebuilt(told, Decimal("0.9"))).filter(lambda work: bool(work.hours))


@settings(deadline=None, max_examples=40)
@given(works, st.integers(1, 4), st.sampled_from([1, 2, 4, 6]), st.sampled_from(["fast", "fifo"]))
def test_what_came_about_is_legal_and_places_each_job_once(work: ReplayWork, nodes: int, gpus: int, by: str) -> None:
    instance = month_instance(work, nodes=nodes, gpus_per_node=gpus, policy=SMALL)
    grid = rolled_month(instance, PLANNERS[by], SMALL)
    assert violations(instance, grid) == []
    replay = size_replay(work, instance, grid)
    assert replay.completed + replay.continuing + replay.not_started == len(work.jobs)
    assert replay.done_gpu_hours + replay.left_gpu_hours + replay.not_started_gpu_hours == sum(
        job.used * job.steps for job in work.jobs
    )
    assert replay.too_large <= replay.not_started


@settings(deadline=None, max_examples=40)
@given(works, st.integers(1, 3))
def test_the_figures_are_those_that_cells_counted_one_by_one_give(work: ReplayWork, nodes: int) -> None:
    instance = month_instance(work, nodes=nodes, gpus_per_node=4, policy=SMALL)
    grid = rolled_month(instance, PLANNERS["fast"], SMALL)
    replay = size_replay(work, instance, grid)
    worth = {"serving": 4, "training": 2, "batch": 1, "": 1}
    value, waited, unmet = Fraction(0), 0, 0
    for at, job in enumerate(work.jobs):
        steps = [step for step in range(len(work.hours)) if (grid[:, step] == at).any()]
        value += worth[job.workload] * job.used * len(steps)
        waited += (steps[0] if steps else len(work.hours)) - job.arrival
    for step, needed in enumerate(work.realtime):
        held = int((grid[:, step] == len(work.jobs)).sum())
        unmet += max(0, needed - held)
    assert replay.value == pytest.approx(float(value - 8 * 4 * unmet))
    assert (replay.waiting_hours, replay.unmet_gpu_hours) == (waited, unmet)


@settings(deadline=None, max_examples=40)
@given(works)
def test_no_plan_knows_who_has_not_arrived(work: ReplayWork) -> None:
    instance = month_instance(work, nodes=2, gpus_per_node=4, policy=SMALL)
    sooner: list[set[str]] = []

    def planner(part: Instance) -> np.ndarray:
        sooner.append({job.id for _, job in part.batch})
        assert part.steps <= SMALL.window_steps
        return fifo_grid(part)

    steps = [0]
    rolled_month(instance, planner, SMALL, steps.append)
    arrivals = {job.id: job.arrival for job in work.jobs}
    for step, told in zip(steps, sooner, strict=False):
        assert all(arrivals[name] <= step for name in told)
    assert steps[-1] == len(work.hours)


@settings(deadline=None, max_examples=25)
@given(works, st.integers(1, 3))
def test_the_same_month_gives_the_same_figures_whichever_sizes_go_before(work: ReplayWork, current: int) -> None:
    sizes = sizes_around(current, SMALL)
    every = replayed_sizes(work, sizes, gpus_per_node=4, planner=PLANNERS["fast"], policy=SMALL)
    (now,) = replayed_sizes(work, [current], gpus_per_node=4, planner=PLANNERS["fast"], policy=SMALL)
    assert now == every[list(sizes).index(current)]


@given(st.lists(st.integers(-300, 300) | st.just(0), min_size=1, max_size=11), st.data())
def test_the_packed_size_is_the_smallest_that_is_worth_as_much(values: list[int], data: st.DataObject) -> None:
    current = data.draw(st.integers(0, len(values) - 1))
    sizes = [_worth(nodes, value) for nodes, value in enumerate(values)]
    found = packed_nodes(sizes, current=current, policy=DEFAULT_REPLAY)
    hundredfold = [100 * value for value in values]
    enough = hundredfold[current] - abs(values[current])
    assert found == next(nodes for nodes in range(len(values)) if hundredfold[nodes] >= enough)
    assert found <= current


def test_a_value_that_falls_short_by_just_the_tolerance_still_delivers() -> None:
    sizes = [_worth(1, 98.99), _worth(2, 99.0), _worth(3, 100.0)]
    assert packed_nodes(sizes, current=3, policy=DEFAULT_REPLAY) == 2
    sizes = [_worth(1, -101.01), _worth(2, -101.0), _worth(3, -100.0)]
    assert packed_nodes(sizes, current=3, policy=DEFAULT_REPLAY) == 2


def test_where_nothing_ran_no_node_delivers_as_much() -> None:
    told = answer(month(48, []), current=2)
    assert (told.packed, told.reason) == (0, "")
    assert [size.nodes for size in told.sizes] == [0, 1, 2, 3, 4]


def test_half_of_the_nodes_deliver_what_twice_as_many_did() -> None:
    pods = [*stay("a", range(48), 4), *stay("chat-0", range(48), 2, "serving")]
    told = answer(month(48, pods), current=4, policy=replace(SMALL, around=4))
    assert told.packed == 2
    assert [size.unmet_gpu_hours for size in told.sizes] == [96, 0, 0, 0, 0, 0, 0, 0, 0]
    one = told.sizes[1]
    assert (one.value, one.not_started_gpu_hours, one.waiting_hours) == (0.0, 192, 48)


def test_serving_that_no_size_below_serves_keeps_its_size() -> None:
    pods = [one for number in range(3) for one in stay(f"chat-{number}", range(30), 4, "serving")]
    told = answer(month(30, pods), current=3)
    assert told.packed == 3
    assert [size.unmet_gpu_hours for size in told.sizes] == [240, 120, 0, 0, 0]


def test_a_job_larger_than_the_fleet_waits_to_the_end_and_is_told() -> None:
    pods = [one for number in range(2) for one in stay(f"run-{number}", range(10), 4, "training")]
    told = answer(month(10, pods), current=2)
    by_nodes = {size.nodes: size for size in told.sizes}
    assert (by_nodes[1].too_large, by_nodes[1].not_started, by_nodes[1].waiting_hours) == (1, 1, 10)
    assert (by_nodes[2].too_large, by_nodes[2].completed) == (0, 1)


def test_under_nine_tenths_of_the_hours_nothing_is_said() -> None:
    told = answer(month(100, stay("a", range(100), 1), gone=range(11)), current=2, hours=100)
    assert (told.packed, told.sizes) == (None, ())
    assert told.reason == "not enough data: the pods of 89 of 100 hours are known, which is under 90%"
    assert answer(month(100, stay("a", range(100), 1), gone=range(10)), current=2, hours=100).packed is not None
    assert answer(Recorded((), ()), current=2, hours=0).reason.startswith("not enough data: no hour")


def test_what_no_size_can_be_told_of_is_refused_in_a_sentence() -> None:
    pods = stay("a", range(4), 1)
    with pytest.raises(UnableToReplay, match="holds no node now"):
        answer(month(4, pods), current=0)
    with pytest.raises(UnableToReplay, match=r"has 0\.5 GPUs: only whole ones"):
        answer(month(4, pods), current=2, gpus=Decimal("0.5"))
    with pytest.raises(UnableToReplay, match="256 are the most"):
        answer(month(4, pods), current=255)
    with pytest.raises(UnableToReplay, match="has 1 jobs, and 0 are replayed"):
        answer(month(4, pods), current=2, policy=replace(SMALL, most_jobs=0))


def test_progress_counts_all_steps_of_all_sizes_and_may_stop() -> None:
    seen: list[tuple[int, int]] = []
    policy = replace(SMALL, around=1)
    told = month(20, stay("a", range(20), 1))
    asked = MonthAsked(20, 2, Decimal(4), policy)
    month_replayed(told, asked, fifo_grid, lambda done, total: seen.append((done, total)))
    assert seen[-1] == (60, 60)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)

    class Stopped(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        month_replayed(told, asked, fifo_grid, stop)


def test_the_hash_changes_with_whatever_is_put_in() -> None:
    told = month(20, stay("a", range(20), 1))
    asked = MonthAsked(20, 2, Decimal(4), SMALL)
    work = rebuilt(told, Decimal("0.9"))
    first = inputs_hash(work, asked)
    assert first == inputs_hash(rebuilt(told, Decimal("0.9")), asked)
    others = [
        inputs_hash(work, replace(asked, current=3)),
        inputs_hash(rebuilt(month(20, stay("a", range(19), 1)), Decimal("0.9")), asked),
        inputs_hash(replace(work, realtime=(1, *work.realtime[1:])), asked),
    ]
    assert len({first, *others}) == 4


def answer(
    told: Recorded,
    *,
    current: int,
    hours: int | None = None,
    gpus: Decimal = Decimal(4),
    policy: ReplayPolicy = SMALL,
) -> MonthReplayed:
    """The month, of which all hours from the first to the last were due unless said otherwise."""
    due = len(told.hours) if hours is None else hours
    return month_replayed(told, MonthAsked(due, current, gpus, policy), PLANNERS["fast"])


def _worth(nodes: int, value: float) -> SizeReplay:
    blank = {name: 0 for name in SizeReplay.__dataclass_fields__}
    return SizeReplay(**{**blank, "nodes": nodes, "value": float(value)})
