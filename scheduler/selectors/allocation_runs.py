"""Runs of the allocator's full mode, each for who asked for it and nobody else."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scheduler.domain.allocation_run import LIVE, RunState
from scheduler.models import AllocationRun


@dataclass(frozen=True, slots=True)
class AllocationRunRow:
    """One run without its texts; ``value`` and ``bound`` are the best known so far, None while nothing is known."""

    id: int
    state: RunState
    gpus: int
    steps: int
    jobs: int
    seed: int
    time_limit_seconds: float
    asked_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    heard_at: datetime | None
    phase: str
    value: float | None
    bound: float | None
    message: str

    @property
    def live(self) -> bool:
        """Whether something can still come of it."""
        return self.state in LIVE


@dataclass(frozen=True, slots=True)
class AllocationRunWhole:
    """One run with what was asked and what came of it, both as JSON; ``result_text`` is blank until it is done."""

    row: AllocationRunRow
    scenario_text: str
    result_text: str

    @property
    def scenario(self) -> dict[str, Any]:
        """What was asked."""
        read: dict[str, Any] = json.loads(self.scenario_text)
        return read

    @property
    def result(self) -> dict[str, Any] | None:
        """What came of it, None until it is done."""
        return json.loads(self.result_text) if self.result_text else None


_COLUMNS = tuple(AllocationRunRow.__dataclass_fields__)


def allocation_run(*, user_id: int, run_id: int) -> AllocationRunWhole | None:
    """Somebody's run of that number; None when there is none, and when it is somebody else's."""
    mine = AllocationRun.objects.filter(asked_by_id=user_id, pk=run_id)
    found = mine.values(*_COLUMNS, "scenario", "result").first()
    if found is None:
        return None
    scenario, result = found.pop("scenario"), found.pop("result")
    return AllocationRunWhole(_row(found), scenario, result)


def allocation_runs(*, user_id: int, offset: int = 0, limit: int) -> tuple[list[AllocationRunRow], int]:
    """Somebody's runs, the newest first, and how many they have in all."""
    mine = AllocationRun.objects.filter(asked_by_id=user_id)
    newest = mine.order_by("-asked_at", "-pk").values(*_COLUMNS)
    return [_row(found) for found in newest[offset : offset + limit]], mine.count()


def _row(found: dict[str, Any]) -> AllocationRunRow:
    return AllocationRunRow(**found | {"state": RunState(found["state"])})
