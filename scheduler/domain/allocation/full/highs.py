"""The HiGHS solver on a ``Model``: quiet, one thread, within a time limit."""

from collections.abc import Callable

import highspy
import numpy as np

from scheduler.domain.allocation.full.model import INFINITE, Answer, Floats, Model

OPTIMAL, INFEASIBLE = highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible
REACHED = highspy.HighsModelStatus.kObjectiveTarget
DISAGREEMENT = 1e-6
"""Relative; what a claim may differ from the solution it is about, by rounding of values within 1e-7 of whole ones."""
TOLERANCE = 1e-8
"""Relative, added to the bound: what the solver's own tolerances may hide."""


class Quiet(highspy.Highs):
    """HiGHS without its banner, and without callbacks, each of which would wait for the interpreter's lock."""

    def enableCallbacks(self) -> None:  # noqa: N802 the solver's own name
        """Called while the solver is made: nothing is called back, and nothing printed."""
        super().setOptionValue("output_flag", False)


def solved(
    model: Model, *, left: Callable[[], float], start: Floats | None = None, gap: float = 0.0, seed: int = 0
) -> Answer:
    """The best solution found until the time is over, from ``start`` on; ends early within the relative ``gap``.

    What the solver claims is held against its solution and the start: claims that these refute are dropped, the start
    with them, and if that doesn't help either, nothing is said about a bound.
    """
    if not model.worth:
        return Answer(np.zeros(0), 0.0, is_closed=True)
    answer = _claimed(model, left, start, gap, seed)
    if answer is None and start is not None:
        answer = _claimed(model, left, None, gap, seed)
    return answer or Answer(start, INFINITE, is_closed=False)


def _claimed(model: Model, left: Callable[[], float], start: Floats | None, gap: float, seed: int) -> Answer | None:
    """What the solver says; None where its own solution, or the start, proves that wrong."""
    solver = Quiet()  # type: ignore[no-untyped-call]
    for option, value in _options(gap, seed).items():
        solver.setOptionValue(option, value)
    solver.passModel(_program(model))
    if start is not None:
        solution = highspy.HighsSolution()
        solution.col_value = start.tolist()
        solver.setSolution(solution)
    solver.setOptionValue("time_limit", max(0.0, left()))
    solver.run()
    status, info = solver.getModelStatus(), solver.getInfo()
    if status == INFEASIBLE:
        return Answer(None, -INFINITE, is_closed=True) if start is None else None
    has_one = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
    x = np.array(solver.getSolution().col_value) if has_one else None
    # A search that ends at once leaves the dual bound of its root behind.
    bound = -info.objective_function_value if status == OPTIMAL and gap == 0 else -info.mip_dual_bound
    if x is not None and not _is_close(float(np.dot(model.worth, x)), -info.objective_function_value):
        return None
    if any(_is_above(float(np.dot(model.worth, known)), bound) for known in (x, start) if known is not None):
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
