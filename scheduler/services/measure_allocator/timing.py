"""Clocks: what took how long, and how much is left."""

from collections.abc import Callable
from time import monotonic, perf_counter
from typing import TypeVar

from scheduler.services.allocation.answering import until

Answer = TypeVar("Answer")


def timed(work: Callable[[], Answer]) -> tuple[Answer, float]:
    """What ``work`` gives, and the seconds it took."""
    began = perf_counter()
    answer = work()
    return answer, perf_counter() - began


def least_seconds(work: Callable[[], object], runs: int) -> float:
    """The shortest of ``runs``: what it takes where nothing else is in the way."""
    return min(timed(work)[1] for _ in range(runs))


def left_of(seconds: float) -> Callable[[], float]:
    """A clock that says how many of the next ``seconds`` are left."""
    return until(monotonic() + seconds)
