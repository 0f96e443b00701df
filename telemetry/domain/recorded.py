"""What the ledger recorded of a pool's pods, hour by hour: what a replay rebuilds jobs from (docs/replay.md)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RecordedPod:
    """What one pod held in one hour and cluster queue, in whole GPU-milliseconds; ``workload`` blank: unknown."""

    hour: datetime
    namespace: str
    pod: str
    uid: str
    cluster_queue: str
    workload: str
    allocated: int


@dataclass(frozen=True, slots=True)
class RecordedHour:
    """One ledger hour in GPU-milliseconds; None unknown. ``queued`` is what waited by workload, None where unknown."""

    hour: datetime
    allocated: int | None
    expected: int | None
    known: int | None
    queued: Mapping[str, int] | None = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """The hours of a period that stand in the ledger, in order, and the pods that held GPUs in them, in any order."""

    hours: tuple[RecordedHour, ...]
    pods: tuple[RecordedPod, ...]
