"""What work asked for in one ledger hour beyond what it held (docs/demand.md#what-waited)."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class QueuedWork:
    """GPU-milliseconds that one cluster queue's work waited for in one hour; None: nobody can say."""

    cluster_queue: str
    queued: int | None


@dataclass(frozen=True, slots=True)
class AskedHour:
    """What each of the pool's queues waited for; ``peak_gpus``: the most GPUs that were held and waited for at once.

    The peak is None where either is unknown at any time of the hour that counts.
    """

    queued: tuple[QueuedWork, ...] = ()
    peak_gpus: Fraction | None = None
