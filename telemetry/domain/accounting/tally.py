"""What one hour adds up to while its nodes are read, one after another."""

from collections import defaultdict
from dataclasses import dataclass, field

NANO = 1_000_000_000


@dataclass(slots=True)
class QueueTally:
    """GPU-milliseconds of one queue."""

    allocated: int = 0
    owner_busy: int = 0
    borrower_busy: int = 0
    unmanaged_busy: int = 0
    unattributed_busy: int = 0


@dataclass(slots=True)
class Tally:
    """Sums over the nodes read so far, in GPU-milliseconds; ``sm_nano`` in billionths of one.

    ``labelled`` is the known time with a pod label; ``seen`` when each GPU (UUID) was counted so far, in ms.
    """

    expected: int = 0
    known: int = 0
    busy: int = 0
    sm_nano: int = 0
    idle_held: int = 0
    idle_free: int = 0
    allocated: int = 0
    labelled: int = 0
    queues: dict[str, QueueTally] = field(default_factory=lambda: defaultdict(QueueTally))
    notes: dict[str, str] = field(default_factory=dict)
    seen: dict[str, tuple[int, int]] = field(default_factory=dict)

    def flag(self, flag: str, note: str) -> None:
        """Raise a flag; of several sentences that explain it the alphabetically first one stays, whatever the order."""
        self.notes[flag] = min(self.notes.get(flag, note), note)
