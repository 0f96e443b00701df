"""The nodes, pods and doubtful devices behind an hour, out of what was tallied while it was read."""

from collections import defaultdict
from collections.abc import Iterable

from reservations.domain.period import from_epoch_ms
from telemetry.domain.accounting.tally import NodeTally, PodTally, Tally
from telemetry.domain.details import HourDetails, NodeUse, PodUse
from telemetry.domain.ledger import LedgerHour
from telemetry.domain.sample import Pod

PodKey = tuple[str, Pod]

MOST_NAMED = 3
"""So many doubtful devices are named in the sentence of a flag."""


def details_of(row: LedgerHour, tally: Tally) -> HourDetails:
    """Each amount that the row knows, by node and by pod; over the nodes and pods they add up to the row's own."""
    return HourDetails(
        nodes=tuple(_node(name, node, row) for name, node in sorted(tally.nodes.items())),
        pods=tuple(_pod(key, pod, row) for key, pod in sorted(_identified(tally.pods).items(), key=_order)),
        suspects=tuple(tally.doubtful()),
    )


def suspicion(tally: Tally) -> str:
    """One sentence about the doubtful devices of an hour, by node, of which it names a few."""
    told = tally.doubtful()
    named = "; ".join(f"{one.uuid} on {one.node}: {one.why}" for one in told[:MOST_NAMED])
    more = len({one.uuid for one in told} - {one.uuid for one in told[:MOST_NAMED]})
    return f"{named}; and {more} more devices" if more > 1 else f"{named}; and one more device" if more else named


def _node(name: str, node: NodeTally, row: LedgerHour) -> NodeUse:
    split = row.idle_held is not None
    return NodeUse(
        node=name,
        expected=node.expected,
        known=node.known,
        busy=node.busy if row.busy is not None else None,
        idle_held=node.idle_held if split else None,
        idle_free=node.idle_free if split else None,
    )


def _pod(key: PodKey, pod: PodTally, row: LedgerHour) -> PodUse:
    queue, (namespace, name, uid) = key
    measured = row.busy is not None
    idle_from = pod.idle_since if pod.busy_until is None else pod.busy_until
    return PodUse(
        namespace=namespace,
        pod=name,
        uid=uid,
        cluster_queue=queue,
        owner_busy=pod.owner_busy if measured else None,
        borrower_busy=pod.borrower_busy if measured else None,
        unmanaged_busy=pod.unmanaged_busy if measured else None,
        unattributed_busy=pod.unattributed_busy if measured else None,
        idle_held=pod.idle_held if row.idle_held is not None else None,
        allocated=pod.allocated if row.allocated is not None else None,
        idle_from=None if idle_from is None or not measured else from_epoch_ms(idle_from),
    )


def _order(item: tuple[PodKey, PodTally]) -> tuple[Pod, str]:
    (queue, pod), _ = item
    return pod, queue


def _identified(pods: dict[PodKey, PodTally]) -> dict[PodKey, PodTally]:
    """The pods, those an exporter told without a uid joined to the only one of that name that has one."""
    uids: dict[tuple[str, str], set[str]] = defaultdict(set)
    for _, pod in pods:
        if pod.uid:
            uids[pod.namespace, pod.name].add(pod.uid)
    joined: dict[PodKey, list[PodTally]] = defaultdict(list)
    for (queue, pod), tally in pods.items():
        known = uids.get((pod.namespace, pod.name), set())
        who = pod._replace(uid=next(iter(known))) if not pod.uid and len(known) == 1 else pod
        joined[queue, who].append(tally)
    return {key: _sum(parts) if len(parts) > 1 else parts[0] for key, parts in joined.items()}


def _sum(parts: Iterable[PodTally]) -> PodTally:
    total = PodTally()
    for part in parts:
        for name in ("allocated", "owner_busy", "borrower_busy", "unmanaged_busy", "unattributed_busy", "idle_held"):
            setattr(total, name, getattr(total, name) + getattr(part, name))
        total.idle_since = _earliest(total.idle_since, part.idle_since)
        ends = [end for end in (total.busy_until, part.busy_until) if end is not None]
        total.busy_until = max(ends, default=None)
    return total


def _earliest(one: int | None, other: int | None) -> int | None:
    return min((at for at in (one, other) if at is not None), default=None)
