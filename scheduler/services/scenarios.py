"""Keeping the scenarios that somebody brings along, for as long as answers are kept."""

import json
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256

from django.db import transaction

from scheduler.domain.allocation.scenario import instance_of
from scheduler.domain.policy import ONLINE_LIMITS, AllocationLimits
from scheduler.models import KeptScenario

MOST_KEPT = 20
"""So many one person may have: the oldest goes when another one comes."""

LONGEST_NAME = 80


@transaction.atomic
def keep_scenario(
    *,
    scenario: Mapping[str, object],
    name: str,
    user_id: int,
    as_of: datetime,
    limits: AllocationLimits = ONLINE_LIMITS,
) -> str:
    """Keep a scenario under a name and give its key; the same scenario again is kept once, under its new name.

    IllegalScenario as ``instance_of`` says it. What is older than answers are kept, of anybody, goes on the occasion.
    """
    instance = instance_of(scenario)
    text = json.dumps(scenario)
    key = sha256(text.encode()).hexdigest()[:12]
    size = f"{instance.gpus} GPUs × {instance.steps} steps"
    KeptScenario.objects.update_or_create(
        kept_by_id=user_id,
        key=key,
        defaults={
            "name": " ".join(name.replace("\0", " ").split())[:LONGEST_NAME] or size,
            "scenario": text,
            "gpus": instance.gpus,
            "steps": instance.steps,
            "jobs": len(instance.jobs),
            "kept_at": as_of,
        },
    )
    mine = KeptScenario.objects.filter(kept_by_id=user_id).order_by("-kept_at", "-pk")
    beyond = list(mine.values_list("pk", flat=True)[MOST_KEPT:])
    KeptScenario.objects.filter(pk__in=beyond).delete()
    KeptScenario.objects.filter(kept_at__lt=as_of - limits.kept_for).delete()
    return key


def forget_scenario(*, key: str, user_id: int) -> bool:
    """Delete one of somebody's own scenarios, and say whether there was one."""
    deleted, _ = KeptScenario.objects.filter(kept_by_id=user_id, key=key).delete()
    return bool(deleted)
