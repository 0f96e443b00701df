"""Who the busy time was for, by team and by workload, and what teams lent each other."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

WORKLOADS = ("serving", "training", "batch")
"""What queues run, in the order in which they are shown."""

NO_TEAM = ""
"""The team of queues that no pool's configuration named when the hour was written."""


@dataclass(frozen=True, slots=True)
class QueueUse:
    """What the queues of one team and workload did in one pool over some hours, in GPU-milliseconds; None unknown.

    ``team`` and ``workload`` are blank for work outside any queue (not ``queued``) and for queues nobody knows.
    """

    pool_id: int
    queued: bool
    team: str
    workload: str
    allocated: int | None = None
    owner_busy: int | None = None
    borrower_busy: int | None = None
    unmanaged_busy: int | None = None
    unattributed_busy: int | None = None


class Kind(StrEnum):
    """What a part of busy time stands for; the value of those without a name of their own is their name."""

    NAMED = "named"
    UNNAMED = "queues of no known team"
    UNMANAGED = "outside any queue"
    UNATTRIBUTED = "not attributed"
    UNSPLIT = "not split"


@dataclass(frozen=True, slots=True)
class Part:
    """One team or workload, or what belongs to none; ``within`` and ``beyond`` its queues' nominal quota.

    ``other`` is busy time to which no quota applies. Busy is the sum of the three.
    """

    kind: Kind
    name: str
    within: int = 0
    beyond: int = 0
    other: int = 0
    allocated: int | None = None

    @property
    def busy(self) -> int:
        """All of its busy time."""
        return self.within + self.beyond + self.other


def by_team(rows: Iterable[QueueUse], busy: int) -> tuple[Part, ...]:
    """One part for each team by name, then what has none; together they are ``busy``, the ledger's own sum."""
    return _parts(rows, busy, lambda row: row.team, sorted)


def by_workload(rows: Iterable[QueueUse], busy: int) -> tuple[Part, ...]:
    """One part for each workload in the fixed order, others by name, then what has none; together ``busy``."""

    def ordered(names: Iterable[str]) -> list[str]:
        places = {name: place for place, name in enumerate(WORKLOADS)}
        return sorted(names, key=lambda name: (places.get(name, len(places)), name))

    return _parts(rows, busy, lambda row: row.workload, ordered)


MOST = 8
"""So many teams or workloads are told apart where there is no room for all."""


def folded(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The parts in their order, of the named ones the eight busiest, and the rest of those as one."""
    named = [part for part in parts if part.kind is Kind.NAMED]
    if len(named) <= MOST:
        return tuple(parts)
    kept = sorted(named, key=lambda part: (-part.busy, part.name))[:MOST]
    small = [part for part in named if part not in kept]
    rest = Part(
        Kind.NAMED,
        "1 other" if len(small) == 1 else f"{len(small)} others",
        within=sum(part.within for part in small),
        beyond=sum(part.beyond for part in small),
        allocated=_sum(part.allocated for part in small),
    )
    return (*(p for p in named if p in kept), rest, *(part for part in parts if part.kind is not Kind.NAMED))


def _parts(
    rows: Iterable[QueueUse],
    busy: int,
    name_of: Callable[[QueueUse], str],
    ordered: Callable[[Iterable[str]], list[str]],
) -> tuple[Part, ...]:
    every = list(rows)
    grouped: defaultdict[str, list[QueueUse]] = defaultdict(list)
    for row in every:
        if row.queued:
            grouped[name_of(row)].append(row)
    named = [_named(name, grouped[name]) for name in ordered(name for name in grouped if name)]
    rest = [_named("", grouped.get("", [])), _unmanaged(every), _unattributed(every)]
    rest.append(_rest(Kind.UNSPLIT, busy - sum(part.busy for part in (*named, *rest))))
    return (*named, *(part for part in rest if part.busy or part.allocated))


def queue_busy(row: QueueUse) -> int:
    """All busy time of one queue sum that is known."""
    return sum(amount or 0 for amount in (row.owner_busy, row.borrower_busy, row.unmanaged_busy, row.unattributed_busy))


def _unmanaged(rows: Iterable[QueueUse]) -> Part:
    every = list(rows)
    busy = _sum(row.unmanaged_busy for row in every) or 0
    return _rest(Kind.UNMANAGED, busy, _sum(row.allocated for row in every if not row.queued))


def _unattributed(rows: Iterable[QueueUse]) -> Part:
    return _rest(Kind.UNATTRIBUTED, _sum(row.unattributed_busy for row in rows) or 0)


def _rest(kind: Kind, busy: int, allocated: int | None = None) -> Part:
    return Part(kind, kind.value, other=busy, allocated=allocated)


def _named(name: str, rows: Iterable[QueueUse]) -> Part:
    group = list(rows)
    return Part(
        Kind.NAMED if name else Kind.UNNAMED,
        name or Kind.UNNAMED.value,
        within=_sum(row.owner_busy for row in group) or 0,
        beyond=_sum(row.borrower_busy for row in group) or 0,
        allocated=_sum(row.allocated for row in group),
    )


def _sum(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
