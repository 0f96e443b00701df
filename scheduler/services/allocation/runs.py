"""Asking the allocator's full mode for an answer later, taking that back, and letting old answers go."""

import json
from collections.abc import Mapping
from datetime import datetime

from django.db import connection, transaction

from scheduler.domain.allocation.scenario import instance_of
from scheduler.domain.allocation_run import LIVE, RunState, UnableToQueueRun, may_become
from scheduler.domain.policy import ONLINE_LIMITS, AllocationLimits
from scheduler.models import AllocationRun
from scheduler.services.allocation.answering import AllocationAsked

ASKING_LOCK = 0x616C6C61
"""The class of the advisory locks that count one person's runs one after another."""


@transaction.atomic
def request_allocation_run(
    *,
    scenario: Mapping[str, object],
    asked: AllocationAsked,
    user_id: int,
    user_name: str,
    as_of: datetime,
    limits: AllocationLimits = ONLINE_LIMITS,
) -> int:
    """Put a scenario in the queue of full mode and give the run's id.

    IllegalScenario as ``instance_of`` says it; UnableToQueueRun when this person has as many runs under way as one may.
    The door tells a worker (the task ``run_allocations``) once this is committed.
    """
    instance = instance_of(scenario)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [ASKING_LOCK, user_id % 2**31])
    under_way = AllocationRun.objects.filter(asked_by_id=user_id, state__in=LIVE).count()
    if under_way >= limits.runs_of_one:
        raise UnableToQueueRun(f"You have {under_way} runs under way: wait for one of them to end, or take one back.")
    made = AllocationRun.objects.create(
        scenario=json.dumps(scenario),
        gpus=instance.gpus,
        steps=instance.steps,
        jobs=len(instance.jobs),
        seed=asked.seed,
        time_limit_seconds=min(asked.time_limit_seconds, limits.time_limit_seconds),
        asked_by_id=user_id,
        asked_by_name=user_name,
        asked_at=as_of,
    )
    return int(made.pk)


def cancel_allocation_run(*, run_id: int, user_id: int, as_of: datetime) -> bool:
    """Take one's own run back, and say whether there was still something to take back."""
    moved = AllocationRun.objects.filter(
        pk=run_id, asked_by_id=user_id, state__in=may_become(RunState.CANCELLED)
    ).update(state=RunState.CANCELLED, finished_at=as_of, message="It was taken back before it had an answer.")
    return bool(moved)


def forget_old_allocation_runs(*, as_of: datetime, limits: AllocationLimits = ONLINE_LIMITS) -> int:
    """Delete the runs that ended long enough ago, and say how many; safe to repeat."""
    ended = AllocationRun.objects.exclude(state__in=LIVE).filter(finished_at__lt=as_of - limits.kept_for)
    forgotten, _ = ended.delete()
    return forgotten
