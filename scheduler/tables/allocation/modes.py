"""The modes beside each other: what each plan is worth, how much of the fleet it uses, what it leaves."""

from dataclasses import dataclass

from reservations.domain import notation
from scheduler.services.compared_plans import ComparedPlans, Plan
from scheduler.tables.allocation.words import MODES, gain, gap_words, number, percent, points


@dataclass(frozen=True, slots=True)
class ModeLine:
    """One plan as the page shows it; ``gain`` and ``points`` are against FIFO, blank for itself."""

    mode: str
    name: str
    value: str
    gain: str
    utilization: str
    points: str
    gap: str
    proved: bool
    occupied: str
    output: str
    completed: int
    continuing: int
    unplaced: int
    unmet: int
    latency: str


def mode_lines(found: ComparedPlans) -> list[ModeLine]:
    """A line for each plan."""
    return [_line(plan, found.by_mode["fifo"]) for plan in found.plans]


def _line(plan: Plan, fifo: Plan) -> ModeLine:
    figures, other = plan.figures, plan is not fifo
    return ModeLine(
        mode=plan.mode,
        name=MODES[plan.mode],
        value=number(figures.value),
        gain=gain(plan, fifo) if other else "",
        utilization=percent(figures.utilization),
        points=points(plan, fifo) if other else "",
        gap=gap_words(plan),
        proved=plan.proved,
        occupied=percent(figures.occupied_share),
        output=number(figures.output),
        completed=figures.completed,
        continuing=figures.continuing,
        unplaced=figures.unplaced,
        unmet=figures.unmet_gpu_steps,
        latency=latency_words(plan.latency_ms),
    )


def latency_words(milliseconds: float | None) -> str:
    """``1.2 ms``, ``3.4 s``; a dash where nobody measured."""
    if milliseconds is None:
        return notation.UNKNOWN
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.1f}{notation.THIN}s"
    return f"{milliseconds:.{0 if milliseconds >= 100 else 1}f}{notation.THIN}ms"
