"""What stands behind one hour as sheets: its queues, its nodes and its pods."""

from collections.abc import Sequence
from datetime import datetime

from reservations.tables.sheet import Column, Kind, Sheet
from telemetry.domain.details import NodeUse, PodUse
from telemetry.selectors.one_hour import QueueTold
from telemetry.tables.usage import gpu_hours

About = tuple[tuple[str, str], ...]
NO_QUEUE = "outside any queue"
NO_TEAM = "no known team"
HOURS = "GPU-hours"


def _hours(name: str, label: str = "", term: str = "") -> Column:
    return Column(f"{name}_gpu_hours", label or name.replace("_", " "), Kind.GPU_HOURS, HOURS, term or name)


_ROLES = (
    _hours("owner_busy", "busy, owner"),
    _hours("borrower_busy", "busy, borrower"),
    _hours("unmanaged_busy", "busy, unmanaged"),
    _hours("unattributed_busy", "busy, unattributed"),
)
_ROLE_NAMES = ("owner_busy", "borrower_busy", "unmanaged_busy", "unattributed_busy")

QUEUES = (
    Column("cluster_queue", "cluster queue", Kind.TEXT, term="cluster_queue"),
    Column("team", "team", Kind.TEXT),
    Column("workload", "workload", Kind.TEXT),
    _hours("allocated"),
    *_ROLES,
)
NODES = (
    Column("node", "node", Kind.TEXT),
    _hours("expected"),
    _hours("unknown", "no telemetry"),
    _hours("busy"),
    _hours("idle_held", "idle, held"),
    _hours("idle_free", "idle, free"),
)
PODS = (
    Column("pod", "pod", Kind.TEXT),
    Column("namespace", "namespace", Kind.TEXT),
    Column("cluster_queue", "cluster queue", Kind.TEXT),
    Column("team", "team", Kind.TEXT),
    _hours("allocated"),
    _hours("busy"),
    _hours("idle_held", "idle, held"),
    Column("idle_from", "idle since", Kind.INSTANT),
)


def queues_sheet(queues: Sequence[QueueTold], about: About = ()) -> Sheet:
    """One row for each queue."""
    rows = tuple(
        (
            one.cluster_queue or NO_QUEUE,
            one.team or NO_TEAM,
            one.workload,
            gpu_hours(one.allocated),
            *(gpu_hours(getattr(one, role)) for role in _ROLE_NAMES),
        )
        for one in queues
    )
    return Sheet("queues", "Queues", QUEUES, rows, about)


def nodes_sheet(nodes: Sequence[NodeUse], about: About = ()) -> Sheet:
    """One row for each node."""
    names = ("expected", "unknown", "busy", "idle_held", "idle_free")
    rows = tuple((one.node, *(gpu_hours(getattr(one, name)) for name in names)) for one in nodes)
    return Sheet("nodes", "Nodes", NODES, rows, about)


def pods_sheet(pods: Sequence[PodUse], about: About = (), *, until: datetime) -> Sheet:
    """One row for each pod and queue, those that held most idle first; ``until``: the hour's end.

    A pod that was busy to the end is idle since never: its last busy instant is the hour's end.
    """
    ordered = sorted(pods, key=lambda one: (-(one.idle_held or 0), -(one.busy or 0), one.namespace, one.pod))
    rows = tuple(
        (
            one.pod,
            one.namespace,
            one.cluster_queue or NO_QUEUE,
            one.team or NO_TEAM,
            gpu_hours(one.allocated),
            gpu_hours(one.busy),
            gpu_hours(one.idle_held),
            None if one.idle_from == until else one.idle_from,
        )
        for one in ordered
    )
    return Sheet("pods", "Pods", PODS, rows, about)
