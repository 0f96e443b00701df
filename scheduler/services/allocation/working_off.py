"""Working off what the allocator's full mode was asked in the background."""

import json
from math import isfinite
from threading import get_ident
from time import monotonic

from scheduler.domain.allocation.scenario import IllegalScenario
from scheduler.domain.allocation_run import RunState
from scheduler.models import AllocationRun
from scheduler.services.allocation.answering import AllocationAsked, allocation_answer
from scheduler.services.background_runs import (
    SECONDS_BETWEEN_LOOKS,
    Clock,
    RunKind,
    end_run,
    is_still_wanted,
    run_all,
)

RUN_LOCK = 0x616C6C72


def run_allocations(*, clock: Clock) -> int:
    """Work off every question to full mode that waits, as ``run_all`` does, and say how many were begun."""
    return run_all(RunKind(AllocationRun, "allocation", RUN_LOCK, _work_off), clock=clock)


def _work_off(run: AllocationRun, clock: Clock) -> None:
    try:
        result = _result(run, _Watch(run, clock))
    except IllegalScenario as illegal:  # it was legal by the rules of the release that took it
        end_run(run, RunState.FAILED, clock=clock, message=str(illegal))
        return
    proved = "proved to be the best" if result["proved"] else "the best grid found within the time limit"
    end_run(run, RunState.DONE, clock=clock, message=f"Done: {proved}.", result=json.dumps(result))


def _result(run: AllocationRun, watch: "_Watch") -> dict[str, object]:
    asked = AllocationAsked(mode="full", seed=run.seed, reasons=True, time_limit_seconds=run.time_limit_seconds)
    scenario = json.loads(run.scenario)
    return allocation_answer(scenario=scenario, asked=asked, left=watch.left, report=watch.report).result


class _Watch:
    """Between a solver and the database: what the one says is written down, and whether the other still wants it.

    Solvers may ask from threads of their own; only the one that began has a session of the database.
    """

    def __init__(self, run: AllocationRun, clock: Clock) -> None:
        self.run, self.clock = run, clock
        self.home, self.deadline, self.next_look = get_ident(), monotonic() + run.time_limit_seconds, 0.0
        self.wanted = True
        self.heard: dict[str, object] = {}

    def left(self) -> float:
        """Seconds the solver still has: none any more once the run was taken back."""
        self._look()
        return max(0.0, self.deadline - monotonic()) if self.wanted else 0.0

    def report(self, phase: str, bound: float, value: float) -> None:
        """What the solver has just done, what no grid is worth more than, and what the best grid is worth so far."""
        self.heard = {"phase": phase[:40], "bound": bound if isfinite(bound) else None, "value": value}
        self._look()

    def _look(self) -> None:
        if get_ident() != self.home or monotonic() < self.next_look:
            return
        self.next_look = monotonic() + SECONDS_BETWEEN_LOOKS
        self.wanted = is_still_wanted(self.run, heard_at=self.clock(), **self.heard)
