"""Runs that somebody asked for and a worker picks up: one worker each, begun anew where it died, ended once."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

import structlog
from django.db import DatabaseError
from django.db.models import F

from scheduler.domain.allocation_run import LIVE, MOST_TRIES, RunState, may_become
from scheduler.models import AllocationRun, MonthReplay
from telemetry.services.sole_run import sole_run

SECONDS_BETWEEN_LOOKS = 0.5
"""So long a worker goes on before it writes again how far it is, and sees whether anybody still wants it."""

log = structlog.get_logger(__name__)

Clock = Callable[[], datetime]
Run = TypeVar("Run", AllocationRun, MonthReplay)


@dataclass(frozen=True, slots=True)
class RunKind(Generic[Run]):
    """One kind of run: its rows, its name in the log, and how one of them is worked off to its end.

    ``lock`` is the class of the advisory locks of which a run's number is held by the one worker that is at it.
    """

    model: type[Run]
    name: str
    lock: int
    work_off: Callable[[Run, Clock], None]


def run_all(kind: RunKind[Run], *, clock: Clock) -> int:
    """Work off every run of a kind that waits or that a dead worker left behind, oldest first; how many were begun.

    Safe to be killed at any point and to be called from anywhere at any time: a run that another worker is at is left
    to it, and one whose worker died is begun anew, three times at most.
    """
    begun = 0
    while _begin_one(kind, clock):
        begun += 1
    return begun


def end_run(run: Run, state: RunState, *, clock: Clock, message: str, **values: object) -> bool:
    """Write the end of a run as this worker knows it, and say whether it did.

    One that was taken back, or begun by another since, is left alone.
    """
    alive = type(run).objects.filter(pk=run.pk, tries=run.tries, state__in=may_become(state))
    return bool(alive.update(state=state, finished_at=clock(), message=message, **values))


def is_still_wanted(run: Run, **told: object) -> bool:
    """Write down how far a run is, and say whether it is still this worker's to go on with."""
    mine = type(run).objects.filter(pk=run.pk, tries=run.tries, state=RunState.RUNNING)
    return bool(mine.update(**told))


def _begin_one(kind: RunKind[Run], clock: Clock) -> bool:
    waiting = kind.model.objects.filter(state__in=LIVE).order_by("asked_at", "pk").values_list("pk", flat=True)
    for number in list(waiting):
        with sole_run(kind.lock, number % 2**31) as alone:
            run = _taken(kind, number, clock) if alone else None
            if run is not None:
                _work_off(kind, run, clock)
                return True
    return False


def _taken(kind: RunKind[Run], number: int, clock: Clock) -> Run | None:
    """The run with one more try to its name, if something can still come of it."""
    run = kind.model.objects.filter(pk=number, state__in=LIVE).first()
    if run is None:
        return None
    if run.tries >= MOST_TRIES:
        given_up = f"Given up: {MOST_TRIES} workers began it and none of them came back."
        end_run(run, RunState.FAILED, clock=clock, message=given_up)
        return None
    started = {"state": RunState.RUNNING, "started_at": clock()} if run.state == RunState.QUEUED else {}
    if not kind.model.objects.filter(pk=number, state=run.state).update(tries=F("tries") + 1, **started):
        return None
    run.refresh_from_db()
    return run


def _work_off(kind: RunKind[Run], run: Run, clock: Clock) -> None:
    try:
        kind.work_off(run, clock)
    except DatabaseError:
        raise  # it stays as it is, for the next run
    except Exception:
        end_run(run, RunState.FAILED, clock=clock, message="Stopped by a fault of Moorage: the worker's log has it.")
        raise
    log.info("run worked off", kind=kind.name, run=run.pk)
