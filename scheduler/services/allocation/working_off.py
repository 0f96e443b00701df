"""Working off what the allocator's full mode was asked in the background."""

import json
from collections.abc import Callable
from datetime import datetime
from math import isfinite
from threading import get_ident
from time import monotonic

import structlog
from django.db import DatabaseError
from django.db.models import F

from scheduler.domain.allocation.scenario import IllegalScenario
from scheduler.domain.allocation_run import LIVE, MOST_TRIES, RunState, may_become
from scheduler.models import AllocationRun
from scheduler.services.allocation.answering import AllocationAsked, allocation_answer
from telemetry.services.sole_run import sole_run

RUN_LOCK = 0x616C6C72
"""The class of the advisory locks of which a run's number is held by the one worker that is at it."""

SECONDS_BETWEEN_LOOKS = 0.5

log = structlog.get_logger(__name__)

Clock = Callable[[], datetime]


def run_allocations(*, clock: Clock) -> int:
    """Work off every run that waits or that a dead worker left behind, oldest first, and say how many were begun.

    Safe to be killed at any point and to be called from anywhere at any time: a run that another worker is at is left
    to it, and one whose worker died is begun anew, three times at most.
    """
    begun = 0
    while _begin_one(clock):
        begun += 1
    return begun


def _begin_one(clock: Clock) -> bool:
    waiting = AllocationRun.objects.filter(state__in=LIVE).order_by("asked_at", "pk").values_list("pk", flat=True)
    for number in list(waiting):
        with sole_run(RUN_LOCK, number % 2**31) as alone:
            run = _taken(number, clock) if alone else None
            if run is not None:
                _work_off(run, clock)
                return True
    return False


def _taken(number: int, clock: Clock) -> AllocationRun | None:
    """The run with one more try to its name, if something can still come of it."""
    run = AllocationRun.objects.filter(pk=number, state__in=LIVE).first()
    if run is None:
        return None
    if run.tries >= MOST_TRIES:
        _end(run, RunState.FAILED, clock, f"Given up: {MOST_TRIES} workers began it and none of them came back.")
        return None
    started = {"state": RunState.RUNNING, "started_at": clock()} if run.state == RunState.QUEUED else {}
    if not AllocationRun.objects.filter(pk=number, state=run.state).update(tries=F("tries") + 1, **started):
        return None
    run.refresh_from_db()
    return run


def _work_off(run: AllocationRun, clock: Clock) -> None:
    watch = _Watch(run, clock)
    try:
        result = _result(run, watch)
    except IllegalScenario as illegal:  # it was legal by the rules of the release that took it
        return _end(run, RunState.FAILED, clock, str(illegal))
    except DatabaseError:
        raise  # it stays as it is, for the next run
    except Exception:
        _end(run, RunState.FAILED, clock, "Stopped by a fault of Moorage: the worker's log has it.")
        raise
    proved = "proved to be the best" if result["proved"] else "the best grid found within the time limit"
    return _end(run, RunState.DONE, clock, f"Done: {proved}.", result=json.dumps(result))


def _result(run: AllocationRun, watch: "_Watch") -> dict[str, object]:
    asked = AllocationAsked(mode="full", seed=run.seed, reasons=True, time_limit_seconds=run.time_limit_seconds)
    scenario = json.loads(run.scenario)
    return allocation_answer(scenario=scenario, asked=asked, left=watch.left, report=watch.report).result


def _end(run: AllocationRun, state: RunState, clock: Clock, message: str, result: str = "") -> None:
    """The end of a run as this worker knows it; one that was taken back, or begun by another since, is left alone."""
    alive = AllocationRun.objects.filter(pk=run.pk, tries=run.tries, state__in=may_become(state))
    if alive.update(state=state, finished_at=clock(), message=message, result=result):
        log.info("allocation run ended", run=run.pk, state=state.value, outcome=message)


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
        mine = AllocationRun.objects.filter(pk=self.run.pk, tries=self.run.tries, state=RunState.RUNNING)
        self.wanted = bool(mine.update(heard_at=self.clock(), **self.heard))
