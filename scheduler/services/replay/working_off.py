"""Working off the replays that were asked for."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from time import monotonic

import structlog
from django.db import DatabaseError
from django.db.models import F

from reservations.domain.period import Period
from reservations.selectors.pools import pool_rows
from scheduler.domain.allocation_run import LIVE, MOST_TRIES, RunState, may_become
from scheduler.domain.policy import DEFAULT_REPLAY
from scheduler.domain.replay.work import UnableToReplay
from scheduler.models import MonthReplay
from scheduler.services.replay.month import Scope, replayed
from scheduler.services.replay.runs import outcome
from telemetry.services.sole_run import sole_run

REPLAY_LOCK = 0x7265706C
"""The class of the advisory locks of which a replay's number is held by the one worker that is at it."""

SECONDS_BETWEEN_LOOKS = 0.5

log = structlog.get_logger(__name__)

Clock = Callable[[], datetime]


class TakenBack(Exception):
    """Somebody took the replay back while it ran."""


def run_month_replays(*, clock: Clock) -> int:
    """Work off every replay that waits or that a dead worker left behind, oldest first; say how many were begun.

    Safe to be killed at any point and to be called from anywhere at any time: a replay that another worker is at is
    left to it, and one whose worker died is begun anew, three times at most.
    """
    begun = 0
    while _begin_one(clock):
        begun += 1
    return begun


def _begin_one(clock: Clock) -> bool:
    waiting = MonthReplay.objects.filter(state__in=LIVE).order_by("asked_at", "pk").values_list("pk", flat=True)
    for number in list(waiting):
        with sole_run(REPLAY_LOCK, number % 2**31) as alone:
            run = _taken(number, clock) if alone else None
            if run is not None:
                _work_off(run, clock)
                return True
    return False


def _taken(number: int, clock: Clock) -> MonthReplay | None:
    """The replay with one more try to its name, if something can still come of it."""
    run = MonthReplay.objects.filter(pk=number, state__in=LIVE).first()
    if run is None:
        return None
    if run.tries >= MOST_TRIES:
        _end(run, RunState.FAILED, clock, f"Given up: {MOST_TRIES} workers began it and none of them came back.")
        return None
    started = {"state": RunState.RUNNING, "started_at": clock()} if run.state == RunState.QUEUED else {}
    if not MonthReplay.objects.filter(pk=number, state=run.state).update(tries=F("tries") + 1, **started):
        return None
    run.refresh_from_db()
    return run


def _work_off(run: MonthReplay, clock: Clock) -> None:
    pool = next(pool for pool in pool_rows() if pool.id == run.pool_id)
    period = Period(run.start.astimezone(UTC), run.end.astimezone(UTC))
    scope = Scope(run.month, period, run.hours, run.nodes)
    policy = replace(DEFAULT_REPLAY, around=run.around)
    watch = _Watch(run, clock)
    try:
        document = replayed(pool=pool, scope=scope, as_of=run.asked_at, policy=policy, progress=watch.tell)
    except UnableToReplay as unable:
        text = str(unable)
        return _end(run, RunState.FAILED, clock, f"{text[0].upper()}{text[1:]}.")
    except TakenBack:
        return log.info("month replay taken back", replay=run.pk)
    except DatabaseError:
        raise  # it stays as it is, for the next run
    except Exception:
        _end(run, RunState.FAILED, clock, "Stopped by a fault of Moorage: the worker's log has it.")
        raise
    return _end(run, RunState.DONE, clock, outcome(document), result=json.dumps(document))


def _end(run: MonthReplay, state: RunState, clock: Clock, message: str, result: str = "") -> None:
    """The end of a replay as this worker knows it; one taken back, or begun by another since, is left alone."""
    alive = MonthReplay.objects.filter(pk=run.pk, tries=run.tries, state__in=may_become(state))
    done = {"done_steps": F("total_steps")} if state is RunState.DONE else {}
    if alive.update(state=state, finished_at=clock(), message=message, result=result, **done):
        log.info("month replay ended", replay=run.pk, state=state.value, outcome=message)


class _Watch:
    """Writes down how far a replay is, and stops it once it was taken back."""

    def __init__(self, run: MonthReplay, clock: Clock) -> None:
        self.run, self.clock, self.next_look = run, clock, 0.0

    def tell(self, done: int, total: int) -> None:
        """Steps behind and in all; TakenBack where nobody wants it any more."""
        if monotonic() < self.next_look:
            return
        self.next_look = monotonic() + SECONDS_BETWEEN_LOOKS
        mine = MonthReplay.objects.filter(pk=self.run.pk, tries=self.run.tries, state=RunState.RUNNING)
        if not mine.update(done_steps=done, total_steps=total, heard_at=self.clock()):
            raise TakenBack
