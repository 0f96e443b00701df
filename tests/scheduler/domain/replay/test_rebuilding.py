"""Jobs out of what pods held: against plain loops, and case by case."""

from dataclasses import replace
from decimal import Decimal

from hypothesis import given

from reservations.domain.period import HOUR_MS
from scheduler.domain.replay.rebuilding import block_size, rebuilt
from scheduler.domain.replay.work import ReplayWork
from telemetry.domain.recorded import Recorded
from tests.scheduler.domain.replay.months import at, month, pod, recorded, stay
from tests.scheduler.domain.replay.oracle import jobs_by_hand

LEAST = Decimal("0.9")


def work_of(month: Recorded) -> ReplayWork:
    return rebuilt(month, LEAST)


@given(recorded())
def test_jobs_and_serving_are_those_that_plain_loops_find(month: Recorded) -> None:
    work = work_of(month)
    hours, serving, jobs = jobs_by_hand(month)
    found = [
        (job.id.split(" ", 1)[1], job.workload, job.began, job.arrival, job.gpus, job.used, job.steps, job.recorded)
        for job in work.jobs
    ]
    assert (list(work.hours), list(work.realtime)) == (hours, serving)
    assert sorted(found) == sorted(jobs)


@given(recorded())
def test_what_was_recorded_of_the_known_hours_is_all_in_the_jobs_and_in_serving(month: Recorded) -> None:
    work = work_of(month)
    known = set(work.hours)
    told = sum(one.allocated for one in month.pods if one.hour in known and one.workload != "serving")
    assert sum(job.recorded for job in work.jobs) == told
    assert len({job.id for job in work.jobs}) == len(work.jobs)
    for job in work.jobs:
        assert abs(job.gpu_steps * HOUR_MS - job.recorded) <= job.used * HOUR_MS
        assert job.used <= job.gpus < 2 * job.used
        assert 0 <= job.arrival <= job.began < len(work.hours)


def test_a_pod_that_began_and_ended_within_hours_keeps_its_gpus_and_its_gpu_hours() -> None:
    work = work_of(month(6, [pod("a", 1, 4), pod("a", 2, 8), pod("a", 3, 4)]))
    (job,) = work.jobs
    assert (job.used, job.gpus, job.steps, job.began) == (8, 8, 2, 1)


def test_training_pods_of_one_controller_are_one_gang_and_batch_pods_are_not() -> None:
    training = [*stay("run-worker-0", range(2, 5), 8, "training"), *stay("run-worker-1", range(2, 5), 8, "training")]
    (gang,) = work_of(month(6, training)).jobs
    assert (gang.used, gang.gpus, gang.steps) == (16, 16, 3)
    apart = [replace(one, workload="batch") for one in training]
    assert [job.used for job in work_of(month(6, apart)).jobs] == [8, 8]


def test_training_pods_that_begin_in_different_hours_are_jobs_of_their_own() -> None:
    pods = [*stay("run-0", range(2, 5), 8, "training"), *stay("run-1", range(3, 5), 8, "training")]
    assert [job.used for job in work_of(month(6, pods)).jobs] == [8, 8]


def test_a_gang_of_three_nodes_holds_a_block_of_four() -> None:
    pods = [one for number in range(3) for one in stay(f"run-{number}", range(2), 8, "training")]
    (gang,) = work_of(month(2, pods)).jobs
    assert (gang.used, gang.gpus) == (24, 32)


def test_a_pod_that_pauses_for_an_hour_is_two_jobs() -> None:
    pods = [*stay("a", range(2), 1), *stay("a", range(3, 5), 1)]
    assert [(job.began, job.steps) for job in work_of(month(6, pods)).jobs] == [(0, 2), (3, 2)]


def test_an_hour_nobody_told_of_parts_no_job_and_is_no_step() -> None:
    work = work_of(month(5, stay("a", range(5), 2), gone={2}))
    assert [(job.began, job.steps) for job in work.jobs] == [(0, 4)]
    assert at(2) not in work.hours
    assert len(work.hours) == 4


def test_an_hour_whose_pods_were_let_go_is_not_known() -> None:
    told = month(3, stay("a", range(3), 2))
    forgotten = Recorded(told.hours, tuple(one for one in told.pods if one.hour != at(1)))
    assert work_of(forgotten).hours == (at(0), at(2))


def test_an_hour_with_too_little_telemetry_is_not_known() -> None:
    told = month(3, [])
    thin = replace(told.hours[1], known=89 * HOUR_MS)
    hours = (told.hours[0], thin, replace(told.hours[2], known=90 * HOUR_MS))
    assert work_of(Recorded(hours, ())).hours == (at(0), at(2))
    unknown = replace(told.hours[1], allocated=None, expected=None, known=None)
    assert work_of(Recorded((told.hours[0], unknown), ())).hours == (at(0),)
    empty = replace(told.hours[1], expected=0, known=0)
    assert work_of(Recorded((empty,), ())).hours == (at(1),)


def test_known_waiting_moves_an_arrival_to_when_it_began() -> None:
    pods = [*stay("a", range(4, 6), 4), *stay("b", range(5, 6), 4)]
    queued = {2: {"batch": 4}, 3: {"batch": 8}, 4: {"batch": 4}}
    a, b = sorted(work_of(month(6, pods, queued=queued)).jobs, key=lambda job: job.id)
    assert (a.began, a.arrival) == (4, 2)
    assert (b.began, b.arrival) == (5, 3)


def test_unknown_waiting_and_waiting_of_another_workload_move_nothing() -> None:
    pods = stay("a", range(4, 6), 4)
    for queued in ({}, {3: {"training": 9}}, {2: {"batch": 9}}, {3: {"batch": 3}}):
        (job,) = work_of(month(6, pods, queued=queued)).jobs
        assert job.arrival == 4


def test_serving_needs_what_it_held_and_what_it_waited_for_in_whole_gpus() -> None:
    pods = [pod("chat-0", 0, 2, "serving"), pod("chat-1", 0, 1.5, "serving"), pod("chat-0", 1, 2, "serving")]
    work = work_of(month(3, pods, queued={1: {"serving": 3}}))
    assert (work.realtime, work.jobs) == ((4, 5, 0), ())


def test_blocks_are_powers_of_two() -> None:
    assert [block_size(gpus) for gpus in (1, 2, 3, 4, 5, 8, 9, 24)] == [1, 2, 4, 4, 8, 8, 16, 32]
