"""What the solver claims is believed only as far as its own solution and the start bear it out."""

import math
import time
from collections.abc import Callable
from threading import Thread
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scheduler.domain.allocation.families import load
from scheduler.domain.allocation.full import highs
from scheduler.domain.allocation.full.master import master_of
from scheduler.domain.allocation.full.model import Model


def knapsack() -> Model:
    """Worth 160 at best, with the first and the last."""
    model = Model()
    for worth in (100.0, 90.0, 60.0):
        model.variable(worth)
    model.row({0: 3.0, 1: 3.0, 2: 2.0}, high=5.0)
    return model


class Lying(highs.Quiet):
    """Reports 120 as the optimum and as the bound, whatever it found; as presolve with a start did."""

    only_with_a_start = False
    has_a_start = False

    def setSolution(self, *given: Any) -> Any:  # noqa: N802 the solver's own name
        self.has_a_start = True
        return super().setSolution(*given)

    def getInfo(self) -> Any:  # noqa: N802 the solver's own name
        info = super().getInfo()
        if self.only_with_a_start and not self.has_a_start:
            return info
        return SimpleNamespace(
            primal_solution_status=info.primal_solution_status, objective_function_value=-120.0, mip_dual_bound=-120.0
        )


class LyingFromAStart(Lying):
    """Tells the truth without a start."""

    only_with_a_start = True


def forever() -> float:
    return 60.0


def test_an_honest_optimum_is_the_worth_of_its_solution() -> None:
    for start in (None, np.array([1.0, 0.0, 0.0])):
        answer = highs.solved(knapsack(), left=forever, start=start)
        assert answer.x is not None
        assert answer.x.tolist() == pytest.approx([1, 0, 1])
        assert answer.is_closed
        assert answer.bound == pytest.approx(160)


def test_a_wrong_optimum_is_solved_again_without_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highs, "Quiet", LyingFromAStart)
    answer = highs.solved(knapsack(), left=forever, start=np.array([1.0, 0.0, 0.0]))
    assert answer.is_closed
    assert answer.bound == pytest.approx(160)


@pytest.mark.parametrize("start", [None, np.array([1.0, 0.0, 0.0])])
def test_a_solver_that_contradicts_itself_bounds_nothing(monkeypatch: pytest.MonkeyPatch, start: Any) -> None:
    monkeypatch.setattr(highs, "Quiet", Lying)
    answer = highs.solved(knapsack(), left=forever, start=start)
    assert not answer.is_closed
    assert answer.bound == math.inf


def hard() -> Model:
    """Takes half a minute of a processor that does nothing else."""
    return master_of(load(1, gpus=64, jobs=30)).model


def test_the_solver_stops_soon_after_nothing_is_left_any_more() -> None:
    asked: list[float] = []

    def taken_back() -> float:
        asked.append(time.process_time())
        return 600.0 if len(asked) < 20 else 0.0

    answer = highs.solved(hard(), left=taken_back)
    assert not answer.is_closed
    assert time.process_time() - asked[19] < 2


def test_the_solver_stops_soon_after_the_thread_beside_it_says_so() -> None:
    def stopped_midway(run: Callable[[], object], stop: Callable[[], object]) -> None:
        beside = Thread(target=run)
        beside.start()
        time.sleep(0.2)
        assert beside.is_alive()
        began.append(time.process_time())
        stop()
        beside.join()

    began: list[float] = []
    assert not highs.solved(hard(), left=lambda: 600.0, meanwhile=stopped_midway).is_closed
    assert time.process_time() - began[0] < 2


def test_what_is_raised_when_asked_for_the_time_left_is_raised_to_the_caller() -> None:
    asked: list[int] = []

    def fails() -> float:
        asked.append(1)
        if len(asked) > 20:
            raise ConnectionError("gone")
        return 600.0

    with pytest.raises(ConnectionError, match="gone"):
        highs.solved(hard(), left=fails)


class Denying(highs.Quiet):
    """Says that there is no solution at all."""

    def getModelStatus(self) -> Any:  # noqa: N802 the solver's own name
        return highs.INFEASIBLE


def test_a_solver_that_denies_a_known_solution_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highs, "Quiet", Denying)
    answer = highs.solved(knapsack(), left=forever, start=np.array([1.0, 0.0, 0.0]))
    assert (answer.is_closed, answer.bound) == (False, math.inf)
    assert answer.x is not None
    assert highs.solved(knapsack(), left=forever).x is None
