"""Scenarios small enough to be asked in any test, and who asks."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from reservations.models import User
from scheduler.models import AllocationRun
from scheduler.services.allocation import AllocationAsked, request_allocation_run

NOW = datetime(2026, 5, 4, 10, tzinfo=UTC)
SMALL: dict[str, Any] = {
    "gpus": 4,
    "steps": 4,
    "jobs": [
        {"id": "t", "type": "training", "priority": 3, "arrival": 0, "sizes": {"2": 2}},
        {"id": "late", "type": "quantization", "priority": 2, "arrival": 2, "sizes": {"4": 1}},
        {"id": "chat", "type": "realtime", "priority": 5, "demand": [1, 2, 0, 0], "swap_cap": 2},
    ],
}
SIX = Path(__file__).parents[1] / "domain" / "allocation" / "scenarios"


def of_the_six(name: str) -> dict[str, Any]:
    """The scenario of that name, as a file has it."""
    read: dict[str, Any] = json.loads((SIX / f"{name}.json").read_text())
    return read


def clock() -> datetime:
    return NOW


def ask(by: User, scenario: dict[str, Any] | None = None, **more: Any) -> int:
    """The number of a run that somebody asks for."""
    return request_allocation_run(
        scenario=SMALL if scenario is None else scenario,
        asked=AllocationAsked(mode="full", **more),
        user_id=by.pk,
        user_name=by.username,
        as_of=NOW,
    )


def asked(number: int) -> AllocationRun:
    return AllocationRun.objects.get(pk=number)
