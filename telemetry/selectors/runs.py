"""The latest tries to compute ledger hours."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from telemetry.models import CollectionRun


@dataclass(frozen=True, slots=True)
class RunRow:
    """One try: when it began, which pool and hour, how it ended and, in one sentence, why."""

    read_at: datetime
    pool: str
    hour: datetime
    source: str
    status: str
    message: str
    took_ms: int


def recent_runs(*, pool_ids: Collection[int], limit: int) -> list[RunRow]:
    """The newest tries for some pools, at most ``limit``, in one query."""
    rows = CollectionRun.objects.filter(pool_id__in=pool_ids).order_by("-read_at", "pool__name", "-hour")
    columns = ("read_at", "pool__name", "hour", "source", "status", "message", "took_ms")
    return [RunRow(*row) for row in rows.values_list(*columns)[:limit]]
