"""What one hour adds up to while its nodes are read, one after another."""

from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction

from telemetry.domain.details import Suspect
from telemetry.domain.sample import Pod

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
class PodTally:
    """GPU-milliseconds of one pod in one queue; when it was first seen idle and last seen busy, in ms."""

    allocated: int = 0
    owner_busy: int = 0
    borrower_busy: int = 0
    unmanaged_busy: int = 0
    unattributed_busy: int = 0
    idle_held: int = 0
    idle_since: int | None = None
    busy_until: int | None = None

    def saw_idle(self, ms: int, since: int) -> None:
        """Add idle time that began at an instant."""
        if not ms:
            return
        self.idle_held += ms
        self.idle_since = since if self.idle_since is None else min(self.idle_since, since)

    def saw_busy(self, role: str, ms: int, until: int) -> None:
        """Add busy time that ended at an instant."""
        setattr(self, role, getattr(self, role) + ms)
        self.busy_until = until if self.busy_until is None else max(self.busy_until, until)


@dataclass(slots=True)
class NodeTally:
    """GPU-milliseconds of one node."""

    expected: int = 0
    known: int = 0
    busy: int = 0
    idle_held: int = 0
    idle_free: int = 0


@dataclass(slots=True)
class Tally(NodeTally):
    """Sums over the nodes read so far, in GPU-milliseconds; ``sm_nano`` in billionths of one.

    ``labelled`` is the known time with a pod label; ``seen`` when each GPU (UUID) was counted so far, in ms;
    ``node`` the one that is being read; ``held`` how many GPUs pods held on a node, and when.
    """

    sm_nano: int = 0
    allocated: int = 0
    labelled: int = 0
    node: str = ""
    queues: dict[str, QueueTally] = field(default_factory=lambda: defaultdict(QueueTally))
    nodes: dict[str, NodeTally] = field(default_factory=lambda: defaultdict(NodeTally))
    pods: dict[tuple[str, Pod], PodTally] = field(default_factory=lambda: defaultdict(PodTally))
    suspects: set[Suspect] = field(default_factory=set)
    notes: dict[str, str] = field(default_factory=dict)
    seen: dict[str, tuple[int, int]] = field(default_factory=dict)
    held: list[tuple[int, int, Fraction]] = field(default_factory=list)

    def flag(self, flag: str, note: str) -> None:
        """Raise a flag; of several sentences that explain it the alphabetically first one stays, whatever the order."""
        self.notes[flag] = min(self.notes.get(flag, note), note)

    def suspect(self, uuid: str, what: str, why: str) -> None:
        """Remember that a device of the node that is being read is not to be believed."""
        self.suspects.add(Suspect(self.node, uuid, what, why))

    def doubtful(self) -> list[Suspect]:
        """The devices not to be believed on nodes that were in the pool, by node."""
        return sorted(one for one in self.suspects if one.node in self.nodes)

    def sums(self) -> tuple[int, ...]:
        """What has been added up so far of that which is told apart by node."""
        return self.expected, self.known, self.busy, self.idle_held, self.idle_free

    def add_node(self, before: tuple[int, ...]) -> None:
        """Book to the node that was read whatever came on top of the sums from before it."""
        row = self.nodes[self.node]
        growth = [now - then for now, then in zip(self.sums(), before, strict=True)]
        row.expected, row.known = row.expected + growth[0], row.known + growth[1]
        row.busy, row.idle_held = row.busy + growth[2], row.idle_held + growth[3]
        row.idle_free += growth[4]
