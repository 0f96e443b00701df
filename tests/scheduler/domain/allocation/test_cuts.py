"""The master with its cuts: every legal grid remains a solution, worth what it is worth, and no conflict does."""

import time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scheduler.domain.allocation.families import SMALL
from scheduler.domain.allocation.fast import fast_grid
from scheduler.domain.allocation.figures import figures_of
from scheduler.domain.allocation.full.conflict import Conflict, Packer
from scheduler.domain.allocation.full.highs import solved
from scheduler.domain.allocation.full.master import Master, completed, forbid, master_of, schedule_of, solution_of
from scheduler.domain.allocation.full.model import INFINITE, Floats, Model
from scheduler.domain.allocation.full.rounded import rounded_rows
from scheduler.domain.allocation.instance import Instance
from tests.scheduler.domain.allocation.brute import optimum
from tests.scheduler.domain.allocation.strategies import tiny_instances

Row = tuple[float, float, list[int], list[float]]


def is_solution(master: Master, x: Floats) -> bool:
    model = master.model
    inside = (np.array(model.low) - 1e-9 <= x) & (x <= np.array(model.high) + 1e-9)
    rows = (low - 1e-9 <= np.dot(factors, x[at]) <= high + 1e-9 for low, high, at, factors in model.rows)
    return bool(inside.all()) and all(rows)


def with_cuts(instance: Instance, most: int) -> tuple[Master, int]:
    """The master after as many rounds of solving and forbidding, and the conflicts forbidden."""
    began = time.monotonic()
    master = master_of(instance)
    packer = Packer(instance, lambda: 60 - (time.monotonic() - began))
    for done in range(most):
        answer = solved(master.model, left=packer.left)
        if answer.x is None:
            return master, done
        schedule = schedule_of(master, instance, answer.x)
        outcome = packer.packed(schedule.columns, schedule.needs, 20_000)
        if not isinstance(outcome, Conflict):
            return master, done
        forbid(master, instance, packer.smallest(outcome))
        assert not is_solution(master, completed(master, np.round(answer.x)))
    return master, most


# Of the seeds used while tuning, ones whose master can't be packed at once.
@pytest.mark.parametrize(("family", "seed"), [("priority_inversion", 42), ("fragmentation", 44), ("fragmentation", 43)])
def test_cuts_leave_every_legal_plan_and_no_conflict(family: str, seed: int) -> None:
    instance = SMALL[family](seed)
    master, cuts = with_cuts(instance, 4)
    assert cuts > 0
    for at in range(40):
        grid = fast_grid(instance, seed=at, iterations=5 * at)
        x = solution_of(master, instance, grid)
        assert is_solution(master, x)
        worth = float(np.dot(master.model.worth, x)) + master.constant
        assert worth == pytest.approx(figures_of(instance, grid).value, rel=1e-9)


@settings(max_examples=100)
@given(tiny_instances(), st.integers(1, 3))
def test_the_best_of_a_tiny_instance_is_a_solution_of_the_master_with_cuts(instance: Instance, most: int) -> None:
    best = optimum(instance)
    assume(best is not None)
    assert best is not None
    master, _ = with_cuts(instance, most)
    assert is_solution(master, solution_of(master, instance, best[1]))


def relaxed(model: Model, rows: list[Row]) -> float:
    """What the rows leave possible if everything may be done by halves."""
    halves = Model(model.worth, model.low, model.high, [False] * len(model.worth), rows)
    return solved(halves, left=lambda: 60.0).bound


@pytest.mark.parametrize(("family", "seed"), [("priority_inversion", 40), ("fragmentation", 42)])
def test_rounded_rows_bring_the_relaxation_within_two_per_cent(family: str, seed: int) -> None:
    instance = SMALL[family](seed)
    model = master_of(instance).model
    rounded = rows_rounded(instance)
    assert rounded
    worth = figures_of(instance, fast_grid(instance)).value
    assert relaxed(model, model.rows) <= 1.02 * worth
    assert relaxed(model, [row for row in model.rows if row not in rounded]) >= 1.2 * worth


def rows_rounded(instance: Instance) -> list[Row]:
    master = master_of(instance)
    found = []
    for step in range(instance.steps):
        here = [at for at, column in enumerate(master.columns) if column.start <= step < column.end]
        short = [row[step] for row in master.missed]
        for terms, high in rounded_rows(instance, master.columns, here, short, instance.gpus, step):
            found.append((-INFINITE, high, list(terms), list(terms.values())))
    return found
