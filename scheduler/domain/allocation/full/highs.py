"""The HiGHS solver on a ``Model``: quiet, one thread, within a time limit."""

from collections.abc import Callable
from typing import Any

import highspy
import numpy as np
from highspy import _core

from scheduler.domain.allocation.full.model import INFINITE, Answer, Floats, Model

OPTIMAL, INFEASIBLE = highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible
REACHED = highspy.HighsModelStatus.kObjectiveTarget
DISAGREEMENT = 1e-6
"""Relative; what a claim may differ from the solution it is about, by rounding of values within 1e-7 of whole ones."""
TOLERANCE = 1e-8
"""Relative, added to the bound: what the solver's own tolerances may hide."""


Run = Callable[[], object]
Meanwhile = Callable[[Run, Run], None]
"""Given what runs the solver and what stops it: returns when the first is through, which it may call in a thread."""


class Quiet(highspy.Highs):
    """HiGHS without its banner, called back only when it may have to stop: that waits for the interpreter's lock."""

    def enableCallbacks(self) -> None:  # noqa: N802 the solver's own name
        """Called while the solver is made: its own callbacks are left out, and nothing is printed."""
        super().setOptionValue("output_flag", False)

    def run_while(self, left: Callable[[], float], meanwhile: Meanwhile | None) -> None:
        """Solve until the search is over, the seconds ``left()`` by now are, or ``meanwhile`` stops it.

        Without a ``meanwhile`` nothing else runs that could hold the lock, and ``left`` is asked some hundred times a
        second. What it raises is raised here, after the search: it can't pass through the solver.
        """
        raised: list[Exception] = []

        def look(kind: object, message: str, found: object, wanted: Any, about: object) -> None:
            try:
                wanted.user_interrupt = meanwhile is not None or bool(raised) or left() <= 0
            except Exception as error:
                raised.append(error)
                wanted.user_interrupt = True

        _core._Highs.setCallback(self, look, None)
        self.setOptionValue("time_limit", max(0.0, left()))
        if meanwhile is None:
            self.be_called_back()
            self.run()
        else:
            meanwhile(lambda: _core._Highs.run(self), self.be_called_back)
        if raised:
            raise raised[0]

    def be_called_back(self) -> None:
        """From now on it asks whether to go on; may be called from another thread while it runs."""
        _core._Highs.startCallback(self, highspy.cb.HighsCallbackType.kCallbackMipInterrupt)


def solved(
    model: Model,
    *,
    left: Callable[[], float],
    start: Floats | None = None,
    gap: float = 0.0,
    seed: int = 0,
    meanwhile: Meanwhile | None = None,
) -> Answer:
    """The best solution found until the time is over, from ``start`` on; ends early within the relative ``gap``.

    What the solver claims is held against its solution and the start, which is a solution: claims that these refute are
    dropped, and it has to begin without the start; if that doesn't help either, nothing is said about a bound.
    """
    if not model.worth:
        return Answer(np.zeros(0), 0.0, is_closed=True)

    def claimed(begin: Floats | None) -> Answer | None:
        solver = _solver(model, begin, gap, seed)
        solver.run_while(left, meanwhile)
        return _borne_out(solver, model, start, gap)

    answer = claimed(start)
    if answer is None and start is not None:
        answer = claimed(None)
    return answer or Answer(start, INFINITE, is_closed=False)


def _solver(model: Model, start: Floats | None, gap: float, seed: int) -> Quiet:
    solver = Quiet()  # type: ignore[no-untyped-call]
    for option, value in _options(gap, seed).items():
        solver.setOptionValue(option, value)
    solver.passModel(_program(model))
    if start is not None:
        solution = highspy.HighsSolution()
        solution.col_value = start.tolist()
        solver.setSolution(solution)
    return solver


def _borne_out(solver: Quiet, model: Model, known: Floats | None, gap: float) -> Answer | None:
    """What the solver says; None where its own solution, or the ``known`` one, proves that wrong."""
    status, info = solver.getModelStatus(), solver.getInfo()
    if status == INFEASIBLE:
        return Answer(None, -INFINITE, is_closed=True) if known is None else None
    has_one = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    x = np.array(solver.getSolution().col_value) if has_one else None
    # A search that ends at once leaves the dual bound of its root behind.
    bound = -info.objective_function_value if status == OPTIMAL and gap == 0 else -info.mip_dual_bound
    if x is not None and not _is_close(float(np.dot(model.worth, x)), -info.objective_function_value):
        return None
    if any(_is_above(float(np.dot(model.worth, one)), bound) for one in (x, known) if one is not None):
        return None
    return Answer(x, bound + TOLERANCE * abs(bound), status == OPTIMAL)


def _is_close(worth: float, claimed: float) -> bool:
    return abs(worth - claimed) <= DISAGREEMENT * max(1.0, abs(worth))


def _is_above(worth: float, bound: float) -> bool:
    return worth > bound + DISAGREEMENT * max(1.0, abs(worth))


def _options(gap: float, seed: int) -> dict[str, bool | int | float | str]:
    return {
        "threads": 1,
        "presolve": "off",  # with a start given, what presolve leaves has been seen to come back with a wrong objective
        "parallel": "off",
        "random_seed": seed,
        "mip_rel_gap": gap,
        "mip_abs_gap": 1e-9,
        "mip_allow_restart": False,
        "mip_feasibility_tolerance": 1e-7,
    }


def _program(model: Model) -> highspy.HighsLp:
    program = highspy.HighsLp()
    program.num_col_, program.num_row_ = len(model.worth), len(model.rows)
    program.col_cost_ = -np.array(model.worth)
    program.col_lower_, program.col_upper_ = np.array(model.low), np.array(model.high)
    kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
    program.integrality_ = [kinds[whole] for whole in model.whole]
    program.row_lower_ = np.array([row[0] for row in model.rows])
    program.row_upper_ = np.array([row[1] for row in model.rows])
    matrix = program.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_ = np.cumsum([0, *(len(row[2]) for row in model.rows)])
    matrix.index_ = np.array([at for row in model.rows for at in row[2]], dtype=np.int32)
    matrix.value_ = np.array([factor for row in model.rows for factor in row[3]], dtype=np.float64)
    return program
