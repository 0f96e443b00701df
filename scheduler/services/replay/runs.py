"""Asking for a replay, keeping one that a command made, taking one back, and letting old ones go."""

import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction

from reservations.selectors.pools import PoolRow
from scheduler.domain.allocation_run import LIVE, RunState, may_become
from scheduler.domain.policy import DEFAULT_REPLAY
from scheduler.models import MonthReplay
from scheduler.services.replay.month import Scope, scope_of

KEPT_FOR = timedelta(days=400)
"""A replay is looked at again at the next renewal; the newest of a month stays for good."""


def request_month_replay(*, pool: PoolRow, month: date, user_id: int | None, user_name: str, as_of: datetime) -> int:
    """Put a month in the queue and give the replay's id; that of the one under way where there is one.

    The door tells a worker (the task ``run_month_replays``) once this is committed.
    """
    scope = scope_of(pool=pool, month=month, as_of=as_of)
    live = MonthReplay.objects.filter(pool_id=pool.id, month=scope.month, state__in=LIVE)
    try:
        with transaction.atomic():
            found = live.values_list("pk", flat=True).first()
            if found is not None:
                return int(found)
            asked = {"asked_by_id": user_id, "asked_by_name": user_name, "asked_at": as_of}
            return int(MonthReplay.objects.create(**_of(pool, scope), **asked).pk)
    except IntegrityError:  # somebody asked for the same in this very moment
        return int(live.values_list("pk", flat=True).get())


def keep_month_replay(*, pool: PoolRow, document: Mapping[str, Any], month: date, as_of: datetime) -> int:
    """Keep a replay that was made at once, as if a worker had made it."""
    scope = scope_of(pool=pool, month=month, as_of=as_of)
    made = MonthReplay.objects.create(
        **_of(pool, scope),
        asked_at=as_of,
        started_at=as_of,
        finished_at=as_of,
        state=RunState.DONE,
        result=json.dumps(document),
        message=outcome(document),
    )
    return int(made.pk)


def cancel_month_replay(*, replay_id: int, as_of: datetime) -> bool:
    """Take a replay back, and say whether there was still something to take back."""
    alive = MonthReplay.objects.filter(pk=replay_id, state__in=may_become(RunState.CANCELLED))
    message = "It was taken back before it had ended."
    return bool(alive.update(state=RunState.CANCELLED, finished_at=as_of, message=message))


def forget_old_month_replays(*, as_of: datetime) -> int:
    """Delete replays that ended long ago, but for the newest of each month that has a result; safe to repeat."""
    done = MonthReplay.objects.filter(state=RunState.DONE).order_by("pool_id", "month", "-asked_at", "-pk")
    newest = done.distinct("pool_id", "month").values_list("pk", flat=True)
    ended = MonthReplay.objects.exclude(state__in=LIVE).filter(finished_at__lt=as_of - KEPT_FOR)
    forgotten, _ = ended.exclude(pk__in=list(newest)).delete()
    return forgotten


def outcome(document: Mapping[str, Any]) -> str:
    """How a replay ended, in a sentence."""
    reason, packed = str(document["reason"]), document["packed_nodes"]
    if reason:
        return f"{reason[0].upper()}{reason[1:]}."
    return f"Done: {packed} of {document['current_nodes']} nodes deliver as much."


def _of(pool: PoolRow, scope: Scope) -> dict[str, object]:
    return {
        "pool_id": pool.id,
        "month": scope.month,
        "start": scope.period.start,
        "end": scope.period.end,
        "hours": scope.hours,
        "nodes": scope.nodes,
        "around": DEFAULT_REPLAY.around,
    }
