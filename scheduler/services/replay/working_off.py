"""Working off the replays that were asked for."""

import json
from dataclasses import replace
from datetime import UTC
from time import monotonic

from django.db.models import F

from reservations.domain.period import Period
from reservations.selectors.organisation import accounting_zone
from reservations.selectors.pools import PoolRow, pool_rows
from scheduler.domain.allocation_run import RunState
from scheduler.domain.policy import DEFAULT_REPLAY
from scheduler.domain.replay.work import UnableToReplay
from scheduler.domain.sizing.when import month_before
from scheduler.models import MonthReplay
from scheduler.selectors.recommendations import recommendation_of_month
from scheduler.services.background_runs import (
    SECONDS_BETWEEN_LOOKS,
    Clock,
    RunKind,
    end_run,
    is_still_wanted,
    run_all,
)
from scheduler.services.recommendations import recommend
from scheduler.services.replay.month import Scope, replayed
from scheduler.services.replay.runs import outcome

REPLAY_LOCK = 0x7265706C


class TakenBack(Exception):
    """Somebody took the replay back while it ran."""


def run_month_replays(*, clock: Clock) -> int:
    """Work off every replay that waits, as ``run_all`` does, and say how many were begun."""
    return run_all(RunKind(MonthReplay, "month replay", REPLAY_LOCK, _work_off), clock=clock)


def _work_off(run: MonthReplay, clock: Clock) -> None:
    pool = next(pool for pool in pool_rows() if pool.id == run.pool_id)
    period = Period(run.start.astimezone(UTC), run.end.astimezone(UTC))
    scope = Scope(run.month, period, run.hours, run.nodes)
    policy = replace(DEFAULT_REPLAY, around=run.around)
    try:
        document = replayed(pool=pool, scope=scope, as_of=run.asked_at, policy=policy, progress=_Watch(run, clock).tell)
    except UnableToReplay as unable:
        text = str(unable)
        end_run(run, RunState.FAILED, clock=clock, message=f"{text[0].upper()}{text[1:]}.")
    except TakenBack:
        pass
    else:
        done = {"result": json.dumps(document), "done_steps": F("total_steps")}
        end_run(run, RunState.DONE, clock=clock, message=outcome(document), **done)
        _advise_anew(run, pool, clock)


def _advise_anew(run: MonthReplay, pool: PoolRow, clock: Clock) -> None:
    """What was recommended of that month rests on its replay from now on."""
    now = clock()
    if month_before(now.astimezone(accounting_zone()).date()) != run.month:
        return
    if recommendation_of_month(pool=pool, month=run.month) is not None:
        recommend(as_of=now, made_at=now, pools=[pool])


class _Watch:
    """Writes down how far a replay is, and stops it once it was taken back."""

    def __init__(self, run: MonthReplay, clock: Clock) -> None:
        self.run, self.clock, self.next_look = run, clock, 0.0

    def tell(self, done: int, total: int) -> None:
        """Steps behind and in all; TakenBack where nobody wants it any more."""
        if monotonic() < self.next_look:
            return
        self.next_look = monotonic() + SECONDS_BETWEEN_LOOKS
        if not is_still_wanted(self.run, done_steps=done, total_steps=total, heard_at=self.clock()):
            raise TakenBack
