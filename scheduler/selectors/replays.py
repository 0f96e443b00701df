"""Replays of a pool's month: the newest that has a result, and how far the one under way is."""

import json
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from scheduler.domain.allocation_run import LIVE, RunState
from scheduler.models import MonthReplay


@dataclass(frozen=True, slots=True)
class ReplayRow:
    """One replay without its result; ``total_steps`` is 0 until a worker knows how many there are."""

    id: int
    pool_id: int
    month: date
    state: RunState
    nodes: int
    around: int
    asked_by_name: str
    asked_at: datetime
    finished_at: datetime | None
    done_steps: int
    total_steps: int
    message: str

    @property
    def live(self) -> bool:
        """Whether something can still come of it."""
        return self.state in LIVE


@dataclass(frozen=True, slots=True)
class Replayed:
    """A replay that ended well, with its document (docs/replay.md)."""

    row: ReplayRow
    document: dict[str, Any]

    @property
    def packed_nodes(self) -> int | None:
        """The smallest size worth as much as that day's; None where ``reason`` says why there is none."""
        packed = self.document["packed_nodes"]
        return None if packed is None else int(packed)

    @property
    def reason(self) -> str:
        """Why there is no packed size; blank where there is one."""
        return str(self.document["reason"])


_COLUMNS = tuple(ReplayRow.__dataclass_fields__)


def latest_replay(*, pool_id: int, month: date, as_of: datetime | None = None) -> Replayed | None:
    """The newest replay of a pool's month that has a result, of those asked for by an instant; None without any."""
    done = MonthReplay.objects.filter(pool_id=pool_id, month=month.replace(day=1), state=RunState.DONE)
    if as_of is not None:
        done = done.filter(asked_at__lte=as_of)
    found = done.order_by("-asked_at", "-pk").values(*_COLUMNS, "result").first()
    if found is None:
        return None
    document = json.loads(found.pop("result"))
    return Replayed(_row(found), document)


def newest_replay(*, pool_id: int, month: date) -> ReplayRow | None:
    """The replay of a pool's month that was asked for last, whatever became of it."""
    asked = MonthReplay.objects.filter(pool_id=pool_id, month=month.replace(day=1))
    found = asked.order_by("-asked_at", "-pk").values(*_COLUMNS).first()
    return None if found is None else _row(found)


def _row(found: dict[str, Any]) -> ReplayRow:
    return ReplayRow(**found | {"state": RunState(found["state"])})
