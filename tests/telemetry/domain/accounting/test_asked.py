"""What waits in an hour, and the most that was held and waited for at once."""

from fractions import Fraction

import pytest

from telemetry.domain.queued import AskedHour, QueuedWork
from telemetry.domain.sample import PendingSeries, PhaseSeries, Pod, RequestSeries, Samples
from tests.telemetry.domain.accounting.hours import HOUR, gpu, hour_of, node, steady, usage

POD = Pod("team", "work", "uid")


def asked(*pending: PendingSeries, queues: tuple[str, ...] = ("cq-a", "cq-b"), **changes: object) -> AskedHour | None:
    requests = (RequestSeries(POD, "main", "nvidia_com_gpu", steady(3, end=30)),)
    phases = (PhaseSeries(POD, steady(1)),)
    hour = usage(node(gpu("G1"), requests=requests, phases=phases), pending=pending, **changes)
    return hour_of(hour, queues=queues)[1].asked


def waiting(queue: str, *parts: Samples) -> PendingSeries:
    return PendingSeries(queue, tuple(sorted(pair for part in parts for pair in part)))


def test_what_waits_is_a_mean_over_the_hour_and_the_peak_is_of_one_instant() -> None:
    found = asked(waiting("cq-a", steady(0)), waiting("cq-b", steady(4, end=30), steady(6, start=30)))
    assert found == AskedHour((QueuedWork("cq-a", 0), QueuedWork("cq-b", 5 * HOUR)), Fraction(7))


def test_queues_of_other_pools_are_none_of_this_one() -> None:
    found = asked(waiting("cq-a", steady(2)), waiting("cq-z", steady(100)), queues=("cq-a",))
    assert found == AskedHour((QueuedWork("cq-a", 2 * HOUR),), Fraction(5))


def test_a_queue_that_nobody_speaks_of_is_unknown_and_never_zero() -> None:
    found = asked(waiting("cq-a", steady(2)))
    assert found == AskedHour((QueuedWork("cq-a", 2 * HOUR), QueuedWork("cq-b", None)), None)
    assert asked() == AskedHour((QueuedWork("cq-a", None), QueuedWork("cq-b", None)), None)
    assert asked(queues=()) == AskedHour((), None)


@pytest.mark.parametrize(("until", "told"), [(54, 4 * HOUR), (53.5, None)])
def test_nine_tenths_of_an_hour_speak_for_the_whole_and_less_does_not(until: float, told: int | None) -> None:
    found = asked(waiting("cq-a", steady(4, end=until)), queues=("cq-a",))
    assert found is not None
    assert found.queued == (QueuedWork("cq-a", told),)


@pytest.mark.parametrize("nonsense", [-1.0, float("nan"), float("inf"), 1e18])
def test_an_amount_that_cannot_be_is_not_counted(nonsense: float) -> None:
    found = asked(waiting("cq-a", steady(nonsense, end=3), steady(2, start=3)), queues=("cq-a",))
    assert found is not None
    assert found.queued == (QueuedWork("cq-a", 2 * HOUR),)
    assert asked(waiting("cq-a", steady(nonsense)), queues=("cq-a",)) == AskedHour((QueuedWork("cq-a", None),), None)


def test_without_allocation_there_is_no_peak() -> None:
    found = asked(waiting("cq-a", steady(2)), queues=("cq-a",), allocation_data=False)
    assert found == AskedHour((QueuedWork("cq-a", 2 * HOUR),), None)
