"""What stands behind one ledger hour: nodes, pods and doubtful devices, in whole GPU-milliseconds (docs/ledger.md)."""

from dataclasses import dataclass
from datetime import datetime

from telemetry.domain.queued import AskedHour


@dataclass(frozen=True, slots=True)
class NodeUse:
    """One node in one hour; ``busy`` None: not measured; the two kinds of idle None: not told apart."""

    node: str
    expected: int
    known: int
    busy: int | None
    idle_held: int | None
    idle_free: int | None

    @property
    def unknown(self) -> int:
        """expected − known."""
        return self.expected - self.known


@dataclass(frozen=True, slots=True)
class PodUse:
    """One pod in one hour and cluster queue (blank: outside any, or nobody can say).

    ``idle_from`` is the instant in the hour since which none of its GPUs was busy; None without device time.
    ``team`` is the queue's owner when the hour was written; blank unknown.
    """

    namespace: str
    pod: str
    uid: str
    cluster_queue: str
    owner_busy: int | None
    borrower_busy: int | None
    unmanaged_busy: int | None
    unattributed_busy: int | None
    idle_held: int | None
    allocated: int | None
    idle_from: datetime | None = None
    team: str = ""

    @property
    def busy(self) -> int | None:
        """Its part of busy, over the four roles."""
        roles = (self.owner_busy, self.borrower_busy, self.unmanaged_busy, self.unattributed_busy)
        return sum(roles) if all(role is not None for role in roles) else None  # type: ignore[arg-type]

    @property
    def held(self) -> int | None:
        """Known device time with its label: busy + idle_held."""
        return None if self.busy is None or self.idle_held is None else self.busy + self.idle_held


SILENT = "silent"
"""No activity while the device worked."""

FROZEN = "frozen"
"""One value for a long time."""


@dataclass(frozen=True, slots=True, order=True)
class Suspect:
    """A device whose values in one hour are not to be believed: ``what`` in a word, ``why`` in a sentence."""

    node: str
    uuid: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class HourDetails:
    """Everything behind one hour, in the order of names; empty where nobody told about nodes.

    ``asked`` is what work waited for, None where nobody was asked.
    """

    nodes: tuple[NodeUse, ...] = ()
    pods: tuple[PodUse, ...] = ()
    suspects: tuple[Suspect, ...] = ()
    asked: AskedHour | None = None


NO_DETAILS = HourDetails()
