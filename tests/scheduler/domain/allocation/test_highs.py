"""What the solver claims is believed only as far as its own solution and the start bear it out."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from scheduler.domain.allocation.full import highs
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
