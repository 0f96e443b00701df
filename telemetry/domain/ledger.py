"""One row of the ledger and what must hold in it (docs/ledger.md). All amounts are whole GPU-milliseconds."""

from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class QueueHour:
    """Who used it: one cluster queue in one pool and hour; blank ``cluster_queue`` for pods outside any.

    The four roles are None where the hour's busy time is unknown.
    """

    cluster_queue: str
    allocated: int | None = None
    owner_busy: int | None = 0
    borrower_busy: int | None = 0
    unmanaged_busy: int | None = 0
    unattributed_busy: int | None = 0


@dataclass(frozen=True, slots=True)
class LedgerHour:
    """One pool in one UTC hour; None is unknown, never zero. ``notes`` says each flag in one sentence."""

    hour: datetime
    reserved: int
    paid: int
    ec2_unused: int | None = None
    expected: int | None = None
    not_joined: int | None = None
    not_observed: int | None = None
    known: int | None = None
    unknown: int | None = None
    busy: int | None = None
    sm: int | None = None
    idle: int | None = None
    idle_held: int | None = None
    idle_free: int | None = None
    allocated: int | None = None
    owner_busy: int | None = None
    borrower_busy: int | None = None
    unmanaged_busy: int | None = None
    unattributed_busy: int | None = None
    queues: tuple[QueueHour, ...] = ()
    flags: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    complete: bool = True
    final: bool = False

    @property
    def launched(self) -> int | None:
        """reserved − ec2_unused, in GPU-milliseconds."""
        return None if self.ec2_unused is None else self.reserved - self.ec2_unused

    @property
    def busy_high(self) -> int | None:
        """busy + unknown: the most that can have been busy; where busy is unknown, known + unknown."""
        if self.unknown is None:
            return None
        return self.unknown + ((self.known or 0) if self.busy is None else self.busy)

    @property
    def coverage(self) -> Decimal | None:
        """known ÷ expected, None when expected is 0 or unknown."""
        return None if not self.expected or self.known is None else Decimal(self.known) / Decimal(self.expected)


AMOUNTS: tuple[str, ...] = tuple(
    field.name
    for field in fields(LedgerHour)
    if field.name not in {"hour", "queues", "flags", "notes", "complete", "final"}
)
"""The stored columns of GPU time, in the ledger's own order."""

BUSY_ROLES: tuple[str, ...] = ("owner_busy", "borrower_busy", "unmanaged_busy", "unattributed_busy")
"""For whom busy time was: together they are ``busy``."""

QUEUE_AMOUNTS: tuple[str, ...] = ("allocated", *BUSY_ROLES)
"""What is told apart by cluster queue: over an hour's queues each adds up to the hour's own."""
